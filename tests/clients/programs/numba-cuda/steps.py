"""numba-cuda: what it asks of devices, its arrays and copies, and its kernels."""
import os
import subprocess
import sys

from client_steps import close, equal, main, step

REFUSED = "from numba import cuda; cuda.current_context()"


@step("load")
def load():
    from numba import cuda
    return cuda


@step("query")
def count(load):
    equal(len(load.gpus), 1)
    equal(len(load.list_devices()), 1)


@step("query")
def name(load):
    assert load.gpus[0].name
    assert "NVIDIA" not in str(load.gpus[0].name).upper(), load.gpus[0].name


@step("query")
def attributes(load):
    assert load.gpus[0].MAX_THREADS_PER_BLOCK > 0 and load.gpus[0].MULTIPROCESSOR_COUNT > 0
    assert load.gpus[0].uuid.startswith("GPU-"), load.gpus[0].uuid


@step("query")
def capability(load):
    """As client.yaml says."""
    major, minor = os.environ["TORCHADA_COMPUTE_CAPABILITY"].split(".")
    equal(tuple(load.gpus[0].compute_capability), (int(major), int(minor)))


@step("host")
def capability_of_musa(load):
    """It refuses MUSA's own numbers, which are lower than 3.5."""
    environment = {name: value for name, value in os.environ.items() if name != "TORCHADA_COMPUTE_CAPABILITY"}
    ended = subprocess.run([sys.executable, "-c", REFUSED], env=environment, capture_output=True, text=True,
                           check=False)
    equal(ended.returncode, 1)
    assert "has compute capability <" in ended.stderr, ended.stderr[-500:]


@step("query")
def current_context(load):
    return load.current_context()


@step("query")
def memory_info(current_context):
    info = current_context.get_memory_info()
    assert 0 < info.free <= info.total, info


@step("copy")
def copy(load, current_context):
    import numpy
    there = numpy.arange(1000, dtype=numpy.float32)
    close(load.to_device(there).copy_to_host(), there)


@step("copy")
def array(load, current_context):
    """Two dimensions, filled by a copy, and a part of it."""
    import numpy
    here = numpy.arange(12, dtype=numpy.int64).reshape(3, 4)
    there = load.device_array((3, 4), dtype=numpy.int64)
    there.copy_to_device(here)
    equal(there.copy_to_host().tolist(), here.tolist())
    equal(there[1].copy_to_host().tolist(), [4, 5, 6, 7])
    equal(there.reshape(4, 3)[3].copy_to_host().tolist(), [9, 10, 11])


@step("copy")
def between_arrays(load, current_context):
    import numpy
    one = load.to_device(numpy.arange(100))
    other = load.device_array_like(one)
    other.copy_to_device(one)
    equal(other.copy_to_host().tolist(), list(range(100)))


@step("copy")
def pinned(load, current_context):
    import numpy
    here = load.pinned_array(100, dtype=numpy.float32)
    here[:] = numpy.arange(100)
    stream = load.stream()
    there = load.to_device(here, stream=stream)
    back = there.copy_to_host(stream=stream)
    stream.synchronize()
    close(back, here)


@step("copy")
def mapped(load, current_context):
    """Memory of the CPU that the device reaches too."""
    import numpy
    here = load.mapped_array(100, dtype=numpy.float32)
    here[:] = numpy.arange(100)
    close(load.as_cuda_array(here).copy_to_host() if hasattr(here, "__cuda_array_interface__") else here,
          numpy.arange(100))


@step("copy")
def managed(load, current_context):
    import numpy
    here = load.managed_array(100, dtype=numpy.float32)
    here[:] = numpy.arange(100)
    load.synchronize()
    close(here, numpy.arange(100))


@step("query")
def event(load, current_context):
    begin, end = load.event(timing=True), load.event(timing=True)
    begin.record()
    end.record()
    end.synchronize()
    assert begin.elapsed_time(end) >= 0


@step("copy")
def interface(load, current_context):
    """Another program's pointer is taken over without a copy."""
    import numpy
    there = load.to_device(numpy.arange(10, dtype=numpy.int32))
    again = load.as_cuda_array(there)
    equal(again.__cuda_array_interface__["data"][0], there.__cuda_array_interface__["data"][0])
    equal(again.copy_to_host().tolist(), list(range(10)))


@step("kernel")
def kernel(load, current_context):
    """Compiled by NVVM, for NVIDIA's devices."""
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
