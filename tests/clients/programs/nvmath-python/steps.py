"""nvmath-python: bindings of NVIDIA's mathematical libraries, and what is built on them."""
from client_steps import close, main, step


@step("load")
def load():
    import nvmath.bindings
    return nvmath.bindings


@step("device")
def cublas(load):
    from nvmath.bindings import cublas
    handle = cublas.create()
    assert cublas.get_version(handle) > 110000
    cublas.destroy(handle)


@step("device")
def cublas_lt(load):
    from nvmath.bindings import cublasLt
    cublasLt.destroy(cublasLt.create())


@step("device")
def curand(load):
    from nvmath.bindings import curand
    curand.destroy_generator(curand.create_generator(100))


@step("device")
def cufft(load):
    from nvmath.bindings import cufft
    cufft.destroy(cufft.create())


@step("device")
def matmul(load):
    import numpy
    import nvmath.linalg.advanced
    a, b = numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.ones((3, 2), dtype=numpy.float32)
    close(nvmath.linalg.advanced.matmul(a, b).ravel(), (a @ b).ravel())


main()
