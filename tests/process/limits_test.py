"""A limit of addresses (RLIMIT_AS) at each entry point: the calls work or fail; nothing hangs, aborts or crashes.

Each part runs in a child of this process, which opens the libraries itself and has so many MiB of addresses more."""
import ctypes
import os
import resource
import signal
import sys
import tempfile
import unittest

import every_library
from ctypes import byref, c_float, c_int, c_size_t, c_uint64, c_void_p
from every_library import Wrong, call, device_memory, host_copy, opened, same
from support import COMPILES, LIB, EveryLibrary, main

RUNTIME = "libcudart.so.12"
WORKED, FAILED = 0, 1
LIMITS = [*range(0, 30, 2), *range(30, 110, 16), *range(110, 400, 60)]


def synchronized():
    call(opened(RUNTIME), "cudaDeviceSynchronize")


def streams():
    runtime = opened(RUNTIME)
    for _ in range(4):
        stream, event, memory, size = c_void_p(), c_void_p(), c_void_p(), c_size_t(1 << 20)
        call(runtime, "cudaStreamCreate", byref(stream))
        call(runtime, "cudaEventCreate", byref(event))
        call(runtime, "cudaMallocAsync", byref(memory), size, stream)
        call(runtime, "cudaMemsetAsync", memory, 1, size, stream)
        call(runtime, "cudaEventRecord", event, stream)
        call(runtime, "cudaFreeAsync", memory, stream)
        call(runtime, "cudaStreamSynchronize", stream)


def memory():
    for size in (1 << 12, 1 << 20, 1 << 24, 1 << 27):
        for name, more in (("cudaMalloc", ()), ("cudaMallocHost", ()), ("cudaMallocManaged", (1,))):
            made = c_void_p()
            call(opened(RUNTIME), name, byref(made), c_size_t(size), *more)
            call(opened(RUNTIME), "cudaMemset", made, 1, c_size_t(size))


def graph():
    runtime, stream, made, runs = opened(RUNTIME), c_void_p(), c_void_p(), c_void_p()
    memory = device_memory(1 << 16)
    call(runtime, "cudaStreamCreate", byref(stream))
    call(runtime, "cudaStreamBeginCapture", stream, 0)
    for value in range(20):
        call(runtime, "cudaMemsetAsync", memory, value, c_size_t(1 << 16), stream)
    call(runtime, "cudaStreamEndCapture", stream, byref(made))
    call(runtime, "cudaGraphInstantiate", byref(runs), made, c_uint64(0))
    call(runtime, "cudaGraphLaunch", runs, stream)
    call(runtime, "cudaStreamSynchronize", stream)


def transforms():
    for size in (97, 1 << 14, 1 << 17):
        plan = c_int()
        call(opened("libcufft.so.11"), "cufftPlan1d", byref(plan), size, 0x29, 2)
        data = device_memory(size * 16)
        call(opened("libcufft.so.11"), "cufftExecC2C", plan, data, data, -1)
        synchronized()


def generators():
    library = opened("libcurand.so.10")
    for kind in (100, 101, 121, 161):  # the default, XORWOW, MRG32K3A, PHILOX4_32_10
        generator, count = c_void_p(), 1 << 18
        call(library, "curandCreateGenerator", byref(generator), kind)
        data = device_memory(count * 4)
        call(library, "curandGenerateUniform", generator, data, c_size_t(count))
        call(library, "curandGenerateNormal", generator, data, c_size_t(count), c_float(0), c_float(1))
        synchronized()


def vectors():
    library, handle, one, result = opened("libcublas.so.12"), c_void_p(), c_float(1), c_float()
    call(library, "cublasCreate_v2", byref(handle))
    data = device_memory(1 << 20)
    call(library, "cublasSaxpy_v2", handle, 1000, byref(one), data, 1, data, 1)
    call(library, "cublasSdot_v2", handle, 1000, data, 1, data, 1, byref(result))
    synchronized()


def ranks():
    library, runtime, communicators = opened("libnccl.so.2"), opened(RUNTIME), (c_void_p * 2)()
    call(library, "ncclCommInitAll", communicators, 2, None)
    data = []
    for device in range(2):
        call(runtime, "cudaSetDevice", device)
        data.append(device_memory(1 << 16))
    call(library, "ncclGroupStart")
    for device in range(2):
        call(library, "ncclAllReduce", data[device], data[device], c_size_t(1 << 14), 7, 0,
             c_void_p(communicators[device]), None)
    call(library, "ncclGroupEnd")
    for device in range(2):
        call(runtime, "cudaSetDevice", device)
        synchronized()


def compiled(to):
    """Not a part: writes an image."""
    compiler, program, size = opened("libnvrtc.so.12"), c_void_p(), c_size_t()
    call(compiler, "nvrtcCreateProgram", byref(program), every_library.SOURCE, b"answer.cu", 0, None, None)
    call(compiler, "nvrtcCompileProgram", program, 0, None)
    call(compiler, "nvrtcGetPTXSize", program, byref(size))
    image = ctypes.create_string_buffer(size.value)
    call(compiler, "nvrtcGetPTX", program, image)
    with open(to, "wb") as file:
        file.write(image.raw[:size.value - 1])  # without the zero behind it


def loads(image):
    library, module, function = opened("libcuda.so.1"), c_void_p(), c_void_p()
    data = device_memory(64)
    address = c_uint64(data.value)
    call(library, "cuInit", 0)
    call(library, "cuModuleLoad", byref(module), image.encode())
    call(library, "cuModuleGetFunction", byref(function), module, b"answer")
    arguments = (c_void_p * 1)(ctypes.addressof(address))
    call(library, "cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
    same([42], host_copy(c_int, data, 1))


def outcome_of(part, mebibytes):
    """The exit code of a child that runs the part, or minus the signal that ended it."""
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(20)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with open("/proc/self/statm", encoding="ascii") as file:
                used = int(file.read().split()[0]) * resource.getpagesize()
            if mebibytes is not None:
                most = used + (mebibytes << 20)
                resource.setrlimit(resource.RLIMIT_AS, (most, most))
            part()
            os._exit(WORKED)
        except (Wrong, OSError, MemoryError):
            os._exit(FAILED)
        finally:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Limits(unittest.TestCase):

    @unittest.skipUnless(COMPILES, "there is no compiler of device code")
    def test_each_entry_point(self):
        with tempfile.TemporaryDirectory() as folder:
            image = os.path.join(folder, "image")
            self.assertEqual(WORKED, outcome_of(lambda: compiled(image), None))
            parts = {name: part for name, part in every_library.PARTS.items() if name != "kernel"}
            for part in (streams, memory, graph, transforms, generators, vectors, ranks):
                parts[part.__name__] = part
            parts["loads"] = lambda: loads(image)
            for name, part in parts.items():
                self.assertEqual(WORKED, outcome_of(part, None), name)
                outcomes = {limit: outcome_of(part, limit) for limit in LIMITS}
                self.assertEqual({}, {limit: code for limit, code in outcomes.items() if code not in (WORKED, FAILED)},
                                 name)
                self.assertEqual(FAILED, outcomes[LIMITS[0]], name)
            # A compiler needs more than any of these; it says so.
            for limit in (60, 150, 250):
                self.assertIn(outcome_of(every_library.PARTS["kernel"], limit), (WORKED, FAILED))


if __name__ == "__main__":
    folders = ":".join(os.path.join(LIB, folder) for folder in EveryLibrary.FOLDERS)
    if os.environ["LD_LIBRARY_PATH"] != folders:  # The loader reads it when a process starts.
        os.execve(sys.executable, [sys.executable, "-B", *sys.argv],
                  {**os.environ, "LD_LIBRARY_PATH": folders, "TORCHADA_HOST_DEVICES": "2",
                   "TORCHADA_HOST_ACCOUNT": "none"})
    main()
