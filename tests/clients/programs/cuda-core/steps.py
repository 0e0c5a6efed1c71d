"""cuda.core: devices, streams, memory and programs, on cuda.bindings."""
import ctypes

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


@step("device")
def properties(device):
    assert device.properties.max_threads_per_block > 0 and device.properties.multiprocessor_count > 0
    assert "NVIDIA" not in device.name.upper(), device.name


@step("device")
def copy(load, device, stream):
    """From memory of the CPU to the device, within it, and back."""
    pinned = load.LegacyPinnedMemoryResource()
    source, target = pinned.allocate(4096, stream=stream), pinned.allocate(4096, stream=stream)
    there = [device.allocate(4096, stream=stream) for _ in range(2)]
    ctypes.memset(int(source.handle), 7, 4096)
    source.copy_to(there[0], stream=stream)
    there[0].copy_to(there[1], stream=stream)
    there[1].copy_to(target, stream=stream)
    stream.sync()
    equal(ctypes.string_at(int(target.handle), 4096), bytes([7]) * 4096)


@step("device")
def event(device, stream):
    begin = stream.record(options={"timing_enabled": True})
    end = stream.record(options={"timing_enabled": True})
    end.sync()
    assert end - begin >= 0


main()
