#!/usr/bin/env python3
"""nonblocking_rank.py ID_FILE RANKS RANK WHAT: a rank whose communicator is made without waiting, as ncclConfig_t's
blocking = 0 asks for, where the MCCL has that.

all: rank 0 begins alone, looks around, and only then lets the others come.
abort: rank 0 gives up before the last rank has come."""
import ctypes
import os
import sys
import time

import pynccl_rank
from nccl_config import initialised_config
from nccl_wrapper import INT32, SUM, Nccl, UniqueId

SUCCESS, INVALID_ARGUMENT, INVALID_USAGE, REMOTE_ERROR, IN_PROGRESS = 0, 4, 5, 6, 7
WAITS = os.environ["TORCHADA_MUSA_PATH"].endswith(("3.1", "4.3"))  # MCCL 2.11 has no configuration
SECONDS = 60  # for what never takes long


def await_file(name):
    end = time.monotonic() + SECONDS
    while not os.path.exists(name):
        assert time.monotonic() < end, "no " + name
        time.sleep(0.002)


def touch(name):
    with open(name, "w", encoding="utf-8"):
        pass


class Rank:
    def __init__(self, unique, ranks, rank):
        self.nccl = Nccl()
        self.cuda = ctypes.CDLL("libcudart.so.12")
        self.unique, self.ranks, self.rank = unique, ranks, rank
        self.comm = ctypes.c_void_p()

    def begin(self):
        function = self.nccl.library.ncclCommInitRankConfig
        function.argtypes = [ctypes.c_void_p, ctypes.c_int, UniqueId, ctypes.c_int, ctypes.c_void_p]
        config = initialised_config()
        config.blocking = 0
        return function(ctypes.byref(self.comm), self.ranks, self.unique, self.rank, ctypes.byref(config))

    def state(self):
        error = ctypes.c_int(-1)
        self.nccl.call("ncclCommGetAsyncError", self.comm, ctypes.byref(error))
        return error.value

    def outcome(self, while_it_is=IN_PROGRESS):
        end = time.monotonic() + SECONDS
        while self.state() == while_it_is and time.monotonic() < end:
            time.sleep(0.001)
        return self.state()

    def all_reduce(self):
        """Status of the call, and the result after it."""
        value = ctypes.c_void_p()
        pynccl_rank.check(self.cuda.cudaMalloc(ctypes.byref(value), ctypes.c_size_t(4)))
        number = ctypes.c_int(self.rank + 1)
        pynccl_rank.check(self.cuda.cudaMemcpy(value, ctypes.byref(number), ctypes.c_size_t(4), 1))
        status = self.nccl.functions["ncclAllReduce"](value, value, 1, INT32, SUM, self.comm, None)
        pynccl_rank.check(self.cuda.cudaDeviceSynchronize())
        pynccl_rank.check(self.cuda.cudaMemcpy(ctypes.byref(number), value, ctypes.c_size_t(4), 2))
        return status, number.value


def get_ready(rank, gate):
    """Rank 0 opens the gate when it has seen what an unfinished communicator answers."""
    if rank.rank != 0:
        await_file(gate)
    elif WAITS:
        touch(gate)
    status = rank.begin()
    assert status == (SUCCESS if WAITS else IN_PROGRESS), status
    if rank.rank == 0 and not WAITS:
        time.sleep(0.1)
        assert rank.state() == IN_PROGRESS
        assert rank.all_reduce() == (INVALID_ARGUMENT, 1)
        assert rank.nccl.functions["ncclCommDestroy"](rank.comm) == INVALID_ARGUMENT
        assert rank.state() == IN_PROGRESS
        touch(gate)
    assert rank.outcome() == SUCCESS
    assert rank.all_reduce() == (SUCCESS, rank.ranks * (rank.ranks + 1) // 2)
    assert rank.state() == SUCCESS
    rank.nccl.call("ncclCommDestroy", rank.comm)


def give_up(rank, gate):
    """Rank 1 waits at the same time and is told; the last comes too late."""
    if rank.rank == rank.ranks - 1:
        await_file(gate)
        status = rank.begin()
        assert status == IN_PROGRESS, status
        found = rank.outcome()
        assert found in (REMOTE_ERROR, INVALID_USAGE), found
        rank.nccl.call("ncclCommAbort", rank.comm)
        return
    assert rank.begin() == IN_PROGRESS
    if rank.rank == 0:
        await_file(gate + ".waiting")
        rank.nccl.call("ncclCommAbort", rank.comm)
        return
    time.sleep(0.1)
    assert rank.state() == IN_PROGRESS
    touch(gate + ".waiting")
    found = rank.outcome()
    assert found == REMOTE_ERROR, found
    rank.nccl.call("ncclCommDestroy", rank.comm)
    touch(gate)


def main():
    id_file, ranks, rank, what = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    unique = pynccl_rank.share_id(id_file, rank)
    (get_ready if what == "all" else give_up)(Rank(unique, ranks, rank), id_file + ".gate")
    # Who made the id stays until nobody needs it any more.
    touch("%s.done%d" % (id_file, rank))
    if rank == 0:
        for other in range(ranks):
            await_file("%s.done%d" % (id_file, other))
    print("ok")


if __name__ == "__main__":
    main()
