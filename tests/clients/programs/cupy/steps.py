"""CuPy: linked with the static CUDA runtime."""
from client_steps import close, equal, main, step


@step("load")
def load():
    import cupy
    return cupy


@step("query")
def count(load):
    equal(load.cuda.runtime.getDeviceCount(), 1)


@step("copy")
def array(load):
    close(load.asnumpy(load.arange(10)), range(10))


@step("library")
def product(load):
    import numpy
    a = numpy.arange(12.0).reshape(3, 4)
    close(load.asnumpy(load.asarray(a) @ load.asarray(a.T)).ravel(), (a @ a.T).ravel())


main()
