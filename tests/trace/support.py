"""Shared by the scripts in this folder. Uses only the standard library.

CMakeLists.txt starts every script with its own environment, see there.
"""
import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

STAGE = os.path.realpath(os.environ["TRACE_STAGE"])
NATIVE = os.environ["TRACE_NATIVE"]
CLIENT = os.path.join(NATIVE, "client")
HOOKED = os.path.join(NATIVE, "hooked")
TORCHADA = os.path.join(STAGE, "bin", "torchada")
DRIVER = os.environ["TRACE_DRIVER"]  # The folder of the driver's library.


class Ended:
    def __init__(self, process):
        self.status, self.stdout, self.stderr = (process.returncode, process.stdout,
                                                 process.stderr)

    def __str__(self):
        return "status %s\nstdout:\n%s\nstderr:\n%s" % (self.status, self.stdout[:3000],
                                                        self.stderr[:6000])


def start(*command, **environment):
    """Runs a program that finds our libraries; a value of None unsets a variable."""
    merged = {**os.environ, **environment}
    return Ended(subprocess.run(command, capture_output=True, text=True, timeout=100, check=False,
                                errors="backslashreplace", stdin=subprocess.DEVNULL,
                                env={key: value for key, value in merged.items()
                                     if value is not None}))


class TraceTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="trace.")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def client(self, trace, *words, status=0, program=CLIENT, **environment):
        ended = start(program, *words, TORCHADA_TRACE=trace, **environment)
        self.assertEqual(status, ended.status, str(ended))
        return ended

    def records(self, *words, status=0, names="", program=CLIENT, extra="", **environment):
        """Runs the client; returns the records of its trace, for all processes in one list."""
        self.client("json%s:%s" % (extra, self.path("t.%p.json")), *words, status=status,
                    program=program, TORCHADA_TRACE_FILTER=names, **environment)
        return self.read(self.path("t.*.json"))

    def read(self, pattern):
        out = []
        for file in sorted(glob.glob(pattern)):
            with open(file) as lines:
                out += [json.loads(line) for line in lines]
        return out

    @staticmethod
    def text(path):
        with open(path) as file:
            return file.read()

    def load(self, path):
        return json.loads(self.text(path))

    @staticmethod
    def calls(records, function=None):
        return [each for each in records
                if each["event"] == "call" and function in (None, each["function"])]

    @staticmethod
    def number_of(record):
        """The error for which cudaGetErrorString was called."""
        error = record["arguments"]["error"]
        return error if isinstance(error, int) else {
            "cudaErrorInvalidValue": 1, "cudaErrorMemoryAllocation": 2,
            "cudaErrorInitializationError": 3}.get(error, error)
