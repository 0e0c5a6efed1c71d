#!/usr/bin/env python3
"""Who finds the socket of a process that made an id, but does not know the id, stops nobody. The
messages are written here by hand, from src/host/mccl/rendezvous.h."""
import ctypes
import os
import select
import socket
import struct
import subprocess
import sys
import time
import unittest

import job

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "python"))
from nccl_wrapper import Nccl, UniqueId  # noqa: E402

MAGIC, UNKNOWN_ID = 0x4d43434c68656c6d, 2
CLAIM_BYTES, ANSWER_BYTES = 32, 16
SECONDS = 60  # the limit for an init; speed does not matter
SYSTEM_ERROR = 2
ONLY_ROOT = unittest.skipIf(os.geteuid() != 0, "only root can be two other users")


def name_of(unique):
    return b"\0torchada-mccl-server-%d" % struct.unpack_from("<Q", bytes(unique), 24)[0]


def claim(token, ranks, rank):
    return struct.pack("<Q16sii", MAGIC, token, ranks, rank)


def connect(name):
    found = socket.socket(socket.AF_UNIX)
    found.settimeout(SECONDS)
    found.connect(name)
    return found


def become(user):
    """Root's files may be out of reach from now on."""
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE, as in a program that this user has started


def be_rank(rank, user, unique=""):
    """A process that is one of two ranks. Rank 0 makes the id."""
    nccl = Nccl()
    nccl.version_code()  # loads MCCL
    if user:
        become(user)
    raw = bytes(nccl.unique_id()) if rank == 0 else bytes.fromhex(unique)
    print(raw.hex(), flush=True)
    sys.stdin.readline()
    comm = ctypes.c_void_p()
    print(nccl.functions["ncclCommInitRank"](ctypes.byref(comm), 2, UniqueId.from_buffer_copy(raw), rank), flush=True)
    sys.stdin.readline()


class Strangers(unittest.TestCase):

    def rank(self, rank, user=0, unique=""):
        process = subprocess.Popen([sys.executable, "-B", __file__, "rank", str(rank), str(user), unique],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process, process.stdout.readline().strip()

    def status(self, process):
        ready, _, _ = select.select([process.stdout], [], [], SECONDS)
        self.assertTrue(ready, "a rank hangs")
        return int(process.stdout.readline())

    def go(self, process):
        process.stdin.write("go\n")
        process.stdin.flush()

    def test_whatever_they_send(self):
        first, unique = self.rank(0)
        raw = bytes.fromhex(unique)
        self.go(first)
        held = []
        for message in (b"", b"x", claim(raw[32:48], 2, 1)[:-1], os.urandom(CLAIM_BYTES), os.urandom(100000),
                        claim(os.urandom(16), 2, 1)):
            for _ in range(20):
                held.append(connect(name_of(raw)))
                try:
                    held[-1].sendall(message)
                except (BrokenPipeError, ConnectionResetError):
                    pass
        self.assertEqual(struct.pack("<QIxxxx", MAGIC, UNKNOWN_ID), held[-1].recv(ANSWER_BYTES))
        self.assertEqual(b"", held[-1].recv(1))
        second, _ = self.rank(1, unique=unique)
        self.go(second)
        self.assertEqual([0, 0], [self.status(first), self.status(second)])
        for connection in held:
            connection.close()

    def test_they_cost_no_time(self):
        """The process that made the id sleeps, however many connections it has."""
        first, unique = self.rank(0)
        held = [connect(name_of(bytes.fromhex(unique))) for _ in range(100)]
        time.sleep(0.2)
        with open("/proc/%d/stat" % first.pid, encoding="utf-8") as file:
            before = sum(map(int, file.read().rpartition(")")[2].split()[11:13]))
        time.sleep(2)
        with open("/proc/%d/stat" % first.pid, encoding="utf-8") as file:
            after = sum(map(int, file.read().rpartition(")")[2].split()[11:13]))
        self.assertLess(after - before, os.sysconf("SC_CLK_TCK"))
        for connection in held:
            connection.close()

    @ONLY_ROOT
    def test_another_user_is_refused(self):
        code = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(bytes.fromhex(sys.argv[1]));"
                "s.settimeout(1); print(s.recv(100))")
        for owner, others in ((65534, ((65533, True), (65534, False), (0, False))), (0, ((65533, True), (0, False)))):
            _, unique = self.rank(0, user=owner)
            for user, is_refused in others:
                ended = subprocess.run([sys.executable, "-c", code, name_of(bytes.fromhex(unique)).hex()], user=user,
                                       capture_output=True, text=True, timeout=SECONDS, check=False)
                # Closed at once, or silent.
                self.assertEqual(is_refused, ended.stdout == "b''\n", (owner, user, ended))

    @ONLY_ROOT
    def test_an_impostor_of_another_user(self):
        """It has taken the place of the process that made the id."""
        name = int.from_bytes(os.urandom(8), "little")
        code = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(bytes.fromhex(sys.argv[1]));"
                "s.listen(); print(flush=True); held = s.accept(); sys.stdin.read()")
        raw = bytearray(bytes(Nccl().unique_id()))
        struct.pack_into("<Q", raw, 24, name)
        with subprocess.Popen([sys.executable, "-c", code, name_of(raw).hex()], user=65533, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as impostor:
            impostor.stdout.readline()
            process, _ = self.rank(1, user=65534, unique=raw.hex())
            self.go(process)
            self.assertEqual(SYSTEM_ERROR, self.status(process))
            impostor.kill()


if __name__ == "__main__":
    if sys.argv[1:2] == ["rank"]:
        be_rank(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        job.enter_environment()
        unittest.main(verbosity=2)
