"""Shared by the scripts in this folder: starting fixtures and reading what they report."""
import os
import subprocess
import sys
import tempfile
import unittest

STAGE = os.path.realpath(os.environ["LOADER_STAGE"])
LIB = os.path.join(STAGE, "lib")
DRIVER = os.path.join(LIB, "driver")
OF_RUN = DRIVER + ":" + os.path.join(LIB, "profiler")  # What only `torchada run` offers.
HOST = os.path.join(STAGE, "host", "current")
TORCHADA = os.path.join(STAGE, "bin", "torchada")
AUDIT = os.path.join(STAGE, "libexec", "torchada_audit.so")
FIXTURES = os.path.realpath(os.environ["LOADER_FIXTURES"])
NVIDIA = os.path.join(FIXTURES, "site-packages", "nvidia", "cuda_runtime", "lib")
TORCH = os.path.join(FIXTURES, "site-packages", "torch", "lib", "loader_torch.so")
DECOY = os.path.join(NVIDIA, "libcudart.so.12")
TOOLKIT = os.path.join(FIXTURES, "toolkit")  # NVIDIA's libraries of every major.
BUNDLED = os.path.join(FIXTURES, "bundled", "libcudart-abcd1234.so.12")

CUDART = {11: "libcudart.so.11.0", 12: "libcudart.so.12", 13: "libcudart.so.13"}


def fixture(name):
    return os.path.join(FIXTURES, name)


def ours(name):
    return os.path.join(LIB, name)


class Result:
    """How a program ended, and what it reported: lines of a word and its value."""

    def __init__(self, command, ended):
        self.command = command
        self.status = ended.returncode
        self.stdout = ended.stdout
        self.stderr = ended.stderr

    def all(self, word):
        lines = [line.split(" ", 1) for line in self.stdout.splitlines()]
        return [line[1] for line in lines if line[0] == word and len(line) == 2]

    def first(self, word):
        return (self.all(word) or ["nothing"])[0]

    def __str__(self):
        return "\n%s\nstatus %d\nstdout:\n%s\nstderr:\n%s" % (
            " ".join(self.command), self.status, self.stdout, self.stderr)


def start(*command, **environment):
    """Runs a program with the stand-in as MUSA; a value of None unsets a variable."""
    merged = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TORCHADA_MUSA_PATH": HOST}
    merged.update(environment)
    merged = {name: value for name, value in merged.items() if value is not None}
    return Result(command, subprocess.run(
        command, env=merged, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, universal_newlines=True, timeout=50))


def torchada_run(*words, **environment):
    """`torchada run --backend=host WORDS`, where WORDS are flags, two dashes and a program."""
    return start(TORCHADA, "run", "--backend=host", *words,
                 **dict({"TORCHADA_MUSA_PATH": None}, **environment))


class LoaderTest(unittest.TestCase):

    def check(self, expected, got, result):
        self.assertEqual(expected, got, str(result))

    def bound_to(self, path, result, quiet=True):
        """The client uses the file, which works, and prints nothing on stderr."""
        self.check((0, path, "yes"),
                   (result.status, result.first("bound"), result.first("works").split(" ")[0]),
                   result)
        if quiet:
            self.check("", result.stderr, result)

    def make_folder(self):
        folder = tempfile.TemporaryDirectory(prefix="torchada-loader-")
        self.addCleanup(folder.cleanup)
        return folder.name


def main():
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
