"""pyvkfft: transforms of PyCUDA's arrays by kernels that VkFFT writes for each size and NVRTC compiles, beside
NumPy's."""
from client_steps import close, equal, main, step


@step("load")
def load():
    # By this name Python 3.11 does not tell it any more, so that Debian's package finds its library nowhere.
    import sysconfig
    sysconfig.get_config_vars()["SO"] = sysconfig.get_config_var("EXT_SUFFIX")
    import pyvkfft.cuda
    return pyvkfft.cuda


@step("query")
def context(load):
    import atexit

    import pycuda.driver
    pycuda.driver.init()
    made = pycuda.driver.Device(0).make_context()
    atexit.register(made.pop)
    return made


def numbers(*shape, kind="complex64"):
    import numpy
    chance = numpy.random.default_rng(5)
    values = chance.standard_normal(shape)
    return (values + 1j * chance.standard_normal(shape) if "complex" in kind else values).astype(kind)


def there(data):
    import pycuda.gpuarray
    return pycuda.gpuarray.to_gpu(data)


def same(found, expected, kind):
    """To what the sum of so many numbers of the kind may differ by, of the largest one."""
    bound = (1e-5 if kind in ("complex64", "float32") else 1e-13) * abs(expected).max()
    equal(found.shape, expected.shape)
    for part in ("real", "imag"):
        close(getattr(found, part).ravel().tolist(), getattr(expected, part).ravel().tolist(), 0.0, float(bound))


def transformed(load, shape, axes, kind):
    import numpy
    data = numbers(*shape, kind=kind)
    app = load.VkFFTApp(shape, data.dtype, axes=axes)
    array = there(data)
    app.fft(array)
    same(array.get(), numpy.fft.fftn(data.astype("complex128"), axes=axes), kind)
    app.ifft(array)
    same(array.get(), data, kind)


@step("kernel")
def lines(load, context):
    for size in (16, 100, 1024, 2187, 5005):
        transformed(load, (3, size), (1,), "complex64")


@step("kernel")
def planes_and_boxes(load, context):
    transformed(load, (24, 40), (0, 1), "complex64")
    transformed(load, (8, 12, 20), (0, 1, 2), "complex64")
    transformed(load, (8, 12, 20), (1,), "complex64")


@step("kernel")
def out_of_place(load, context):
    import numpy
    data = numbers(30, 64)
    array, result = there(data), there(numpy.zeros_like(data))
    app = load.VkFFTApp(data.shape, data.dtype, ndim=1, inplace=False)
    equal(app.fft(array, result) is result, True)
    same(result.get(), numpy.fft.fft(data), "complex64")
    same(array.get(), data, "complex64")


@step("kernel")
def real_lines(load, context):
    import numpy
    data = numbers(20, 48, kind="float32")
    array, half = there(data), there(numpy.zeros((20, 25), "complex64"))
    app = load.VkFFTApp(data.shape, data.dtype, ndim=1, inplace=False, r2c=True)
    app.fft(array, half)
    same(half.get(), numpy.fft.rfft(data), "float32")
    back = there(numpy.zeros_like(data))
    app.ifft(half, back)
    same(back.get(), data, "float32")


@step("kernel")
def cosines(load, context):
    """Of the second type: the sum of 2 x[n] cos(pi k (2 n + 1) / (2 N)) over n."""
    import numpy
    count = 32
    data = numbers(6, count, kind="float32")
    k, n = numpy.arange(count)[:, None], numpy.arange(count)[None, :]
    expected = data.astype("float64") @ (2 * numpy.cos(numpy.pi * k * (2 * n + 1) / (2 * count))).T
    array = there(data)
    app = load.VkFFTApp(data.shape, data.dtype, ndim=1, dct=2)
    app.fft(array)
    same(array.get(), expected, "float32")
    app.ifft(array)
    same(array.get(), data, "float32")


@step("kernel")
def lines_of_doubles(load, context):
    """By a table of sines."""
    for size in (64, 210, 4096):
        transformed(load, (2, size), (1,), "complex128")


@step("kernel")
def lines_of_prime_sizes(load, context):
    """By convolutions (Rader, Bluestein)."""
    for size in (17, 127, 1009):
        transformed(load, (2, size), (1,), "complex64")


main()
