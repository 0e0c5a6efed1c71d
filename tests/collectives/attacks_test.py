#!/usr/bin/env python3
"""What strangers do to an init who find the sockets of its ranks, but do not know the id. The ranks
must meet in bounded time, with few descriptors and little processor time.

The messages are written here by hand, from src/host/mccl/rendezvous.h."""
import contextlib
import ctypes
import errno
import hashlib
import hmac
import os
import resource
import select
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

import job

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "python"))
from nccl_wrapper import Nccl, UniqueId  # noqa: E402

MAGIC = 0x4d43434c68656c6c
CONTROL = 2  # The purpose of a connection that the process that made the id drops after the reply.
WELCOME, UNKNOWN_ID, NOT_PROVEN = 1, 2, 6
CHALLENGE_BYTES, REPLY_BYTES = 40, 48
SECONDS = 60  # the limit for an init during an attack; speed does not matter
# A rank has about 15 descriptors. A gate keeps 64 connections without a proof, and a rank that made
# the id has two gates.
DESCRIPTORS = 15 + 2 * 64 + 20
# Processor time of an init under attack, without starting Python. An idle loop would use all of the
# time that the attack lasts.
HOLD, PROCESSOR_SECONDS = 3, 1.5


class Id:
    """What an id says."""

    def __init__(self, raw):
        self.raw = raw
        self.server = b"\0torchada-mccl-server-%d" % struct.unpack_from("<Q", raw, 24)[0]
        self.net = socket.inet_ntoa(raw[40:44]), struct.unpack_from("<H", raw, 34)[0]
        self.token, self.secret = raw[56:72], raw[72:128]

    def claim(self, challenge, purpose=CONTROL, secret=None):
        """A message that proves the id to the side that sent the challenge."""
        body = struct.pack("<Q16s32sIiiI", MAGIC, self.token, bytes(32), purpose, 2, 1, 0) + bytes(96)
        return body + self.proof(b"mccl connects", challenge, body, secret)

    def proof(self, role, challenge, body, secret=None):
        return hmac.new(secret or self.secret, role + challenge[8:] + body, hashlib.sha256).digest()


def connect(address):
    found = socket.socket(socket.AF_UNIX if isinstance(address, bytes) else socket.AF_INET)
    found.settimeout(20)
    found.connect(address)
    return found


def read(connection, size):
    """What arrives, up to `size` bytes."""
    got = b""
    with contextlib.suppress(ConnectionResetError):
        while len(got) < size:
            more = connection.recv(size - len(got))
            if not more:
                break
            got += more
    return got


def answer(address, message):
    """What a gate replies to a message that does not depend on the challenge, or to one that does."""
    with connect(address) as connection:
        challenge = read(connection, CHALLENGE_BYTES)
        sent = message(challenge) if callable(message) else message
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(sent)
        return challenge, sent, read(connection, REPLY_BYTES)


class Victim:
    """A process that is one of two ranks, of a user. Rank 0 makes the id."""

    def __init__(self, rank, unique="", user=""):
        self.process = subprocess.Popen([sys.executable, "-B", __file__, "rank", str(rank), unique, str(user)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.id = self.process.stdout.readline().strip()

    def go(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def result(self):
        """(status, seconds of processor time)."""
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        words = self.process.stdout.readline().split() if ready else ["none", "0"]
        return words[0], float(words[1])

    def end(self):
        self.process.kill()
        self.process.communicate()


def become(user):
    """Root's files may be out of reach from now on."""
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE, as in a program that this user has started


def be_rank(rank, unique, user):
    """The program of a victim."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    nccl = Nccl()
    if user:
        nccl.version_code()  # loads MCCL
        become(int(user))
    raw = bytes(nccl.unique_id()) if rank == 0 else bytes.fromhex(unique)
    print(raw.hex(), flush=True)
    sys.stdin.readline()
    before = resource.getrusage(resource.RUSAGE_SELF)
    try:
        comm = nccl.init_rank(2, UniqueId.from_buffer_copy(raw), rank)
        status = "met"
    except RuntimeError as error:
        comm, status = None, str(error).replace(" ", "_")
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, flush=True)
    sys.stdin.readline()
    if comm:
        nccl.call("ncclCommDestroy", comm)


def listeners_of_rank():
    """The names of the local sockets on which ranks listen now."""
    with open("/proc/net/unix") as file:
        lines = file.read().split("\n")
    return {b"\0" + line.split()[7][1:].encode() for line in lines if "@torchada-mccl-rank-" in line}


class Attacks(unittest.TestCase):

    def setUp(self):
        self.held = []
        self.stop = threading.Event()

    def tearDown(self):
        self.stop.set()
        for connection in self.held:
            connection.close()

    def hold(self, address, message=b""):
        with contextlib.suppress(OSError):
            connection = connect(address)
            self.held.append(connection)
            connection.sendall(message)
            return connection
        return None

    def under(self, attack, hold=0.0):
        """Rank 0 waits for rank 1; `attack` gets the id and all addresses. Then rank 1 comes."""
        before = listeners_of_rank()
        first = Victim(0)
        self.addCleanup(first.end)
        unique = Id(bytes.fromhex(first.id))
        first.go()
        end = time.monotonic() + SECONDS
        while not listeners_of_rank() - before:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        addresses = [unique.server, unique.net, *(listeners_of_rank() - before)]
        attack(unique, addresses)
        most, until = 0, time.monotonic() + hold
        while time.monotonic() < until:
            most = max(most, first.descriptors())
            time.sleep(0.05)
        second = Victim(1, first.id)
        self.addCleanup(second.end)
        second.go()
        results = first.result(), second.result()
        most = max(most, first.descriptors())
        self.assertEqual(["met", "met"], [status for status, _ in results])
        self.assertLess(most, DESCRIPTORS)
        self.assertLess(max(seconds for _, seconds in results), PROCESSOR_SECONDS)

    def test_nothing(self):
        self.under(lambda unique, addresses: None)

    def test_byte_held(self):
        self.under(lambda unique, addresses: [self.hold(address, b"x") for address in addresses])

    def test_part_of_a_claim_held(self):
        self.under(lambda unique, addresses: [
            self.hold(address, unique.claim(bytes(40))[:-1]) for address in addresses])

    def test_300_connections(self):
        self.under(lambda unique, addresses: [self.hold(address) for address in addresses * 100], HOLD)

    def test_connections_without_end(self):
        """As fast as possible, so processor time is not limited. Rank 0 must come through all the same."""
        def flood(addresses):
            while not self.stop.is_set():
                with contextlib.suppress(OSError):
                    self.held.append(connect(addresses[len(self.held) % len(addresses)]))
                while len(self.held) > 300:
                    self.held.pop(0).close()
                time.sleep(0.0005)

        self.under(lambda unique, addresses: threading.Thread(target=flood, args=[addresses], daemon=True).start())

    def test_wrong_proofs(self):
        def attack(unique, addresses):
            for _ in range(30):
                for address in addresses[:2]:
                    for secret, verdict in ((bytes(56), NOT_PROVEN), (os.urandom(56), NOT_PROVEN)):
                        reply = answer(address, lambda challenge: unique.claim(challenge, secret=secret))[2]
                        self.assertEqual((MAGIC, verdict, bytes(32)), struct.unpack("<QIxxxx32s", reply))
                    other = Id(os.urandom(128))
                    reply = answer(address, other.claim)[2]
                    self.assertEqual((MAGIC, UNKNOWN_ID, bytes(32)), struct.unpack("<QIxxxx32s", reply))

        self.under(attack)

    def test_changed_claim(self):
        """The proof vouches for every byte."""
        def attack(unique, addresses):
            reply = answer(addresses[0], unique.claim)[2]
            self.assertEqual(WELCOME, struct.unpack_from("<I", reply, 8)[0])
            for place in [*range(24, 168, 9), 167, 168, 199]:
                def changed(challenge, place=place):
                    claim = bytearray(unique.claim(challenge))
                    claim[place] ^= 1
                    return bytes(claim)
                reply = answer(addresses[0], changed)[2]
                self.assertEqual(NOT_PROVEN, struct.unpack_from("<I", reply, 8)[0], place)

        self.under(attack)

    def test_replayed_proof(self):
        def attack(unique, addresses):
            for address in addresses[:2]:
                challenge, sent, reply = answer(address, unique.claim)
                proof = unique.proof(b"mccl accepts", challenge, sent[:168])
                self.assertEqual((MAGIC, WELCOME, proof), struct.unpack("<QIxxxx32s", reply))
                again = answer(address, sent)
                self.assertNotEqual(challenge, again[0])
                self.assertEqual(NOT_PROVEN, struct.unpack_from("<I", again[2], 8)[0])

        self.under(attack)

    def test_random_bytes(self):
        def attack(_, addresses):
            for address in addresses[:2]:
                for size in (1, 199, 200, 201, 100000):
                    answer(address, os.urandom(size)) if size >= 200 else self.hold(address, os.urandom(size))
            for _ in range(3):
                self.hold(addresses[2], os.urandom(100000))

        self.under(attack)

    def test_slow_writer(self):
        """A byte now and then does not keep a connection alive."""
        cut = []

        def write(connection, message):
            began = time.monotonic()
            try:
                for byte in message:
                    connection.sendall(bytes([byte]))
                    time.sleep(0.2)
            except OSError as error:
                self.assertIn(error.errno, (errno.EPIPE, errno.ECONNRESET))
                cut.append(time.monotonic() - began)

        def attack(unique, addresses):
            challenge = bytes(40)
            threads = [threading.Thread(target=write, args=[self.hold(address), unique.claim(challenge)])
                       for address in addresses[:2]]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(SECONDS)

        self.under(attack)
        self.assertEqual(2, len(cut))
        self.assertGreater(min(cut), 4)

    def test_other_user(self):
        """Refused before a word is said."""
        if os.geteuid() != 0:
            self.skipTest("only root can be two other users")
        with socket.socket(socket.AF_UNIX) as probe:
            probe.bind("")
        first = Victim(0, user=65534)
        self.addCleanup(first.end)
        server = Id(bytes.fromhex(first.id)).server
        code = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(bytes.fromhex(sys.argv[1]));"
                "print(len(s.recv(100)))")
        for user, expected in ((65533, "0\n"), (65534, "40\n"), (0, "40\n")):
            got = subprocess.run([sys.executable, "-c", code, server.hex()], user=user, stdout=subprocess.PIPE,
                                 text=True, timeout=SECONDS, check=True).stdout
            self.assertEqual(expected, got, user)

    def test_impostors(self):
        """A rank does not believe who has taken the place of the process that made the id."""
        def silent(connection):
            read(connection, 1)

        def garbage(connection):
            connection.sendall(os.urandom(40))
            read(connection, 200)
            connection.sendall(os.urandom(48))

        def false_welcome(connection):
            connection.sendall(struct.pack("<Q", MAGIC) + os.urandom(32))
            read(connection, 200)
            connection.sendall(struct.pack("<QIxxxx32s", MAGIC, WELCOME, os.urandom(32)) + bytes(1000))

        def hanging_up(connection):
            pass

        statuses = {}

        def meet(behave, name):
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(b"\0torchada-mccl-server-%d" % name)
            listener.listen(100)

            def serve():
                while True:
                    with listener.accept()[0] as connection, contextlib.suppress(OSError):
                        behave(connection)

            threading.Thread(target=serve, daemon=True).start()
            raw = bytearray(bytes(Nccl().unique_id()))
            struct.pack_into("<Q", raw, 24, name)
            try:
                Nccl().init_rank(2, UniqueId.from_buffer_copy(bytes(raw)), 1)
            except RuntimeError as error:
                statuses[behave.__name__] = str(error)

        threads = [threading.Thread(target=meet, args=[behave, int.from_bytes(os.urandom(8), "little")], daemon=True)
                   for behave in (silent, garbage, false_welcome, hanging_up)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS)
        self.assertEqual({"silent", "garbage", "false_welcome", "hanging_up"}, set(statuses))
        for status in statuses.values():
            self.assertRegex(status, r"\(2\)$")


if __name__ == "__main__":
    if sys.argv[1:2] == ["rank"]:
        be_rank(int(sys.argv[2]), sys.argv[3], sys.argv[4])
    else:
        job.enter_environment()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        unittest.main()
