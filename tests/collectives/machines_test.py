#!/usr/bin/env python3
"""Ranks on one machine meet, also from containers that share its network. A rank on another machine is
refused at once, with a line."""
import os
import subprocess
import sys
import time
import unittest

import job

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "python"))
from nccl_wrapper import Nccl  # noqa: E402

SECONDS = 10  # much more than Python takes to start; a wait would have no end
REFUSAL = ("torchada host: mcclCommInitRank: rank 1 is not on the machine of process %d, which created the id: "
           "the CPU stand-in has no collectives between machines; containers must share one network\n")
RANK = """if True:
    import ctypes, sys
    sys.path.insert(0, sys.argv[1])
    from nccl_wrapper import Nccl, UniqueId
    nccl, comm = Nccl(), ctypes.c_void_p()
    unique = UniqueId.from_buffer_copy(bytes.fromhex(sys.argv[2]))
    print(nccl.functions["ncclCommInitRank"](ctypes.byref(comm), 2, unique, 1))"""


class Machines(unittest.TestCase):

    def expect_namespaces(self, *command):
        probe = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
        if probe.returncode != 0:
            self.skipTest("SKIPPED: no namespaces here: " + probe.stderr.strip())

    def expect_refusal(self, *command, **variables):
        folder = os.path.dirname(sys.modules["nccl_wrapper"].__file__)
        began = time.monotonic()
        ended = subprocess.run([*command, sys.executable, "-B", "-c", RANK, folder, bytes(Nccl().unique_id()).hex()],
                               capture_output=True, text=True, timeout=60, check=True, env={**os.environ, **variables})
        self.assertLess(time.monotonic() - began, SECONDS)
        self.assertEqual(("2\n", REFUSAL % os.getpid()), (ended.stdout, ended.stderr))

    def test_another_host(self):
        self.expect_refusal(MCCL_HOSTID="elsewhere")

    def test_another_network(self):
        command = ["unshare", "--map-root-user", "--net"]
        self.expect_namespaces(*command)
        self.expect_refusal(*command)

    def test_containers_of_one_network(self):
        command = ["unshare", "--map-root-user", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child",
                   "--mount-proc"]
        self.expect_namespaces(*command)
        program = os.path.join(job.PROGRAMS, "every_collective")
        job.expect_success(job.Job("", 4, "quick", command=[*command, program]).wait(200), "checks")


if __name__ == "__main__":
    job.enter_environment()
    done = unittest.main(verbosity=2, exit=False).result
    sys.exit(1 if not done.wasSuccessful() else 77 if done.skipped else 0)
