"""Two ranks, each a process with a device of its own, for packages that talk to NCCL or share memory by themselves.

A script of a client names its parts and calls ranks_main(); two_ranks(SCRIPT) starts it twice. A part returns what the
rank got, as JSON can hold it."""
import json
import os
import socket
import subprocess
import sys
import time

RANKS = 2
SECONDS = 500


def two_ranks(script):
    """{part: [what rank 0 got, what rank 1 got]}. An error of either is the text of an OSError there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "TORCHADA_HOST_DEVICES": str(RANKS)}
    started = [subprocess.Popen([sys.executable, script, str(rank), str(port)], env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) for rank in range(RANKS)]
    end = time.monotonic() + SECONDS
    try:
        said = [rank.communicate(timeout=max(1, end - time.monotonic()))[0] for rank in started]
    finally:
        for rank in started:
            rank.kill()
    for rank in started:
        if rank.returncode:
            raise RuntimeError(f"a rank ended with status {rank.returncode}")
    both = [json.loads(out.splitlines()[-1]) for out in said]
    return {part: [one[part] for one in both] for part in both[0]}


def got(both, part):
    """What the ranks got, or the first error of one."""
    for rank in both[part]:
        if "error" in rank:
            raise RuntimeError(rank["error"])
    return [rank["got"] for rank in both[part]]


def ranks_main(*parts):
    """In a rank: begins torch.distributed by gloo, which needs no device, and runs each part with its rank."""
    rank, port = map(int, sys.argv[1:])
    import torch
    from torch import distributed
    torch.cuda.set_device(rank)
    distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=RANKS)
    out = {}
    for part in parts:
        try:
            out[part.__name__] = {"got": part(rank)}
        except Exception as error:  # pylint: disable=broad-except
            out[part.__name__] = {"error": f"{type(error).__name__}: {error}"[:1000]}
        distributed.barrier()
    print("\n" + json.dumps(out), flush=True)
    distributed.barrier()
    distributed.destroy_process_group()
