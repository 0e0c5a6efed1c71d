"""Shared by the scripts in this directory. Standard library only: they run with any Python 3.

CMakeLists.txt starts every script in a clean environment; see there. A test fails if anything
unexpected appears on stderr, because a working program must print nothing extra."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

STAGE = os.path.realpath(os.environ["PROGRAMS_STAGE"])
LIB = os.path.join(STAGE, "lib")
DRIVER = os.path.join(LIB, "driver")
OF_RUN = DRIVER + ":" + os.path.join(LIB, "profiler")  # What only `torchada run` offers.
HOST = os.path.join(STAGE, "host", "current")
NATIVE = os.environ["PROGRAMS_NATIVE"]  # directory of the compiled programs
ABI = int(os.environ["PROGRAMS_ABI"])

CUDART = {11: "libcudart.so.11.0", 12: "libcudart.so.12", 13: "libcudart.so.13"}[ABI]
CUBLAS = "libcublas.so.%d" % ABI
CUBLASLT = "libcublasLt.so.%d" % ABI
CURAND = "libcurand.so.10"
NCCL = "libnccl.so.2"

SUCCESS = 0
INVALID_VALUE = 1
OUT_OF_MEMORY = 2
INSUFFICIENT_DRIVER = 35
INVALID_DEVICE = 101
NO_KERNEL_IMAGE = 209
INVALID_RESOURCE_HANDLE = 400
NOT_READY = 600
NOT_SUPPORTED = 801

HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT = range(5)


class TypedLibrary:
    """A library that passes `void *` and `size_t` arguments where ctypes would truncate to int."""

    def __init__(self, name, mode=ctypes.DEFAULT_MODE):
        self.library = ctypes.CDLL(name, mode)

    def __getattr__(self, name):
        return getattr(self.library, name)


def open_cudart():
    library = TypedLibrary(CUDART)
    pointer, size, integer = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    for name, arguments in {
            "cudaMalloc": [pointer, size],
            "cudaFree": [pointer],
            "cudaHostAlloc": [pointer, size, ctypes.c_uint],
            "cudaFreeHost": [pointer],
            "cudaMallocManaged": [pointer, size, ctypes.c_uint],
            "cudaMemset": [pointer, integer, size],
            "cudaMemcpy": [pointer, pointer, size, integer],
            "cudaMemcpy_ptds": [pointer, pointer, size, integer],
            "cudaMemcpyAsync": [pointer, pointer, size, integer, pointer],
            "cudaMemcpyAsync_ptsz": [pointer, pointer, size, integer, pointer],
            "cudaMemsetAsync": [pointer, integer, size, pointer],
            "cudaMemGetInfo": [pointer, pointer],
            "cudaPointerGetAttributes": [pointer, pointer],
            "cudaStreamCreate": [pointer],
            "cudaStreamCreateWithPriority": [pointer, ctypes.c_uint, integer],
            "cudaStreamGetPriority": [pointer, pointer],
            "cudaStreamDestroy": [pointer],
            "cudaStreamSynchronize": [pointer],
            "cudaStreamSynchronize_ptsz": [pointer],
            "cudaStreamQuery": [pointer],
            "cudaStreamQuery_ptsz": [pointer],
            "cudaStreamWaitEvent": [pointer, pointer, ctypes.c_uint],
            "cudaEventCreate": [pointer],
            "cudaEventCreateWithFlags": [pointer, ctypes.c_uint],
            "cudaEventRecord": [pointer, pointer],
            "cudaEventRecord_ptsz": [pointer, pointer],
            "cudaEventQuery": [pointer],
            "cudaEventSynchronize": [pointer],
            "cudaEventElapsedTime": [pointer, pointer, pointer],
            "cudaEventDestroy": [pointer],
    }.items():
        getattr(library, name).argtypes = arguments
    for name in ("cudaGetErrorString", "cudaGetErrorName"):
        getattr(library, name).restype = ctypes.c_char_p
    return library


def pattern(size, seed=1):
    return bytes((i * 7 + seed * 31 + (i >> 8)) & 0xFF for i in range(size))


def run(*command, **environment):
    """Runs a program in this script's environment. A value of None unsets the variable."""
    merged = dict(os.environ)
    for name, value in environment.items():
        merged.pop(name, None)
        if value is not None:
            merged[name] = value
    return subprocess.run(command, env=merged, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, universal_newlines=True, timeout=50)


def run_script(name, *arguments, **environment):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    return run(sys.executable, "-B", path, *arguments, **environment)


def show(result):
    return "exit status %d\nstdout:\n%sstderr:\n%s" % (result.returncode, result.stdout,
                                                       result.stderr)


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        sys.stderr.flush()
        self._stderr = os.dup(2)
        self._said = tempfile.TemporaryFile(mode="w+b")
        os.dup2(self._said.fileno(), 2)
        self.addCleanup(self._check_stderr)

    def said(self):
        """What was written to stderr since the last call."""
        sys.stderr.flush()
        self._said.seek(0)
        text = self._said.read().decode("utf-8")
        self._said.seek(0)
        self._said.truncate()
        return text

    def _check_stderr(self):
        text = self.said()
        os.dup2(self._stderr, 2)
        os.close(self._stderr)
        self._said.close()
        self.assertEqual("", text, "nothing is expected on stderr")

    def status(self, expected, function, *arguments):
        """Calls the function and compares the status."""
        got = function(*arguments)
        self.assertEqual(expected, got, "%s: expected status %d, got %d" %
                         (function.__name__, expected, got))

    def works_or_is_refused(self, soname, function, *arguments):
        """True if the call worked. An unsupported row must print one line and return 801."""
        self.assertEqual("", self.said())
        status = function(*arguments)
        text = self.said()
        if status != NOT_SUPPORTED:
            self.assertEqual((SUCCESS, ""), (status, text), function.__name__)
            return True
        self.assertRegex(
            text, r"\Atorchada: %s: %s is not supported: .+; returning cudaErrorNotSupported "
            r"\(801\)\n\Z" % (re.escape(soname), re.escape(function.__name__)))
        print("%s: still refused, as it says: %s" % (soname, function.__name__))
        return False


class DeviceTest(ProgramTest):
    """A test with a runtime, a selected device and a clear last error."""

    def setUp(self):
        super().setUp()
        self.cuda = open_cudart()
        self.status(SUCCESS, self.cuda.cudaSetDevice, 0)
        self.cuda.cudaGetLastError()

    def allocate(self, size):
        memory = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaMalloc, ctypes.byref(memory), size)
        self.assertTrue(memory.value, "cudaMalloc: expected an address, got NULL")
        self.addCleanup(self.cuda.cudaFree, memory)
        return memory

    def upload(self, memory, data):
        self.status(SUCCESS, self.cuda.cudaMemcpy, memory, ctypes.c_char_p(data), len(data),
                    HOST_TO_DEVICE)

    def download(self, memory, size):
        buffer = ctypes.create_string_buffer(size)
        self.status(SUCCESS, self.cuda.cudaMemcpy, buffer, memory, size, DEVICE_TO_HOST)
        return buffer.raw

    def make_stream(self):
        stream = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaStreamCreate, ctypes.byref(stream))
        self.addCleanup(self.cuda.cudaStreamDestroy, stream)
        return stream


def main():
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
