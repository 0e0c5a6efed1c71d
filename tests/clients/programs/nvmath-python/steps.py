"""nvmath-python: bindings of NVIDIA's mathematical libraries, and what is built on them."""
import ctypes

from client_steps import close, equal, main, step


@step("load")
def load():
    import nvmath.bindings
    return nvmath.bindings


class OnDevice:
    """An array of numpy, copied to the device."""

    def __init__(self, array):
        self.array, self.cudart, pointer = array, ctypes.CDLL("libcudart.so.12"), ctypes.c_void_p()
        equal(self.cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(array.nbytes)), 0, "cudaMalloc")
        self.address = pointer.value
        self._copy(self.address, array.ctypes.data, 1)

    def _copy(self, to, source, kind):
        equal(self.cudart.cudaMemcpy(ctypes.c_void_p(to), ctypes.c_void_p(source),
                                     ctypes.c_size_t(self.array.nbytes), kind), 0, "cudaMemcpy")

    def back(self):
        out = self.array.copy(order="K")
        self._copy(out.ctypes.data, self.address, 2)
        return out


@step("query")
def cublas(load):
    from nvmath.bindings import cublas
    handle = cublas.create()
    assert cublas.get_version(handle) > 110000
    cublas.destroy(handle)


@step("library")
def product(load):
    """cublasSgemm, in the order of Fortran."""
    import numpy
    from nvmath.bindings import cublas
    a = numpy.arange(6, dtype=numpy.float32).reshape(2, 3, order="F")
    b = numpy.arange(12, dtype=numpy.float32).reshape(3, 4, order="F")
    there = [OnDevice(matrix) for matrix in (a, b, numpy.zeros((2, 4), dtype=numpy.float32, order="F"))]
    one, nothing, handle = numpy.ones(1, dtype=numpy.float32), numpy.zeros(1, dtype=numpy.float32), cublas.create()
    cublas.sgemm(handle, cublas.Operation.N, cublas.Operation.N, 2, 4, 3, one.ctypes.data, there[0].address, 2,
                 there[1].address, 3, nothing.ctypes.data, there[2].address, 2)
    close(there[2].back().ravel(), (a @ b).ravel())
    cublas.destroy(handle)


@step("query")
def cublas_lt(load):
    from nvmath.bindings import cublasLt
    cublasLt.destroy(cublasLt.create())


@step("query")
def curand(load):
    from nvmath.bindings import curand
    curand.destroy_generator(curand.create_generator(100))


@step("library")
def uniform(load):
    """The same seed gives the same numbers."""
    import numpy
    from nvmath.bindings import curand
    out = []
    for _ in range(2):
        generator, numbers = curand.create_generator(100), OnDevice(numpy.zeros(10000, dtype=numpy.float32))
        curand.set_pseudo_random_generator_seed(generator, 7)
        curand.generate_uniform(generator, numbers.address, 10000)
        out.append(numbers.back())
        curand.destroy_generator(generator)
    equal(out[0].tolist(), out[1].tolist())
    assert 0 < out[0].min() and out[0].max() <= 1 and 0.48 < out[0].mean() < 0.52, out[0]


@step("query")
def cufft(load):
    from nvmath.bindings import cufft
    cufft.destroy(cufft.create())


@step("library")
def transform(load):
    import numpy
    from nvmath.bindings import cufft
    x = (numpy.arange(8) + 1j).astype(numpy.complex64)
    there, plan = OnDevice(x), cufft.create()
    cufft.make_plan1d(plan, 8, cufft.Type.C2C, 1)
    cufft.exec_c2c(plan, there.address, there.address, -1)
    out, expected = there.back(), numpy.fft.fft(x)
    close([*out.real, *out.imag], [*expected.real, *expected.imag], 1e-4, 1e-4)
    cufft.destroy(plan)


@step("library")
def matmul(load):
    import numpy
    import nvmath.linalg.advanced
    a, b = numpy.arange(6, dtype=numpy.float32).reshape(2, 3), numpy.ones((3, 2), dtype=numpy.float32)
    close(nvmath.linalg.advanced.matmul(a, b).ravel(), (a @ b).ravel())


@step("library")
def fft(load):
    import numpy
    import nvmath
    x = (numpy.arange(8) + 1j).astype(numpy.complex64)
    out, expected = nvmath.fft.fft(x, execution="cuda"), numpy.fft.fft(x)
    close([*out.real, *out.imag], [*expected.real, *expected.imag], 1e-4, 1e-4)


main()
