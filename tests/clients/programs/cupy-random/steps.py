"""CuPy's own CUDA sources: random distributions on top of cuRAND's device functions, and what needs CUB."""
import ctypes
import statistics

from client_steps import close, equal, main, step
from cuda_sources import Memory, host_library, image, use_images

SOURCES, SIZE = ["cupy/random/cupy_distributions.cu"], 4000
XORWOW, MRG32K3A, PHILOX = range(3)


@step("host")
def images():
    path = image("random", "cupy", SOURCES)
    use_images(path)
    return path


@step("load")
def library():
    return host_library("random", "cupy", SOURCES)


def draw(library, function, generator, kind, *more):
    """The first numbers of SIZE generators; each has a sequence of its own."""
    states, out = Memory([0] * (64 * SIZE), ctypes.c_byte), Memory([0] * SIZE, kind)
    library._Z21init_curand_generatorilmll(generator, states.address, ctypes.c_uint64(1234), ctypes.c_long(SIZE),
                                           ctypes.c_long(0))
    getattr(library, function)(generator, states.address, ctypes.c_long(SIZE), out.address, ctypes.c_long(SIZE),
                               ctypes.c_long(0), *more)
    return out.read()


@step("kernel")
def bits(images, library):
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
def distributions(images, library):
    """Means and deviations of many numbers: 5 standard errors are allowed."""
    for generator in (XORWOW, MRG32K3A, PHILOX):
        for function, kind, mean, deviation in (("_Z14random_uniformilllll", ctypes.c_double, 0.5, 12 ** -0.5),
                                                ("_Z15standard_normalilllll", ctypes.c_double, 0, 1),
                                                ("_Z11exponentialilllll", ctypes.c_double, 1, 1)):
            values = draw(library, function, generator, kind)
            close([statistics.mean(values)], [mean], 0, 5 * deviation / SIZE ** 0.5, function)
            close([statistics.stdev(values)], [deviation], 0.1, 0, function)


def with_cub(name):
    return image(name, "cupy", [f"cupy/cuda/{name}.cu"],
                 ["-I@/cupy/_core/include", "-I@", "-I/usr/local/cuda/include/cccl"])


@step("host")
def reductions():
    with_cub("cupy_cub")


@step("host")
def sorting():
    with_cub("cupy_thrust")


main()
