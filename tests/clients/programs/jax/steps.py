"""JAX with its plugin for CUDA 12."""
from client_steps import close, equal, main, step


@step("load")
def load():
    import jax
    import jax.numpy
    return jax


@step("host")
def on_the_cpu(load):
    with load.default_device(load.devices("cpu")[0]):
        close(load.jit(lambda x: x * 2 + 1)(load.numpy.arange(5.0)), [1, 3, 5, 7, 9])


@step("host")
def falls_back(load):
    """Without being told."""
    equal({device.platform for device in load.devices()}, {"cpu"})
    close(load.numpy.arange(5.0) @ load.numpy.arange(5.0).reshape(5, 1), [30])


@step("query")
def devices(load):
    return load.devices("cuda")


@step("kernel")
def on_the_gpu(load, devices):
    with load.default_device(devices[0]):
        out = load.jit(lambda x: x * 2 + 1)(load.numpy.arange(5.0))
    equal(out.devices().pop().platform, "gpu")
    close(out, [1, 3, 5, 7, 9])


main()
