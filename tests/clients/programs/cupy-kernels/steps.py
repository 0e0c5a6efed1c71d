"""CuPy's own CUDA sources: random distributions by cuRAND, reductions by CUB, sorting by Thrust."""
import ctypes
import os
import statistics

from client_steps import close, equal, main, step
from cuda_sources import Memory, host_library, image, use_images

SIZE = 4000
XORWOW, MRG32K3A, PHILOX = range(3)
# CuPy brings its own CCCL.
FLAGS = ["-I@/cupy/_core/include", "-I@",
         *(f"-I@/cupy/_core/include/cupy/_cccl/{part}" for part in ("cub", "thrust", "libcudacxx"))]
INT32, FLOAT32, FLOAT64 = 4, 9, 10  # type_dispatcher.cuh
SUM, MIN, MAX, ARGMIN, ARGMAX, _, _, PROD = range(8)  # cupy_cub.h
MEMORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory.cu")


@step("host")
def images():
    """All of them: the process is told before its first CUDA call."""
    # nvcc defines the architectures, and CCCL's names have them inside.
    flags = [*FLAGS, "-D__CUDA_ARCH_LIST__=800"]
    use_images(image("random", "cupy", ["cupy/random/cupy_distributions.cu"]),
               *(image(name, "cupy", [f"cupy/cuda/{name}.cu"], flags) for name in ("cupy_cub", "cupy_thrust")))


@step("load")
def library(images):
    return host_library("random", "cupy", ["cupy/random/cupy_distributions.cu"])


def draw(library, function, generator, kind, *more):
    """The first numbers of SIZE generators; each has a sequence of its own."""
    states, out = Memory([0] * (64 * SIZE), ctypes.c_byte), Memory([0] * SIZE, kind)
    library._Z21init_curand_generatorilmll(generator, states.address, ctypes.c_uint64(1234), ctypes.c_long(SIZE),
                                           ctypes.c_long(0))
    getattr(library, function)(generator, states.address, ctypes.c_long(SIZE), out.address, ctypes.c_long(SIZE),
                               ctypes.c_long(0), *more)
    return out.read()


@step("kernel")
def bits(library):
    """Generator i of Philox begins with the block (0, 0, i, 0) of the key 1234, computed here."""
    def philox(counter, key):
        words = list(counter)
        for _ in range(10):
            high, low = divmod(0xD2511F53 * words[0], 1 << 32)
            high2, low2 = divmod(0xCD9E8D57 * words[2], 1 << 32)
            words = [high2 ^ words[1] ^ key[0], low2, high ^ words[3] ^ key[1], low]
            key = [(key[0] + 0x9E3779B9) % (1 << 32), (key[1] + 0xBB67AE85) % (1 << 32)]
        return words
    found = draw(library, "_Z3rawillll", PHILOX, ctypes.c_uint32) if hasattr(library, "_Z3rawillll") else \
        draw(library, "_Z3rawilllll", PHILOX, ctypes.c_uint32)
    equal(found[:50], [philox([0, 0, i, 0], [1234, 0])[0] for i in range(50)])


@step("kernel")
def distributions(library):
    """Means and deviations of many numbers: 5 standard errors are allowed."""
    for generator in (XORWOW, MRG32K3A, PHILOX):
        for function, kind, mean, deviation in (("_Z14random_uniformilllll", ctypes.c_double, 0.5, 12 ** -0.5),
                                                ("_Z15standard_normalilllll", ctypes.c_double, 0, 1),
                                                ("_Z11exponentialilllll", ctypes.c_double, 1, 1)):
            values = draw(library, function, generator, kind)
            close([statistics.mean(values)], [mean], 0, 5 * deviation / SIZE ** 0.5, function)
            close([statistics.stdev(values)], [deviation], 0.1, 0, function)


def with_cub(name, *more):
    """The library, whose kernels are in an image."""
    return host_library(name, "cupy", [f"cupy/cuda/{name}.cu", *more], ["-std=c++17", "-Xptxas", "-O0", *FLAGS])


def numbers(count):
    """Whole ones, so that sums of floats are exact."""
    return [i * 7919 % 1009 - 500 for i in range(count)]


class Shape:
    """A const std::vector<ptrdiff_t>&."""

    def __init__(self, *sizes):
        self.sizes = (ctypes.c_ssize_t * len(sizes))(*sizes)
        begin = ctypes.addressof(self.sizes)
        self.ends = (ctypes.c_void_p * 3)(begin, begin + ctypes.sizeof(self.sizes), begin + ctypes.sizeof(self.sizes))
        self.address = ctypes.c_void_p(ctypes.addressof(self.ends))


@step("host")
def cub_library(images):
    return with_cub("cupy_cub")


def reduced(library, values, kind, code, operation, segments=None):
    """cupy.sum and the like of all values, or by the last axis of `segments` rows."""
    name, length, sizes = ("cub_device_reduce", "i", [len(values)]) if segments is None else (
        "cub_device_segmented_reduce", "ii", [segments, len(values) // segments])
    call = getattr(library, f"_Z{len(name)}{name}PvRmS_S_{length}P11CUstream_stii")
    values, out = Memory(values, kind), Memory([0] * 2 * (segments or 1), kind)
    size = ctypes.c_size_t()
    memory = None
    for _ in range(2):  # The first call asks how much memory is needed.
        call(memory, ctypes.byref(size), values.address, out.address, *sizes, None, operation, code)
        memory = Memory([0] * max(1, size.value), ctypes.c_byte).address
    return out


@step("kernel")
def reductions(cub_library):
    values = numbers(50000)
    for kind, code in ((ctypes.c_int32, INT32), (ctypes.c_float, FLOAT32), (ctypes.c_double, FLOAT64)):
        for operation, expected in ((SUM, sum(values)), (MIN, min(values)), (MAX, max(values))):
            equal(reduced(cub_library, values, kind, code, operation).read()[0], expected)
    equal(reduced(cub_library, [1, -2] * 15, ctypes.c_int32, INT32, PROD).read()[0], -2 ** 15)


@step("kernel")
def argmin_argmax(cub_library):
    """The index of the first one, and the value."""
    values = numbers(50000)
    for operation, best in ((ARGMIN, min(values)), (ARGMAX, max(values))):
        equal(reduced(cub_library, values, ctypes.c_int32, INT32, operation).read(), [values.index(best), best])


@step("kernel")
def by_axis(cub_library):
    values, rows = numbers(30 * 700), 30
    parts = [values[i * 700:(i + 1) * 700] for i in range(rows)]
    for operation, expected in ((SUM, sum), (MIN, min), (MAX, max)):
        out = reduced(cub_library, values, ctypes.c_float, FLOAT32, operation, rows).read()
        equal(out[:rows], [expected(part) for part in parts])


@step("host")
def thrust_library(images):
    return with_cub("cupy_thrust", MEMORY)


def indices(count):
    return Memory([0] * count, ctypes.c_size_t)


@step("kernel")
def sort(thrust_library):
    """Of floats, NaN comes last. By the last axis of two, rows are sorted one by one."""
    call = thrust_library._Z11thrust_sortiPvPmRKSt6vectorIlSaIlEElS_
    values = numbers(5000)
    for kind, code in ((ctypes.c_int32, INT32), (ctypes.c_double, FLOAT64)):
        data, shape = Memory(values, kind), Shape(len(values))
        call(code, data.address, None, shape.address, ctypes.c_long(0), None)
        equal(data.read(), sorted(values))
    data, shape = Memory([2, float("nan"), -1], ctypes.c_float), Shape(3)
    call(FLOAT32, data.address, None, shape.address, ctypes.c_long(0), None)
    equal([repr(one) for one in data.read()], ["-1.0", "2.0", "nan"])
    data, shape = Memory(values, ctypes.c_float), Shape(10, 500)
    call(FLOAT32, data.address, indices(5000).address, shape.address, ctypes.c_long(0), None)
    equal(data.read(), [one for i in range(0, 5000, 500) for one in sorted(values[i:i + 500])])


@step("kernel")
def argsort(thrust_library):
    values, shape, out = numbers(5000), Shape(5000), indices(5000)
    thrust_library._Z14thrust_argsortiPmPvS0_RKSt6vectorIlSaIlEElS0_(
        INT32, out.address, Memory(values, ctypes.c_int32).address, None, shape.address, ctypes.c_long(0), None)
    equal(out.read(), sorted(range(5000), key=values.__getitem__))


@step("kernel")
def lexsort(thrust_library):
    """The last key decides first."""
    first, last, out = numbers(3000), [i * 31 % 13 for i in range(3000)], indices(3000)
    thrust_library._Z14thrust_lexsortiPmPvmmlS0_(
        FLOAT64, out.address, Memory(first + last, ctypes.c_double).address, ctypes.c_size_t(2), ctypes.c_size_t(3000),
        ctypes.c_long(0), None)
    equal(out.read(), sorted(range(3000), key=lambda i: (last[i], first[i])))


main()
