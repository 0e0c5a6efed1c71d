"""every_library.py [NAME...]: computes something with each library and prints NAME: right, or what was answered."""
import ctypes
import sys

from ctypes import byref, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

SOURCE = b'extern "C" __global__ void answer(int* to) { *to = 42; }'


class UniqueId(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_char * 128)]


class Wrong(Exception):
    """A call was answered something else than success, or a result is wrong."""


def call(library, name, *arguments):
    status = getattr(library, name)(*arguments)
    if status != 0:
        raise Wrong(f"{name} returned {status}")


def same(expected, found):
    if found != expected:
        raise Wrong(f"expected {expected}, got {found}")


def opened(name):
    return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)


def device_memory(size):
    memory = c_void_p()
    call(opened("libcudart.so.12"), "cudaMalloc", byref(memory), c_size_t(size))
    call(opened("libcudart.so.12"), "cudaMemset", memory, 0, c_size_t(size))
    return memory


def host_copy(kind, memory, count):
    found = (kind * count)()
    call(opened("libcudart.so.12"), "cudaMemcpy", found, memory, c_size_t(ctypes.sizeof(found)), 2)
    return list(found)


def runtime():
    memory = device_memory(1 << 20)
    call(opened("libcudart.so.12"), "cudaMemset", memory, 7, c_size_t(1 << 20))
    same([7] * 16, host_copy(ctypes.c_ubyte, memory, 16))


def driver():
    count = c_int()
    call(opened("libcuda.so.1"), "cuInit", 0)
    call(opened("libcuda.so.1"), "cuDeviceGetCount", byref(count))
    same(True, count.value > 0)


def product():
    library, handle, one = opened("libcublas.so.12"), c_void_p(), c_float(1)
    call(library, "cublasCreate_v2", byref(handle))
    memory = device_memory(64 * 64 * 4)
    call(library, "cublasSgemm_v2", handle, 0, 0, 64, 64, 64, byref(one), memory, 64, memory, 64, byref(one), memory,
         64)
    same([0.0] * 4, host_copy(c_float, memory, 4))


def random():
    library, generator = opened("libcurand.so.10"), c_void_p()
    call(library, "curandCreateGenerator", byref(generator), 100)
    memory = device_memory(4096)
    call(library, "curandGenerateUniform", generator, memory, c_size_t(1024))
    same(True, all(0 < number <= 1 for number in host_copy(c_float, memory, 1024)))


def transform():
    library, plan = opened("libcufft.so.11"), c_int()
    call(library, "cufftPlan1d", byref(plan), 256, 0x29, 1)
    memory = device_memory(2048)
    call(library, "cufftExecC2C", plan, memory, memory, -1)
    same([0.0] * 4, host_copy(c_float, memory, 4))


def kernel():
    compiler, library, program = opened("libnvrtc.so.12"), opened("libcuda.so.1"), c_void_p()
    call(compiler, "nvrtcCreateProgram", byref(program), SOURCE, b"answer.cu", 0, None, None)
    status, size = compiler.nvrtcCompileProgram(program, 0, None), c_size_t()
    if status != 0:
        call(compiler, "nvrtcGetProgramLogSize", program, byref(size))
        log = ctypes.create_string_buffer(size.value)
        call(compiler, "nvrtcGetProgramLog", program, log)
        raise Wrong(f"nvrtcCompileProgram returned {status}: {log.value.decode()}")
    call(compiler, "nvrtcGetPTXSize", program, byref(size))
    image = ctypes.create_string_buffer(size.value)
    call(compiler, "nvrtcGetPTX", program, image)
    memory = device_memory(64)
    module, function, address = c_void_p(), c_void_p(), c_uint64(memory.value)
    call(library, "cuModuleLoadData", byref(module), image)
    call(library, "cuModuleGetFunction", byref(function), module, b"answer")
    arguments = (c_void_p * 1)(ctypes.addressof(address))
    call(library, "cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
    same([42], host_copy(c_int, memory, 1))


def communicator():
    library, unique, comm = opened("libnccl.so.2"), UniqueId(), c_void_p()
    call(library, "ncclGetUniqueId", byref(unique))
    call(library, "ncclCommInitRank", byref(comm), 1, unique, 0)


def management():
    library, count = opened("libnvidia-ml.so.1"), c_uint()
    call(library, "nvmlInit_v2")
    call(library, "nvmlDeviceGetCount_v2", byref(count))
    same(True, count.value > 0)


PARTS = {
    part.__name__: part
    for part in (runtime, driver, product, random, transform, kernel, communicator, management)
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        try:
            PARTS[name]()
            print(name + ": right", flush=True)
        except (Wrong, OSError) as error:
            print(f"{name}: {error}".replace("\n", " "), flush=True)
