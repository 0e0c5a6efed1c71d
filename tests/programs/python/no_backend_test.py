"""Without MUSA, every library loads and answers as NVIDIA's does without a driver: calls fail,
their outputs stay unchanged, and version and text functions still work."""
import ctypes
import os
import tempfile

import support
from support import (CUBLAS, CUBLASLT, CUDART, CURAND, DRIVER, INSUFFICIENT_DRIVER, NCCL, SUCCESS,
                     open_cudart)

UNTOUCHED = b"\xee" * 2048
NOT_INITIALIZED = 1  # cublasStatus_t
UNHANDLED_CUDA_ERROR = 1  # ncclResult_t


class Dim3(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]


class UniqueId(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * 128)]


class WithoutBackend(support.ProgramTest):

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # Our own variable is binding: no other place on this machine is searched.
        libc = ctypes.CDLL(None)
        libc.setenv(b"TORCHADA_MUSA_PATH", folder.name.encode(), 1)

    def refuses(self, expected, function, *arguments):
        """`arguments` follow an output that must not change."""
        output = ctypes.create_string_buffer(UNTOUCHED, len(UNTOUCHED))
        self.status(expected, function, output, *arguments)
        self.assertEqual(UNTOUCHED, output.raw, "%s: output" % function.__name__)

    def check_lines(self, soname, first):
        """One line says what is missing and names the first call. Another line may name the
        directory."""
        lines = self.said().splitlines()
        about = [line for line in lines if line.startswith("torchada: %s: no MUSA found" % soname)]
        self.assertEqual(1, len(about), "lines 'no MUSA found' in %r" % lines)
        self.assertIn("first call: %s; returning " % first, about[0])
        for line in lines:
            self.assertTrue(line.startswith("torchada: %s: " % soname), line)
        self.assertLessEqual(len(lines), 2, lines)


class Runtime(WithoutBackend):

    def test_calls(self):
        cuda = open_cudart()
        self.refuses(INSUFFICIENT_DRIVER, cuda.cudaGetDeviceCount)
        self.check_lines(CUDART, "cudaGetDeviceCount")
        for name, arguments in [("cudaGetDevice", []), ("cudaMalloc", [4096]),
                                ("cudaStreamCreate", []), ("cudaEventCreate", []),
                                ("cudaDeviceGetAttribute", [75, 0]),
                                ("cudaGetDeviceProperties", [0]),
                                ("cudaHostAlloc", [4096, 0]), ("cudaMemset", [0, 16])]:
            self.refuses(INSUFFICIENT_DRIVER, getattr(cuda, name), *arguments)
        self.status(INSUFFICIENT_DRIVER, cuda.cudaSetDevice, 0)
        self.status(INSUFFICIENT_DRIVER, cuda.cudaFree, None)
        self.status(INSUFFICIENT_DRIVER, cuda.cudaDeviceSynchronize)
        self.status(INSUFFICIENT_DRIVER, cuda.cudaPeekAtLastError)
        self.status(INSUFFICIENT_DRIVER, cuda.cudaGetLastError)

    def test_texts_and_versions(self):
        cuda = open_cudart()
        version = ctypes.c_int(-77)
        # NVIDIA's library of CUDA 11.8 needs a driver even for this call; those of 12 and 13 do
        # not.
        self.status(SUCCESS, cuda.cudaRuntimeGetVersion, ctypes.byref(version))
        self.assertEqual(support.ABI, version.value // 1000)
        self.assertEqual(b"out of memory", cuda.cudaGetErrorString(2))
        self.assertEqual(b"cudaErrorInsufficientDriver", cuda.cudaGetErrorName(35))
        version = ctypes.c_int(-77)
        self.status(SUCCESS, cuda.cudaDriverGetVersion, ctypes.byref(version))
        self.assertEqual(0, version.value, "there is no driver")
        self.said()  # either is fine: a line about the missing driver, or none

    def test_launch(self):
        """"No MUSA" has priority over "no kernel image"."""
        cuda = open_cudart()
        launch = cuda.cudaLaunchKernel
        launch.argtypes = [ctypes.c_void_p, Dim3, Dim3, ctypes.c_void_p, ctypes.c_size_t,
                           ctypes.c_void_p]
        one = Dim3(1, 1, 1)
        self.status(INSUFFICIENT_DRIVER, launch, 0x1000, one, one, None, 0, None)
        self.said()


class Driver(WithoutBackend):
    """By CUDA's documentation: nothing works before cuInit, which finds no device."""

    def test_calls(self):
        cuda = ctypes.CDLL(os.path.join(DRIVER, "libcuda.so.1"))
        self.refuses(3, cuda.cuDeviceGetCount)
        self.status(100, cuda.cuInit, 0)
        self.refuses(3, cuda.cuDeviceGet, 0)
        self.refuses(3, cuda.cuMemAlloc_v2, ctypes.c_size_t(16))
        self.refuses(3, cuda.cuModuleLoadData, b".version 8.0")
        version = ctypes.c_int()
        self.status(0, cuda.cuDriverGetVersion, ctypes.byref(version))
        self.assertGreater(version.value, 13000)
        text = ctypes.c_char_p()
        self.status(0, cuda.cuGetErrorName, 100, ctypes.byref(text))
        self.assertEqual(b"CUDA_ERROR_NO_DEVICE", text.value)
        self.status(0, cuda.cuGetErrorString, 100, ctypes.byref(text))
        self.assertEqual(b"no CUDA-capable device is detected", text.value)
        self.status(1, cuda.cuGetErrorName, 12345, ctypes.byref(text))
        self.assertIsNone(text.value)
        self.check_lines("libcuda.so.1", "cuDeviceGetCount")


class Libraries(WithoutBackend):

    def test_cublas(self):
        cublas = ctypes.CDLL(CUBLAS)
        self.refuses(NOT_INITIALIZED, cublas.cublasCreate_v2)
        self.check_lines(CUBLAS, "cublasCreate_v2")
        cublas.cublasGetStatusString.restype = ctypes.c_char_p
        self.assertEqual(b"the requested functionality is not supported",
                         cublas.cublasGetStatusString(15))

    def test_nccl(self):
        nccl = ctypes.CDLL(NCCL)
        nccl.ncclCommInitRank.argtypes = [ctypes.c_void_p, ctypes.c_int, UniqueId, ctypes.c_int]
        self.refuses(UNHANDLED_CUDA_ERROR, nccl.ncclCommInitRank, 1, UniqueId(), 0)
        self.check_lines(NCCL, "ncclCommInitRank")
        nccl.ncclGetErrorString.restype = ctypes.c_char_p
        self.assertEqual(b"unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
                         nccl.ncclGetErrorString(1))

    def test_curand(self):
        curand = ctypes.CDLL(CURAND)
        self.refuses(203, curand.curandCreateGenerator, 100)  # CURAND_STATUS_INITIALIZATION_FAILED
        self.check_lines(CURAND, "curandCreateGenerator")


class VersionsOfLibraries(WithoutBackend):
    """Clients ask for versions on machines without a device, sometimes at load time."""

    def check(self, function, *arguments, low, high):
        version = ctypes.c_int(-77)
        self.status(SUCCESS, function, *arguments, ctypes.byref(version))
        self.assertTrue(low <= version.value < high,
                        "%s: expected %d to %d, got %d" %
                        (function.__name__, low, high, version.value))

    def test_nccl(self):
        self.check(ctypes.CDLL(NCCL).ncclGetVersion, low=20000, high=30000)

    def test_curand(self):
        self.check(ctypes.CDLL(CURAND).curandGetVersion, low=10000, high=11000)

    def test_cublas(self):
        self.check(ctypes.CDLL(CUBLAS).cublasGetVersion_v2, None, low=support.ABI * 10000,
                   high=(support.ABI + 1) * 10000)

    def test_cublas_property(self):
        self.check(ctypes.CDLL(CUBLAS).cublasGetProperty, 0, low=support.ABI,
                   high=support.ABI + 1)

    def test_cublaslt(self):
        get = ctypes.CDLL(CUBLASLT).cublasLtGetVersion
        get.restype = ctypes.c_size_t
        self.assertTrue(support.ABI * 10000 <= get() < (support.ABI + 1) * 10000,
                        "expected %d0000 or a little more, got %d" % (support.ABI, get()))


if __name__ == "__main__":
    support.main()
