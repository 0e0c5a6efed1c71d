"""SuiteSparse: the kernels of CHOLMOD, against their definitions, and those of GPUQREngine."""
import ctypes
import random

from client_steps import close, equal, main, step
from cuda_sources import Memory, host_library, image, use_images

SOURCES, FLAGS = ["CHOLMOD/GPU/cholmod_gpu_kernels.cu"], ["-I@/CHOLMOD/Include", "-I@/SuiteSparse_config"]


@step("host")
def images():
    path = image("cholmod", "suitesparse", SOURCES, FLAGS)
    use_images(path)
    return path


@step("load")
def library():
    return host_library("cholmod", "suitesparse", SOURCES, FLAGS)


@step("kernel")
def cholesky(images, library):
    """A supernode's map, the relative map of a descendant, and the update by it."""
    random.seed(13)
    rows, part, all_rows = 70, 37, 200
    chosen = sorted(random.sample(range(all_rows), rows))
    below = sorted(random.sample(range(rows), part))
    lists = chosen + [chosen[i] for i in below]
    integer, stream = ctypes.c_long, ctypes.byref(ctypes.c_void_p())
    of_rows, known = Memory([-1] * all_rows, integer), Memory(lists, integer)
    library.createMapOnDevice(of_rows.address, known.address, ctypes.c_long(0), ctypes.c_long(rows))
    equal(of_rows.read(), [chosen.index(i) if i in chosen else -1 for i in range(all_rows)])
    relative = Memory([0] * part, integer)
    library.createRelativeMapOnDevice(of_rows.address, known.address, relative.address,
                                      ctypes.c_long(rows), ctypes.c_long(part), stream)
    equal(relative.read(), below)
    columns = 20
    before = [random.random() for _ in range(rows * rows)]
    update = [random.random() for _ in range(part * columns)]
    matrix, change = Memory(before, ctypes.c_double), Memory(update, ctypes.c_double)
    library.addUpdateOnDevice(matrix.address, change.address, relative.address, ctypes.c_long(columns),
                              ctypes.c_long(part), ctypes.c_long(rows), stream)
    for column in range(columns):
        for row in range(part):
            before[below[row] + below[column] * rows] += update[row + part * column]
    close(matrix.read(), before, 1e-12)


@step("host")
def qr():
    image("qr", "suitesparse", ["GPUQREngine/Source/GPUQREngine_UberKernel.cu"],
          ["-I@/GPUQREngine/Include", "-I@/SuiteSparse_GPURuntime/Include", "-I@/SuiteSparse_config"])


main()
