"""cuda.core: devices, streams, memory and programs, on cuda.bindings."""
import ctypes

from client_steps import equal, main, step


@step("load")
def load():
    import cuda.core
    return cuda.core


@step("query")
def device(load):
    device = load.Device(0)
    device.set_current()
    return device


@step("query")
def stream(device):
    stream = device.create_stream()
    stream.sync()
    return stream


@step("query")
def memory(device, stream):
    buffer = device.allocate(1 << 20, stream=stream)
    equal(buffer.size, 1 << 20)
    buffer.close(stream)


@step("query")
def properties(device):
    assert device.properties.max_threads_per_block > 0 and device.properties.multiprocessor_count > 0
    assert "NVIDIA" not in device.name.upper(), device.name


@step("copy")
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


@step("query")
def event(device, stream):
    begin = stream.record(options={"timing_enabled": True})
    end = stream.record(options={"timing_enabled": True})
    end.sync()
    assert end - begin >= 0


SOURCE = """
template <typename T>
__global__ void axpy(T a, const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""


@step("kernel")
def compiled(load, device, stream):
    """A template in source, compiled for this device in both forms, and launched."""
    count, pinned = 1000, load.LegacyPinnedMemoryResource()
    buffers = [pinned.allocate(4 * count, stream=stream) for _ in range(2)]
    x, y = ((ctypes.c_float * count).from_address(int(buffer.handle)) for buffer in buffers)
    for form in ("cubin", "ptx"):
        x[:], y[:] = range(count), [1] * count
        options = load.ProgramOptions(std="c++17", arch="sm_" + device.arch)
        code = load.Program(SOURCE, code_type="c++", options=options).compile(form, name_expressions=("axpy<float>",))
        launch = load.LaunchConfig(grid=(count + 127) // 128, block=128)
        load.launch(stream, launch, code.get_kernel("axpy<float>"), ctypes.c_float(2), *buffers, ctypes.c_int(count))
        stream.sync()
        equal(list(y), [2 * value + 1 for value in range(count)], form)


@step("query")
def error_in_source(load, device):
    try:
        load.Program("\nint x = ;", code_type="c++").compile("cubin")
    except Exception as error:
        assert "NVRTC_ERROR_COMPILATION" in str(error) and ":2:" in str(error), error
    else:
        raise AssertionError("a source with an error was compiled")


main()
