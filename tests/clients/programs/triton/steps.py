"""Triton: its compiler, its driver, and its cuBLASLt."""
import ctypes
import os
import struct

from client_steps import close, equal, main, step

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


class Halves:
    """What it asks of a tensor: numbers of 16 bits on the device, row by row."""

    def __init__(self, rows, columns, numbers=()):
        self.shape, self.dtype, self.size = (rows, columns), "torch.float16", 2 * rows * columns
        self.cudart, self.pointer = ctypes.CDLL("libcudart.so.12"), ctypes.c_void_p()
        equal(self.cudart.cudaMalloc(ctypes.byref(self.pointer), ctypes.c_size_t(self.size)), 0)
        if numbers:
            self.copy(self.pointer, struct.pack(f"{rows * columns}e", *numbers), 1)

    def copy(self, to, source, kind):
        equal(self.cudart.cudaMemcpy(to, source, ctypes.c_size_t(self.size), kind), 0)

    def data_ptr(self):
        return self.pointer.value

    def numel(self):
        return self.size // 2

    def element_size(self):
        return 2

    def numbers(self):
        back = ctypes.create_string_buffer(self.size)
        self.copy(back, self.pointer, 2)
        return struct.unpack(f"{self.size // 2}e", back.raw)


@step("query")
def cublas_lt(library):
    return library.nvidia.cublas.CublasLt(Halves(1 << 10, 1 << 9))


@step("library")
def product(cublas_lt):
    """Of a matrix and another one, transposed. Every sum is exact in 16 bits."""
    rows, columns, inner = 16, 32, 48
    a = [float((row * 5 + k * 3) % 7 - 3) for row in range(rows) for k in range(inner)]
    b = [float((column * 2 + k) % 5 - 2) / 2 for column in range(columns) for k in range(inner)]
    out = Halves(rows, columns)
    cublas_lt.matmul(Halves(rows, inner, a), Halves(columns, inner, b), out)
    close(out.numbers(), [sum(a[row * inner + k] * b[column * inner + k] for k in range(inner))
                          for row in range(rows) for column in range(columns)])


main()
