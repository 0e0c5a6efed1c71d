"""TensorFlow: devices, copies, matrix products and transforms, compared with NumPy. Its own kernels are NVIDIA's
device code."""
import ctypes
import glob
import os
import sysconfig

from client_steps import available, close, equal, main, step

# TensorFlow registers no GPU without them. It opens them by name.
NVIDIAS = ("nvjitlink/lib/libnvJitLink.so.12", "cusparse/lib/libcusparse.so.12", "cusolver/lib/libcusolver.so.11",
           "cudnn/lib/libcudnn.so.9")


def numbers(*shape):
    import numpy
    return numpy.random.default_rng(3).standard_normal(shape).astype(numpy.float32)


@step("load")
def load():
    packages = sysconfig.get_paths()["purelib"]
    for name in NVIDIAS:
        path, = glob.glob(os.path.join(packages, "nvidia", name))
        ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    import tensorflow
    return tensorflow


@step("host")
def on_the_cpu(load):
    with load.device("CPU:0"):
        close((load.constant(numbers(4)) * 2).numpy(), numbers(4) * 2)


@step("query")
def devices(load):
    found = load.config.list_physical_devices("GPU")
    available(found, "no GPU is listed")
    return found


@step("query")
def details(load, devices):
    equal(load.config.experimental.get_device_details(devices[0])["compute_capability"], (7, 0))


@step("copy")
def copy(load, devices):
    with load.device("GPU:0"):
        there = load.identity(load.constant(numbers(100, 7)))
    equal(there.device.rpartition("/")[2], "device:GPU:0")
    close(there.numpy().ravel(), numbers(100, 7).ravel(), relative=0)


@step("library")
def product(load, devices):
    with load.device("GPU:0"):
        out = load.matmul(load.constant(numbers(33, 65)), load.constant(numbers(65, 17)))
    equal(out.device.rpartition("/")[2], "device:GPU:0")
    close(out.numpy().ravel(), (numbers(33, 65) @ numbers(65, 17)).ravel(), relative=1e-4, absolute=1e-4)


@step("library")
def batch_of_products(load, devices):
    with load.device("GPU:0"):
        out = load.matmul(load.constant(numbers(5, 8, 9)), load.constant(numbers(5, 9, 4)))
    close(out.numpy().ravel(), (numbers(5, 8, 9) @ numbers(5, 9, 4)).ravel(), relative=1e-4, absolute=1e-4)


@step("library")
def transform(load, devices):
    import numpy
    data = (numbers(4, 32) + 1j * numbers(32)).astype(numpy.complex64)
    with load.device("GPU:0"):
        out = load.signal.fft(load.constant(data)).numpy().ravel()
    expected = numpy.fft.fft(data).ravel()
    close(out.real, expected.real, relative=1e-3, absolute=1e-3)
    close(out.imag, expected.imag, relative=1e-3, absolute=1e-3)


@step("kernel")
def addition(load, devices):
    with load.device("GPU:0"):
        out = load.constant(numbers(8)) + load.constant(numbers(8))
    close(out.numpy(), 2 * numbers(8))


main()
