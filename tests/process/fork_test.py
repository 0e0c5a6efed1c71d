"""A child of fork() may use CUDA unless its parent initialised something.

Each first call is made in a process of its own, which then forks. Calls that initialise nothing are made many in one
process, and one by one only if that process or its child fails."""
import ctypes
import os
import re
import signal
import subprocess
import tempfile
import unittest

import support

# Routes are logged, so a test sees whether a call was led to MUSA.
os.environ["TORCHADA_LOG"] = "debug"
os.environ["TORCHADA_HOST_DEVICES"] = "2"

ROOM = ctypes.create_string_buffer(4096)
ZEROS = (ctypes.c_void_p(None),) * 12
REFUSED = 3  # cudaErrorInitializationError, CUDA_ERROR_NOT_INITIALIZED
FAILED, CRASHED = 77, 78  # Exit codes here.

SONAMES = {
    "cudart": {11: "libcudart.so.11.0", 12: "libcudart.so.12", 13: "libcudart.so.13"},
    "cublas": {11: "libcublas.so.11", 12: "libcublas.so.12", 13: "libcublas.so.13"},
    "cublasLt": {11: "libcublasLt.so.11", 12: "libcublasLt.so.12", 13: "libcublasLt.so.13"},
    "cufft": {11: "libcufft.so.10", 12: "libcufft.so.11", 13: "libcufft.so.12"},
    "curand": dict.fromkeys((11, 12, 13), "libcurand.so.10"),
    "nccl": dict.fromkeys((11, 12, 13), "libnccl.so.2"),
    "nvrtc": {11: "libnvrtc.so.11.2", 12: "libnvrtc.so.12", 13: "libnvrtc.so.13"},
    "cuda": dict.fromkeys((11, 12, 13), "driver/libcuda.so.1"),
    "nvml": dict.fromkeys((11, 12, 13), "nvml/libnvidia-ml.so.1"),
}
# Of these libraries every function is a first call, with null for each argument. cuInit alone initialises the driver;
# before it, the others answer CUDA_ERROR_NOT_INITIALIZED. NVML asks the driver for a compute capability alone, and
# NVRTC for architectures, and both refuse null before.
EVERY_FUNCTION = {"cuda": {"cuInit"}, "nvml": set(), "nvrtc": set()}
# Of the others these are, with arguments that they take. What is not here initialises the runtime, or asks for what
# an initialising call made.
ROOM_FIRST, ROOM_SECOND = (ROOM,), (0, ROOM)
TELLING = {
    "cudart": {"cudaDriverGetVersion": ROOM_FIRST, "cudaRuntimeGetVersion": ROOM_FIRST, "cudaGetLastError": (),
               "cudaPeekAtLastError": (), "cudaGetErrorName": (3,), "cudaGetErrorString": (3,),
               "cudaGetDriverEntryPoint": (b"cuInit", ROOM, 0, None)},
    "cublas": {"cublasGetProperty": ROOM_SECOND, "cublasGetCudartVersion": (), "cublasGetStatusName": (1,),
               "cublasGetStatusString": (1,), "cublasLoggerConfigure": (0, 0, 0, None),
               "cublasGetLoggerCallback": ROOM_FIRST, "cublasSetLoggerCallback": (None,)},
    "cublasLt": {"cublasLtGetVersion": (), "cublasLtGetCudartVersion": (), "cublasLtGetProperty": ROOM_SECOND,
                 "cublasLtGetStatusName": (1,), "cublasLtGetStatusString": (1,), "cublasLtLoggerSetLevel": (0,),
                 "cublasLtLoggerSetMask": (0,), "cublasLtMatrixLayoutCreate": (ROOM, 0, 4, 4, 4),
                 "cublasLtMatmulDescCreate": (ROOM, 68, 0), "cublasLtMatmulPreferenceCreate": ROOM_FIRST},
    "curand": {"curandGetVersion": ROOM_FIRST, "curandGetProperty": ROOM_SECOND},
    "cufft": {"cufftGetVersion": ROOM_FIRST, "cufftGetProperty": ROOM_SECOND},
    "nccl": {"ncclGetVersion": ROOM_FIRST, "ncclGetErrorString": (1,), "ncclGetLastError": (None,)},
}
INITIALISING = (
    ("cuda", "cuInit", (0,)),
    ("cudart", "cudaGetDeviceCount", ROOM_FIRST),
    ("cudart", "cudaSetDevice", (0,)),
    ("cudart", "cudaFree", (None,)),
    ("cudart", "cudaMalloc", (ROOM, ctypes.c_size_t(64))),
    ("cublas", "cublasCreate_v2", ROOM_FIRST),
    ("cublasLt", "cublasLtCreate", ROOM_FIRST),
    ("curand", "curandCreateGenerator", (ROOM, 100)),
    ("cufft", "cufftPlan1d", (ROOM, 16, 0x29, 1)),
    ("nccl", "ncclGetUniqueId", ROOM_FIRST),
)
KERNEL = b'extern "C" __global__ void answer(int* to) { *to = 42; }'


def path_of(library, abi=12):
    return os.path.join(support.LIB, SONAMES[library][abi])


def opened(library, abi=12):
    return ctypes.CDLL(path_of(library, abi))


def call(library, name, *arguments, abi=12):
    return getattr(opened(library, abi), name)(*arguments)


def allocates(abi=12):
    """0, or what the first call that failed was answered."""
    memory = ctypes.c_void_p()
    size = ctypes.c_size_t(64)
    return (call("cuda", "cuInit", 0) or call("cudart", "cudaMalloc", ctypes.byref(memory), size, abi=abi)
            or call("cudart", "cudaMemset", memory, 1, size, abi=abi))


def in_child(work):
    """What `work` returns in a child of this process, which has thirty seconds."""
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        answer = FAILED
        try:
            answer = work()
        finally:
            os._exit(answer)
    status = os.waitpid(child, 0)[1]
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else CRASHED


def quietly(work):
    """`work`, with what it writes to stderr thrown away."""
    def quiet():
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        return work()
    return quiet


def routes(work):
    """What `work` returns, and the functions of MUSA that calls in it were led to."""
    with tempfile.TemporaryFile() as log:
        before = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            answer = work()
        finally:
            os.dup2(before, 2)
        log.seek(0)
        return answer, re.findall(r" -> (mu\w+|mccl\w+) in ", log.read().decode())


def exports(path):
    listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return sorted({line.split()[-1].split("@")[0] for line in listed.splitlines() if line.split()[-2] == "T"})


def child_after(first_calls, abi):
    """What a child can do whose parent made these calls, each a triple of library, name and arguments."""
    def parent():
        for library, name, arguments in first_calls:
            call(library, name, *arguments, abi=abi)
        return in_child(lambda: allocates(abi))
    return in_child(quietly(parent))


def spoiling(first_calls, abi):
    """Those after which a child cannot use CUDA."""
    if child_after(first_calls, abi) == 0:
        return []
    if len(first_calls) == 1:
        return [first_calls[0][1]]
    half = len(first_calls) // 2
    return spoiling(first_calls[:half], abi) + spoiling(first_calls[half:], abi)


class FirstCalls(unittest.TestCase):

    def test_every_function_of_libraries_that_initialise_little(self):
        for library, initialising in EVERY_FUNCTION.items():
            for abi in (11, 12, 13) if library == "nvrtc" else (12,):
                names = exports(path_of(library, abi))
                self.assertGreater(len(names), 10, library)
                calls = [(library, name, ZEROS) for name in names if name not in initialising]
                wrong = [name for start in range(0, len(calls), 64)
                         for name in spoiling(calls[start:start + 64], abi)]
                self.assertEqual([], wrong, f"{library} {abi}")

    def test_functions_that_tell(self):
        for abi in (11, 12, 13):
            calls = [(library, name, arguments) for library, functions in TELLING.items()
                     for name, arguments in functions.items() if hasattr(opened(library, abi), name)]
            self.assertGreater(len(calls), 30)
            self.assertEqual([], spoiling(calls, abi), f"CUDA {abi}")

    def test_functions_that_initialise(self):
        """The child is refused by the library: MUSA, which may crash or wait for ever there, is not reached."""
        for abi in (11, 12, 13):
            for library, name, arguments in INITIALISING:
                with self.subTest(abi=abi, name=name):
                    self.assertEqual((REFUSED, []), self.routes_after([(library, name, arguments)], abi))

    def routes_after(self, first_calls, abi=12, then=allocates):
        """What `then` is answered in a child whose parent made these calls, and where it was led."""
        read, write = os.pipe()

        def child():
            answer, found = routes(lambda: then(abi))
            os.write(write, " ".join(found).encode())
            return answer

        def parent():
            for library, name, arguments in first_calls:
                call(library, name, *arguments, abi=abi)
            return in_child(child)

        answer = in_child(quietly(parent))
        os.close(write)
        with os.fdopen(read) as pipe:
            return answer, pipe.read().split()


class SeveralLibraries(FirstCalls):
    """One initialises, and another was opened before or after that to ask something."""

    VERSION = ("cudart", "cudaDriverGetVersion", ROOM_FIRST)
    COUNT = ("cuda", "cuDeviceGetCount", ROOM_FIRST)
    INIT = ("cuda", "cuInit", (0,))
    FREE = ("cudart", "cudaFree", (None,))

    # Not again here.
    test_every_function_of_libraries_that_initialise_little = None
    test_functions_that_tell = None
    test_functions_that_initialise = None

    def test_told_before_and_after(self):
        def driver(_):
            return call("cuda", "cuDeviceGet", ROOM, 0)

        def runtime(abi):
            return call("cudart", "cudaGetDeviceCount", ROOM, abi=abi)

        for calls, then in (((self.VERSION, self.INIT), runtime), ((self.INIT, self.VERSION), runtime),
                            ((self.COUNT, self.FREE), driver), ((self.FREE, self.COUNT), driver)):
            with self.subTest(calls=[name for _, name, _ in calls]):
                self.assertEqual((REFUSED, []), self.routes_after(calls, then=then))

    def test_a_question_after_the_fork(self):
        """The parent's parent asked, the parent initialised: its own child is refused, a second one is not."""
        def parent():
            call("cuda", "cuDeviceGetCount", ROOM)
            first = in_child(lambda: 0 if allocates() == 0 and in_child(allocates) == REFUSED else 1)
            return first or in_child(allocates)
        self.assertEqual(0, in_child(quietly(parent)))

    def test_devices_chosen_after_the_question(self):
        """CUDA's variables count that a child, or the process itself, sets after it has asked."""
        def chooses():
            os.environ["CUDA_VISIBLE_DEVICES"] = "1"
            count = ctypes.c_int()
            return 0 if call("cudart", "cudaGetDeviceCount", ctypes.byref(count)) == 0 and count.value == 1 else 1

        def parent():
            for library, name, arguments in (self.VERSION, self.COUNT):
                call(library, name, *arguments)
            return in_child(chooses) or chooses()
        self.assertEqual(0, in_child(quietly(parent)))


class Survivors(unittest.TestCase):
    """MTML and the compiler work in a child whatever its parent did."""

    def test_management(self):
        def asks():
            return call("nvml", "nvmlDeviceGetCount_v2", ROOM) or call("nvml", "nvmlSystemGetDriverVersion", ROOM, 96)

        def parent():
            call("nvml", "nvmlInit_v2")
            call("nvml", "nvmlDeviceGetCount_v2", ROOM)
            if allocates() != 0:
                return FAILED
            return in_child(lambda: 0 if asks() == 0 and allocates() == REFUSED else 1)
        self.assertEqual(0, in_child(quietly(parent)))

    def test_capability(self):
        """MUSA's driver tells the compute capability. Its question spoils a child, unless the variable tells it."""
        def parent():
            handle = ctypes.c_void_p()
            call("nvml", "nvmlInit_v2")
            call("nvml", "nvmlDeviceGetHandleByIndex_v2", 0, ctypes.byref(handle))
            if call("nvml", "nvmlDeviceGetCudaComputeCapability", handle, ROOM, ROOM) != 0:
                return FAILED
            return in_child(allocates)

        def parent_of_chosen():
            os.environ["TORCHADA_COMPUTE_CAPABILITY"] = "8.0"
            return parent()
        self.assertEqual(REFUSED, in_child(quietly(parent)))
        self.assertEqual(0, in_child(quietly(parent_of_chosen)))

    @unittest.skipUnless(support.COMPILES, "there is no compiler of device code")
    def test_compiler_that_was_asked_first(self):
        """It asks MUSA's driver for the architecture, which spoils a child. NVIDIA's compiler asks nobody: of MUSA's
        architectures nothing else is known to tell, and code for another one would not run."""
        def parent():
            program, library = ctypes.c_void_p(), opened("nvrtc")
            if (library.nvrtcCreateProgram(ctypes.byref(program), KERNEL, None, 0, None, None)
                    or library.nvrtcCompileProgram(program, 0, None)):
                return FAILED
            return in_child(allocates)
        self.assertEqual(REFUSED, in_child(quietly(parent)))

    @unittest.skipUnless(support.COMPILES, "there is no compiler of device code")
    def test_compiler(self):
        """NVRTC in a child of a process that used CUDA, before and after it asked NVRTC for its version."""
        def compiles():
            program, library = ctypes.c_void_p(), opened("nvrtc")
            return (library.nvrtcCreateProgram(ctypes.byref(program), KERNEL, None, 0, None, None)
                    or library.nvrtcCompileProgram(program, 0, None))

        def parent():
            if allocates() != 0:
                return FAILED
            first = in_child(compiles)
            return first or compiles() or in_child(compiles)
        self.assertEqual(0, in_child(quietly(parent)))


if __name__ == "__main__":
    unittest.main()
