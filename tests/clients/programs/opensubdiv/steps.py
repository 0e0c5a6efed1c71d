"""OpenSubdiv: its CUDA evaluator of stencils, against the sums that the stencils stand for."""
import ctypes
import random

from client_steps import Wrong, close, main, step
from cuda_sources import Memory, host_library, image, use_images

SOURCES, FLAGS = ["opensubdiv/osd/cudaKernel.cu"], ["-I@"]


@step("host")
def images():
    path = image("osd", "opensubdiv", SOURCES, FLAGS)
    use_images(path)
    return path


@step("host")
def lockstep(images):
    """The kernel for 3 numbers needs warps whose threads run in lockstep, and has no __syncwarp: a warning says so."""
    with open(images + ".log", encoding="utf-8") as log:
        said = log.read()
    if "cudaKernel.cu:139: warning: a volatile pointer" not in said:
        raise Wrong(said)


@step("load")
def library():
    return host_library("osd", "opensubdiv", SOURCES, FLAGS)


@step("kernel")
def stencils(images, library):
    """Of 4 numbers each, which have a kernel of their own, and of 5."""
    random.seed(11)
    points, count = 50, 900
    for length in (4, 5):
        values = [random.uniform(-1, 1) for _ in range(points * length)]
        sizes = [random.randrange(1, 7) for _ in range(count)]
        offsets = [sum(sizes[:i]) for i in range(count)]
        indices = [random.randrange(points) for _ in range(sum(sizes))]
        weights = [random.uniform(-1, 1) for _ in indices]
        to = Memory([0.0] * (count * length))
        number = ctypes.c_int
        library.CudaEvalStencils(
            Memory(values).address, to.address, length, length, length, Memory(sizes, number).address,
            Memory(offsets, number).address, Memory(indices, number).address, Memory(weights).address, 0, count)
        wanted = [sum(weights[j] * values[indices[j] * length + k] for j in range(offsets[i], offsets[i] + sizes[i]))
                  for i in range(count) for k in range(length)]
        close(to.read(), wanted, 1e-4, 1e-5)


main()
