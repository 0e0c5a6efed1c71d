"""horovod: its batched copies, whose parameter is a struct of 3,840 bytes, and scaling."""
import ctypes
import random

from client_steps import close, equal, main, step
from cuda_sources import Memory, host_library, image, use_images

SOURCES, FLAGS = ["horovod/common/ops/cuda/cuda_kernels.cu"], ["-I@/horovod/common/ops/cuda", "-I@"]
PREFIX, FLOAT32, FLOAT64, INT32 = "_ZN7horovod6common", 7, 8, 4


class Copies(ctypes.Structure):
    _fields_ = [("to", ctypes.c_void_p * 160), ("from_", ctypes.c_void_p * 160), ("sizes", ctypes.c_size_t * 160)]


@step("host")
def images():
    path = image("horovod", "horovod", SOURCES, FLAGS)
    use_images(path)
    return path


@step("load")
def library():
    return host_library("horovod", "horovod", [*SOURCES, "horovod/common/message.cc"],
                        [*FLAGS, "-I@/third_party/flatbuffers/include"])


def batch(kind):
    random.seed(23)
    given = [[random.randrange(100) for _ in range(length)] for length in (1, 7, 16, 100, 1000, 33)]
    pairs = [(Memory(values, kind), Memory([0] * len(values), kind)) for values in given]
    copies = Copies()
    for i, (one, other) in enumerate(pairs):
        copies.from_[i], copies.to[i], copies.sizes[i] = one.address, other.address, ctypes.sizeof(one.here)
    return given, pairs, copies


@step("kernel")
def copies(images, library):
    given, pairs, todo = batch(ctypes.c_int)
    getattr(library, PREFIX + "24BatchedD2DMemcpyCudaImplERNS0_16BatchedD2DParamsEiP11CUstream_st")(
        ctypes.byref(todo), len(given), None)
    equal([other.read() for _, other in pairs], given)


@step("kernel")
def scaled_copies(images, library):
    given, pairs, todo = batch(ctypes.c_float)
    name = "30BatchedScaledD2DMemcpyCudaImplERNS0_16BatchedD2DParamsEidNS0_8DataTypeEP11CUstream_st"
    getattr(library, PREFIX + name)(
        ctypes.byref(todo), len(given), ctypes.c_double(0.5), FLOAT32, None)
    equal([other.read() for _, other in pairs], [[value / 2 for value in values] for values in given])


@step("kernel")
def scaling(images, library):
    values = [0.25 * i for i in range(3000)]
    one, other = Memory(values, ctypes.c_double), Memory([0.0] * 3000, ctypes.c_double)
    getattr(library, PREFIX + "19ScaleBufferCudaImplEPKvPvldNS0_8DataTypeEP11CUstream_st")(
        one.address, other.address, ctypes.c_long(3000), ctypes.c_double(3), FLOAT64, None)
    close(other.read(), [value * 3 for value in values], 1e-15)


@step("host")
def eigen():
    """Its test of kernels, as an image. Host code of it prints two members of a struct that CUDA 13 lacks."""
    folder = "third_party/eigen/"
    image("eigen", "horovod", [folder + "test/gpu_basic.cu"],
          ["-I@/" + folder, "-I@/" + folder + "test", "-DEIGEN_TEST_MAX_SIZE=320", "-DEIGEN_TEST_FUNC=gpu_basic",
           "-DEIGEN_TEST_PART_ALL=1", "-DclockRate=major", "-DcomputeMode=minor"])


main()
