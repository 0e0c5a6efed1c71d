"""Collectives of torch: each rank is a process with a device. ranks.py NAME RANK RANKS PORT prints what it got."""
import json
import os
import socket
import subprocess
import sys

SECONDS = 120


def started_ranks(name, ranks):
    """What each rank got, in the order of the ranks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "TORCHADA_HOST_DEVICES": str(ranks)}
    all_ranks = [subprocess.Popen([sys.executable, os.path.abspath(__file__), name, str(rank), str(ranks), str(port)],
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                 for rank in range(ranks)]
    try:
        ended = [rank.communicate(timeout=SECONDS) for rank in all_ranks]
    finally:
        for rank in all_ranks:
            rank.kill()
    for rank, (_, errors) in zip(all_ranks, ended):
        sys.stderr.write(errors)
        if rank.returncode:
            raise RuntimeError(f"status {rank.returncode}: {errors[-1500:]}")
    return [json.loads(out.splitlines()[-1]) for out, _ in ended]


def all_reduce(torch, distributed, rank, ranks):
    tensor = torch.arange(4.0).cuda()
    distributed.all_reduce(tensor)
    return tensor


def broadcast(torch, distributed, rank, ranks):
    tensor = torch.tensor([1.0, 2.0] if rank == 0 else [0.0, 0.0]).cuda()
    distributed.broadcast(tensor, 0)
    return tensor


def all_gather(torch, distributed, rank, ranks):
    out = torch.empty(2 * ranks, device="cuda")
    distributed.all_gather_into_tensor(out, torch.full((2,), float(rank)).cuda())
    return out


def reduce_scatter(torch, distributed, rank, ranks):
    out = torch.empty(2, device="cuda")
    distributed.reduce_scatter_tensor(out, torch.arange(2.0 * ranks).cuda())
    return out


def all_to_all(torch, distributed, rank, ranks):
    out = torch.empty(ranks, device="cuda")
    distributed.all_to_all_single(out, torch.arange(2.0 * rank, 2.0 * rank + ranks).cuda())
    return out


def send_and_receive(torch, distributed, rank, ranks):
    tensor = torch.tensor([7.0, 8.0]).cuda() if rank == 0 else torch.empty(2, device="cuda")
    (distributed.recv if rank else distributed.send)(tensor, 1 - rank)
    torch.cuda.synchronize()
    return tensor


def barrier(torch, distributed, rank, ranks):
    distributed.barrier()
    return None


def run(name, rank, ranks, port):
    import torch
    from torch import distributed
    torch.cuda.set_device(int(rank))
    distributed.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=int(rank),
                                   world_size=int(ranks))
    out = globals()[name](torch, distributed, int(rank), int(ranks))
    print(json.dumps("passed" if out is None else out.cpu().tolist()))
    distributed.destroy_process_group()


if __name__ == "__main__":
    run(*sys.argv[1:])
