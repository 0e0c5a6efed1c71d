"""Shared by the scripts in this folder. Uses only the standard library.

CMakeLists.txt starts every script with its own environment, see there.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

STAGE = os.path.realpath(os.environ["STRICT_STAGE"])
LIB = os.path.join(STAGE, "lib")
COMPANION = os.path.join(STAGE, "libexec", "torchada_companion.so")
TORCHADA = os.path.join(STAGE, "bin", "torchada")
CALLS = os.path.join(os.environ["STRICT_NATIVE"], "calls")
CALLS_WITHOUT_LINES = CALLS + "_without_lines"
SOURCE = os.environ["STRICT_SOURCE"]

FUNCTIONS = {"cudart": "cudaEGLStreamConsumerDisconnect", "cublas": "cublasXtSspmm",
             "nccl": "ncclCommRevoke"}
SONAMES = {"cudart": "libcudart.so.12", "cublas": "libcublas.so.12", "nccl": "libnccl.so.2"}


class CallsTest(unittest.TestCase):
    maxDiff = None

    def folder(self):
        folder = tempfile.mkdtemp(prefix="torchada-strict-")
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def start(self, *command, status=0, cwd=None, **environment):
        """Runs a program, or CALLS if the first word is not a path; a value of None unsets a
        variable."""
        if "/" not in command[0]:
            command = (CALLS,) + command
        merged = {name: value for name, value in {**os.environ, **environment}.items()
                  if value is not None}
        ended = subprocess.run(command, env=merged, capture_output=True, text=True, timeout=60,
                               cwd=cwd, check=False)
        self.assertEqual(status, ended.returncode, ended.stdout[-2000:] + ended.stderr[-8000:])
        return ended

    def lib_without_companion(self):
        """The libraries in an installation that lacks everything else."""
        lib = os.path.join(self.folder(), "lib")
        os.mkdir(lib)
        for soname in [*SONAMES.values(), "libcublasLt.so.12"]:
            shutil.copy(os.path.join(LIB, soname), lib)
        return lib


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    program = unittest.main(exit=False)
    sys.exit(0 if program.result.wasSuccessful() else 1)
