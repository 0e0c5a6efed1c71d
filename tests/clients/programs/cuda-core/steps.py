"""cuda.core: devices, streams, memory and programs, on cuda.bindings."""
from client_steps import equal, main, step


@step("load")
def load():
    import cuda.core
    return cuda.core


@step("device")
def device(load):
    device = load.Device(0)
    device.set_current()
    return device


@step("device")
def stream(device):
    stream = device.create_stream()
    stream.sync()
    return stream


@step("device")
def memory(device, stream):
    buffer = device.allocate(1 << 20, stream=stream)
    equal(buffer.size, 1 << 20)
    buffer.close(stream)


main()
