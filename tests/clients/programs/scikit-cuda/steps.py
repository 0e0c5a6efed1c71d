"""scikit-cuda: the runtime and cuBLAS by ctypes."""
from client_steps import close, equal, main, step


@step("load")
def load():
    """Of PyCUDA, which its metadata requires, these modules need nothing."""
    import pkg_resources
    pkg_resources.require = lambda name: [pkg_resources.get_distribution(pkg_resources.Requirement.parse(name))]
    from skcuda import cudart
    return cudart


@step("query")
def version(load):
    equal(load.cudaRuntimeGetVersion() // 1000, 12)


@step("query")
def device(load):
    load.cudaSetDevice(0)
    equal(load.cudaGetDevice(), 0)


@step("copy")
def copy(load, device):
    import numpy
    there, back = numpy.arange(1000.0), numpy.zeros(1000)
    pointer = load.cudaMalloc(there.nbytes)
    load.cudaMemcpy_htod(pointer, there.ctypes.data, there.nbytes)
    load.cudaMemcpy_dtoh(back.ctypes.data, pointer, there.nbytes)
    load.cudaFree(pointer)
    close(back, there)


@step("query")
def pitch(load, device):
    pointer, pitch = load.cudaMallocPitch(100, 10, 1, 4)[:2]
    assert pitch >= 40, pitch
    load.cudaFree(pointer)


@step("query")
def memory_info(load, device):
    free, total = load.cudaMemGetInfo()
    assert 0 < free <= total, (free, total)


@step("query")
def attributes(load, device):
    pointer = load.cudaMalloc(64)
    load.cudaPointerGetAttributes(pointer)
    load.cudaFree(pointer)


@step("query")
def cublas():
    from skcuda import cublas
    return cublas


@step("library")
def product(load, cublas):
    import numpy
    a, b, c = (numpy.asfortranarray(numpy.arange(first, first + 6, dtype=numpy.float32).reshape(2, 3))
               for first in (1, 2, 3))
    pointers = [load.cudaMalloc(matrix.nbytes) for matrix in (a, b, c)]
    for pointer, matrix in zip(pointers, (a, b, c)):
        load.cudaMemcpy_htod(pointer, matrix.ctypes.data, matrix.nbytes)
    out = numpy.zeros((2, 2), dtype=numpy.float32, order="F")
    handle = cublas.cublasCreate()
    cublas.cublasSgemm(handle, "n", "t", 2, 2, 3, 1.0, pointers[0].value, 2, pointers[1].value, 2, 0.0,
                       pointers[2].value, 2)
    load.cudaMemcpy_dtoh(out.ctypes.data, pointers[2], out.nbytes)
    cublas.cublasDestroy(handle)
    close(out.ravel(), (a @ b.T).ravel())


main()
