"""cuda.bindings: the driver by libcuda, the runtime linked statically, NVRTC, and the finder of libraries."""
import ctypes
import os

from client_steps import available, equal, main, step

SOURCE = b'extern "C" __global__ void twice(int* out) { out[threadIdx.x] *= 2; }'


def succeeded(answer):
    """The values after the status, which must be 0."""
    available(int(answer[0]) == 0, f"status {int(answer[0])}")
    return answer[1:]


@step("load")
def load():
    from cuda.bindings import driver
    return driver


@step("load")
def load_runtime():
    from cuda.bindings import runtime
    return runtime


@step("device")
def init(load):
    succeeded(load.cuInit(0))


@step("device")
def count(load, init):
    equal(succeeded(load.cuDeviceGetCount()), (1,))


@step("device")
def context(load, init):
    device, = succeeded(load.cuDeviceGet(0))
    context, = succeeded(load.cuDevicePrimaryCtxRetain(device))
    succeeded(load.cuCtxSetCurrent(context))


@step("device")
def copy(load, context):
    there, back = bytes(range(256)), ctypes.create_string_buffer(256)
    pointer, = succeeded(load.cuMemAlloc(256))
    succeeded(load.cuMemcpyHtoD(pointer, there, 256))
    succeeded(load.cuMemcpyDtoH(ctypes.addressof(back), pointer, 256))
    succeeded(load.cuMemFree(pointer))
    equal(back.raw, there)


@step("device")
def runtime_count(load_runtime):
    equal(succeeded(load_runtime.cudaGetDeviceCount()), (1,))


@step("host")
def compile_source():
    from cuda.bindings import nvrtc
    program, = succeeded(nvrtc.nvrtcCreateProgram(SOURCE, b"twice.cu", 0, [], []))
    succeeded(nvrtc.nvrtcCompileProgram(program, 0, []))
    size, = succeeded(nvrtc.nvrtcGetPTXSize(program))
    text = b" " * size
    succeeded(nvrtc.nvrtcGetPTX(program, text))
    assert b".entry twice" in text, text
    succeeded(nvrtc.nvrtcDestroyProgram(program))


@step("device")
def find_cudart():
    from cuda.pathfinder import load_nvidia_dynamic_lib
    found = load_nvidia_dynamic_lib("cudart")
    equal(os.path.basename(found.abs_path).split(".so")[0], "libcudart")
    count = ctypes.c_int()
    status = ctypes.CDLL(found.abs_path).cudaGetDeviceCount(ctypes.byref(count))
    available(status == 0, f"{os.path.basename(found.abs_path)}: status {status}")
    equal(count.value, 1)


main()
