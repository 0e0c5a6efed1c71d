#!/usr/bin/env python3
"""Invalid ids, used ids, ids of ended processes, and ranks that do not fit: all give errors, none
hangs."""
import ctypes
import os
import subprocess
import sys
import threading
import time
import unittest

import job

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "python"))
from nccl_wrapper import Nccl, UniqueId  # noqa: E402

SYSTEM_ERROR, INVALID_ARGUMENT, INVALID_USAGE = 2, 4, 5
SECONDS = 10  # the limit for every answer; speed does not matter


class Ids(unittest.TestCase):

    def setUp(self):
        self.nccl = Nccl()
        self.comms = []

    def tearDown(self):
        for comm in self.comms:
            self.nccl.call("ncclCommDestroy", comm)

    def init(self, ranks, unique, rank):
        """The status of the call. The communicator is destroyed at the end of the test."""
        comm = ctypes.c_void_p()
        status = self.nccl.functions["ncclCommInitRank"](ctypes.byref(comm), ranks, unique, rank)
        self.assertEqual(status == 0, comm.value is not None)
        if status == 0:
            self.comms.append(comm)
        return status

    def at_once(self, calls):
        """The answers of several calls, each from its own thread, in order of arrival."""
        answers, threads = [], []
        for call in calls:
            threads.append(
                threading.Thread(target=lambda call=call: answers.append((self.init(*call), call)), daemon=True))
            threads[-1].start()
        end = time.monotonic() + SECONDS
        while any(thread.is_alive() for thread in threads) and time.monotonic() < end:
            time.sleep(0.005)
        return sorted(answers, key=lambda answer: answer[1][2])

    def statuses(self, *calls):
        answers = self.at_once(calls)
        self.assertEqual(len(calls), len(answers), "a call hangs")
        return sorted(status for status, _ in answers)

    def test_none(self):
        for contents in (bytes(128), b"\xff" * 128, os.urandom(128), b"localhost:1234" + bytes(114)):
            self.assertEqual([INVALID_ARGUMENT], self.statuses((2, UniqueId.from_buffer_copy(contents), 0)))

    def test_foreign(self):
        """An id that this library could have made but did not. Every byte must count."""
        unique = bytes(self.nccl.unique_id())
        for place in (32, 47):  # the first and last byte of the meeting's name
            changed = bytearray(unique)
            changed[place] ^= 1
            self.assertEqual([INVALID_USAGE], self.statuses((1, UniqueId.from_buffer_copy(bytes(changed)), 0)))
        changed = bytearray(unique)
        changed[24] ^= 1  # the name of the waiting process
        self.assertEqual([SYSTEM_ERROR], self.statuses((1, UniqueId.from_buffer_copy(bytes(changed)), 0)))
        self.assertEqual([0], self.statuses((1, UniqueId.from_buffer_copy(unique), 0)))

    def test_stale(self):
        code = "import nccl_wrapper, sys; sys.stdout.buffer.write(bytes(nccl_wrapper.Nccl().unique_id()))"
        made = subprocess.run([sys.executable, "-B", "-c", code], check=True, stdout=subprocess.PIPE,
                              cwd=os.path.dirname(sys.modules["nccl_wrapper"].__file__)).stdout
        unique = UniqueId.from_buffer_copy(made)
        self.assertEqual([SYSTEM_ERROR] * 2, self.statuses((2, unique, 0), (2, unique, 1)))

    def test_twice(self):
        unique = self.nccl.unique_id()
        self.assertEqual([0, 0], self.statuses((2, unique, 0), (2, unique, 1)))
        self.assertEqual([INVALID_USAGE], self.statuses((2, unique, 0)))
        self.assertEqual([INVALID_USAGE] * 2, self.statuses((2, unique, 0), (2, unique, 1)))

    def test_rank_that_is_none(self):
        unique = self.nccl.unique_id()
        for ranks, rank in ((2, 2), (2, -1), (0, 0), (-1, 0), (1, 1)):
            self.assertEqual([INVALID_ARGUMENT], self.statuses((ranks, unique, rank)), (ranks, rank))
        self.assertEqual([0], self.statuses((1, unique, 0)))

    def test_rank_that_comes_twice(self):
        """Another rank is missing then, and nobody waits for it."""
        unique = self.nccl.unique_id()
        self.assertEqual([INVALID_USAGE] * 3, self.statuses((3, unique, 0), (3, unique, 1), (3, unique, 1)))

    def test_other_number_of_ranks(self):
        unique = self.nccl.unique_id()
        self.assertEqual([INVALID_USAGE] * 3, self.statuses((3, unique, 0), (3, unique, 1), (4, unique, 2)))
        self.assertEqual([INVALID_USAGE], self.statuses((3, unique, 2)))

    def poor(self, free, unique=None):
        """A process of rank 2 that has so many free descriptors. Without an id, it makes one. Returns what it
        prints first, too."""
        code = """if True:
            import ctypes, os, resource, sys
            sys.path.insert(0, sys.argv[1])
            from nccl_wrapper import Nccl, UniqueId
            nccl = Nccl()
            comm = ctypes.c_void_p()
            # Everything is open that a communicator needs besides its own connections.
            assert nccl.functions["ncclCommInitRank"](ctypes.byref(comm), 1, nccl.unique_id(), 0) == 0
            unique = UniqueId.from_buffer_copy(bytes.fromhex(sys.argv[2])) if sys.argv[2] else nccl.unique_id()
            free = os.open("/dev/null", os.O_RDONLY)
            os.close(free)
            resource.setrlimit(resource.RLIMIT_NOFILE, (free + int(sys.argv[3]),) * 2)
            print(bytes(unique).hex(), flush=True)
            sys.exit(nccl.functions["ncclCommInitRank"](ctypes.byref(comm), 3, unique, 2))"""
        folder = os.path.dirname(sys.modules["nccl_wrapper"].__file__)
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", code, folder, bytes(unique).hex() if unique else "", str(free)],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        return process, process.stdout.readline().strip()

    def test_rank_without_descriptors(self):
        """Wherever a rank runs out of them, all get an error."""
        for free in (1, 2, 3):
            unique = self.nccl.unique_id()
            process, _ = self.poor(free, unique)
            answers = self.statuses((3, unique, 0), (3, unique, 1))
            self.assertNotIn(0, [*answers, process.wait(SECONDS)], free)

    def test_id_of_a_process_without_descriptors(self):
        for free in (2, 3, 4, 5):
            process, made = self.poor(free)
            unique = UniqueId.from_buffer_copy(bytes.fromhex(made))
            answers = self.statuses((3, unique, 0), (3, unique, 1))
            self.assertNotIn(0, [*answers, process.wait(SECONDS)], free)


if __name__ == "__main__":
    job.enter_environment()
    unittest.main()
