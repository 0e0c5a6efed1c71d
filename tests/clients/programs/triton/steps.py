"""Triton: its compiler, its driver, and its cuBLASLt."""
import ctypes

from client_steps import equal, main, step


@step("load")
def load():
    import triton
    return triton


@step("host")
def library(load):
    from triton._C import libtriton
    return libtriton


@step("device")
def utilities(load):
    """They are compiled and linked with libcuda. The driver around them needs torch."""
    from triton.backends.nvidia.driver import CudaUtils
    equal(CudaUtils().get_device_properties(0)["warpSize"], 32)


class Workspace:
    """What it asks of a tensor."""

    def __init__(self, pointer, size):
        self.data_ptr, self.numel, self.element_size = (lambda: pointer), (lambda: size), (lambda: 1)


@step("device")
def cublas_lt(library):
    cudart, pointer = ctypes.CDLL("libcudart.so.12"), ctypes.c_void_p()
    equal(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(1 << 20)), 0)
    library.nvidia.cublas.CublasLt(Workspace(pointer.value, 1 << 20))


main()
