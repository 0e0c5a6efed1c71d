#!/usr/bin/env python3
"""How programs use NCCL: alone, in two processes with the id sent over a pipe, with a config."""
import ctypes
import subprocess
import sys
import unittest

import job
import pynccl_rank
from nccl_config import initialised_config
from nccl_wrapper import FLOAT32, INT32, SUM, Nccl, UniqueId


class Scenarios(unittest.TestCase):

    def test_alone(self):
        nccl = Nccl()
        guarded = ctypes.create_string_buffer(b"\xee" * 160, 160)
        nccl.call("ncclGetUniqueId", UniqueId.from_buffer(guarded))
        self.assertEqual(b"\xee" * 32, guarded.raw[128:])
        communicator = pynccl_rank.Communicator(UniqueId.from_buffer_copy(guarded.raw[:128]), 1, 0)
        pynccl_rank.exercise(communicator)
        for name, expected in (("ncclCommCount", 1), ("ncclCommUserRank", 0)):
            value = ctypes.c_int(-1)
            nccl.call(name, communicator.comm, ctypes.byref(value))
            self.assertEqual(expected, value.value)
        nccl.call("ncclCommDestroy", communicator.comm)

    def test_two_processes(self):
        other = subprocess.Popen([sys.executable, "-B", __file__, "second"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        unique = Nccl().unique_id()
        other.stdin.write(bytes(unique))
        other.stdin.flush()
        communicator = pynccl_rank.Communicator(unique, 2, 0)
        talk(communicator)
        self.assertEqual(b"talked\n", other.stdout.readline())
        # One side gives up while it waits.
        communicator.nccl.call(
            "ncclRecv", communicator.allocate(4), 1, INT32, 1, communicator.comm, communicator.stream)
        communicator.nccl.call("ncclCommAbort", communicator.comm)
        pynccl_rank.check(communicator.cuda.cudaStreamSynchronize(communicator.stream))
        out, _ = other.communicate(timeout=60)
        self.assertEqual((0, b"remote error\n"), (other.returncode, out))

    def test_config(self):
        nccl = Nccl()
        function = nccl.library.ncclCommInitRankConfig
        function.argtypes = [ctypes.c_void_p, ctypes.c_int, UniqueId, ctypes.c_int, ctypes.c_void_p]
        config, comm = initialised_config(), ctypes.c_void_p()
        self.assertEqual(0, function(ctypes.byref(comm), 1, nccl.unique_id(), 0, ctypes.byref(config)))
        nccl.call("ncclCommDestroy", comm)
        config.magic = 0
        self.assertEqual(4, function(ctypes.byref(comm), 1, nccl.unique_id(), 0, ctypes.byref(config)))


def talk(communicator):
    sent = communicator.array("f", [communicator.rank + 0.25] * 100)
    received = communicator.allocate(400)
    other = 1 - communicator.rank
    communicator.nccl.call("ncclGroupStart")
    communicator.nccl.call("ncclSend", sent, 100, FLOAT32, other, communicator.comm, communicator.stream)
    communicator.nccl.call("ncclRecv", received, 100, FLOAT32, other, communicator.comm, communicator.stream)
    communicator.nccl.call("ncclGroupEnd")
    communicator.synchronize()
    assert communicator.read(received, "f", 100) == [other + 0.25] * 100


def second():
    communicator = pynccl_rank.Communicator(UniqueId.from_buffer_copy(sys.stdin.buffer.read(128)), 2, 1)
    talk(communicator)
    print("talked", flush=True)
    # Waits for the other process, which has given up.
    value = communicator.allocate(4)
    try:
        communicator.all_reduce(value, value, 1, FLOAT32, SUM)
        pynccl_rank.check(communicator.cuda.cudaStreamSynchronize(communicator.stream))
        error = ctypes.c_int(-1)
        communicator.nccl.call("ncclCommGetAsyncError", communicator.comm, ctypes.byref(error))
        assert error.value == 6, error.value
    except RuntimeError as error:  # the call itself came too late
        assert "(6)" in str(error), error
    communicator.nccl.call("ncclCommAbort", communicator.comm)
    print("remote error")


if __name__ == "__main__":
    if sys.argv[1:] == ["second"]:
        second()
    else:
        job.enter_environment()
        unittest.main()
