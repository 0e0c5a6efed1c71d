"""bitsandbytes: its library for CUDA 12.4. The package itself needs torch."""
import ctypes
import importlib.util
import os

from client_steps import close, equal, main, step


@step("load")
def load():
    root = importlib.util.find_spec("bitsandbytes").submodule_search_locations[0]
    return ctypes.CDLL(os.path.join(root, "libbitsandbytes_cuda124.so"))


def managed(load, kind, values):
    """Memory of both sides with these values."""
    load.cget_managed_ptr.restype = ctypes.c_void_p
    size = ctypes.sizeof(kind) * len(values)
    memory = (kind * len(values)).from_address(load.cget_managed_ptr(ctypes.c_size_t(size)))
    memory[:] = values
    return memory


@step("copy")
def managed_memory(load):
    close(managed(load, ctypes.c_float, [1, 2, 3]), [1, 2, 3])


@step("query")
def context(load):
    load.get_context.restype = ctypes.c_void_p
    return ctypes.c_void_p(load.get_context())


@step("library")
def integer_product(load, context):
    """By cublasGemmEx: bytes to 32-bit integers. Columns lie one after the other; the product of two 4 x 4."""
    a, b = list(range(16)), list(range(1, 17))
    out = managed(load, ctypes.c_int32, [0] * 16)
    load.cigemm(context, False, False, 4, 4, 4, managed(load, ctypes.c_int8, a), managed(load, ctypes.c_int8, b), out,
                4, 4, 4)
    equal(ctypes.CDLL("libcudart.so.12").cudaDeviceSynchronize(), 0)
    equal(list(out), [sum(a[row + 4 * k] * b[k + 4 * column] for k in range(4))
                      for column in range(4) for row in range(4)])


@step("kernel")
def kernel(load):
    memory = managed(load, ctypes.c_float, [0, 0, 0])
    load.cfill_fp32(memory, None, ctypes.c_float(5), ctypes.c_int64(3))
    equal(ctypes.CDLL("libcudart.so.12").cudaDeviceSynchronize(), 0)
    close(memory, [5, 5, 5])


main()
