"""Triton: its compiler, its driver, and its cuBLASLt."""
import ctypes
import os

from client_steps import equal, main, step

language = None  # What a kernel uses must be a variable of the module.


@step("load")
def load():
    global language
    import triton
    import triton.language as language
    return triton


@step("host")
def library(load):
    from triton._C import libtriton
    return libtriton


@step("query")
def finder(load):
    """It finds the driver's library without the loader, in order to link with it."""
    from triton.backends.nvidia.driver import libcuda_dirs
    found = [folder for folder in libcuda_dirs() if os.path.exists(os.path.join(folder, "libcuda.so.1"))]
    assert found and ctypes.CDLL(os.path.join(found[0], "libcuda.so.1")).cuInit(0) == 0, libcuda_dirs()


@step("query")
def utilities(load):
    """They are compiled and linked with libcuda. torch, which its driver needs, begins with CUDA before."""
    from triton.backends.nvidia.driver import CudaUtils
    equal(ctypes.CDLL("libcudart.so.12").cudaSetDevice(0), 0)
    utils = CudaUtils()
    known = utils.get_device_properties(0)
    assert known["warpSize"] > 0 and known["max_shared_mem"] > 0 and known["multiprocessor_count"] > 0, known
    return utils


@step("host")
def compiler(load):
    """For NVIDIA's devices."""
    from triton.backends.compiler import GPUTarget

    @load.jit
    def double(values, size, BLOCK: language.constexpr):
        index = language.program_id(0) * BLOCK + language.arange(0, BLOCK)
        language.store(values + index, language.load(values + index, mask=index < size) * 2, mask=index < size)

    source = load.compiler.ASTSource(fn=double, signature={"values": "*fp32", "size": "i32"},
                                     constants={"BLOCK": 128})
    compiled = load.compile(source, target=GPUTarget("cuda", 80, 32))
    assert compiled.asm["cubin"][:4] == b"\x7fELF"
    return compiled


@step("kernel")
def kernel(utilities, compiler):
    utilities.load_binary(compiler.metadata.name, compiler.asm["cubin"], compiler.metadata.shared, 0)


class Workspace:
    """What it asks of a tensor."""

    def __init__(self, pointer, size):
        self.data_ptr, self.numel, self.element_size = (lambda: pointer), (lambda: size), (lambda: 1)


@step("query")
def cublas_lt(library):
    cudart, pointer = ctypes.CDLL("libcudart.so.12"), ctypes.c_void_p()
    equal(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(1 << 20)), 0)
    library.nvidia.cublas.CublasLt(Workspace(pointer.value, 1 << 20))


main()
