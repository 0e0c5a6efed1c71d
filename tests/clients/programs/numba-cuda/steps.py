"""numba-cuda: kernels from Python."""
from client_steps import close, main, step


@step("load")
def load():
    from numba import cuda
    return cuda


@step("device")
def current_context(load):
    load.current_context()


@step("device")
def copy(load, current_context):
    import numpy
    there = numpy.arange(1000, dtype=numpy.float32)
    close(load.to_device(there).copy_to_host(), there)


@step("device")
def kernel(load, current_context):
    import numpy

    @load.jit
    def double(values):
        index = load.grid(1)
        if index < values.size:
            values[index] *= 2

    values = load.to_device(numpy.arange(100, dtype=numpy.float32))
    double[4, 32](values)
    close(values.copy_to_host(), numpy.arange(100) * 2)


main()
