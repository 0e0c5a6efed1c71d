"""Training on two ranks, each a process with a device. two_ranks.py NAME RANK PORT prints what the rank got."""

import json
import os
import socket
import subprocess
import sys

RANKS, SECONDS = 2, 500


def started(name):
    """What each rank got."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "TORCHADA_HOST_DEVICES": str(RANKS)}
    ranks = [
        subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), name, str(rank), str(port)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(RANKS)
    ]
    try:
        ended = [rank.communicate(timeout=SECONDS) for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    for rank, (_, errors) in zip(ranks, ended):
        sys.stderr.write(errors)
        if rank.returncode:
            raise RuntimeError(f"status {rank.returncode}: {errors[-1500:]}")
    return [json.loads(out.splitlines()[-1]) for out, _ in ended]


def half_of(rank, tensor):
    return tensor.chunk(RANKS)[rank].cuda()


def train(torch, model, rank, optimizer):
    """The mean of both halves' losses in each step."""
    from loops import seeded
    from networks import perceptron_data

    inputs, wanted = (half_of(rank, one) for one in seeded(perceptron_data, 2))
    out = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(inputs), wanted)
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        torch.distributed.all_reduce(mean, torch.distributed.ReduceOp.AVG)
        out.append(mean.item())
    return out


def data_parallel(torch, rank, **options):
    from loops import seeded
    from networks import perceptron

    model = torch.nn.parallel.DistributedDataParallel(seeded(perceptron).cuda(), device_ids=[rank], **options)
    return train(torch, model, rank, torch.optim.Adam(model.parameters(), lr=1e-2))


def buckets(torch, rank):
    """Many small buckets, which are views of the gradients."""
    return data_parallel(torch, rank, bucket_cap_mb=0.001, gradient_as_bucket_view=True)


def sharded(torch, rank):
    """Each rank holds half of the weights."""
    from loops import seeded
    from networks import perceptron
    from torch.distributed.fsdp import FullyShardedDataParallel

    model = FullyShardedDataParallel(seeded(perceptron).cuda(), device_id=rank, use_orig_params=True)
    return train(torch, model, rank, torch.optim.Adam(model.parameters(), lr=1e-2))


def sharded_optimizer(torch, rank):
    from loops import seeded
    from networks import perceptron
    from torch.distributed.optim import ZeroRedundancyOptimizer

    model = torch.nn.parallel.DistributedDataParallel(seeded(perceptron).cuda(), device_ids=[rank])
    return train(torch, model, rank, ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=1e-2))


def normalised_together(torch, rank):
    """Batch norm over the batches of both."""
    from loops import seeded
    from networks import images
    from torch import nn

    torch.manual_seed(1)
    layer = nn.SyncBatchNorm.convert_sync_batchnorm(nn.BatchNorm2d(1)).cuda()
    model = nn.parallel.DistributedDataParallel(layer, device_ids=[rank])
    return model(half_of(rank, seeded(images, 2)[0])).flatten().tolist()


def run(name, rank, port):
    import torch

    torch.backends.cudnn.enabled = False
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=RANKS)
    print(json.dumps(globals()[name](torch, rank)))
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    run(sys.argv[1], *map(int, sys.argv[2:]))
