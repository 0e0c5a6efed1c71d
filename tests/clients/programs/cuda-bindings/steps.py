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


@step("query")
def init(load):
    succeeded(load.cuInit(0))


@step("query")
def count(load, init):
    equal(succeeded(load.cuDeviceGetCount()), (1,))


@step("query")
def context(load, init):
    device, = succeeded(load.cuDeviceGet(0))
    context, = succeeded(load.cuDevicePrimaryCtxRetain(device))
    succeeded(load.cuCtxSetCurrent(context))


@step("copy")
def copy(load, context):
    there, back = bytes(range(256)), ctypes.create_string_buffer(256)
    pointer, = succeeded(load.cuMemAlloc(256))
    succeeded(load.cuMemcpyHtoD(pointer, there, 256))
    succeeded(load.cuMemcpyDtoH(ctypes.addressof(back), pointer, 256))
    succeeded(load.cuMemFree(pointer))
    equal(back.raw, there)


@step("query")
def attributes(load, context):
    device, = succeeded(load.cuDeviceGet(0))
    name, = succeeded(load.cuDeviceGetName(64, device))
    assert name.rstrip(b"\0") and b"NVIDIA" not in name.upper(), name
    for attribute in ("MULTIPROCESSOR_COUNT", "MAX_THREADS_PER_BLOCK", "WARP_SIZE"):
        value, = succeeded(load.cuDeviceGetAttribute(
            getattr(load.CUdevice_attribute, "CU_DEVICE_ATTRIBUTE_" + attribute), device))
        assert value > 0, attribute


@step("copy")
def ordered(load, context):
    """Copies in the order of a stream, between two events."""
    stream, = succeeded(load.cuStreamCreate(0))
    begin, end = (succeeded(load.cuEventCreate(0))[0] for _ in range(2))
    there, back = bytes(range(256)), ctypes.create_string_buffer(256)
    pointer, = succeeded(load.cuMemAlloc(256))
    succeeded(load.cuEventRecord(begin, stream))
    succeeded(load.cuMemcpyHtoDAsync(pointer, there, 256, stream))
    succeeded(load.cuMemsetD8Async(pointer, 9, 16, stream))
    succeeded(load.cuMemcpyDtoHAsync(ctypes.addressof(back), pointer, 256, stream))
    succeeded(load.cuEventRecord(end, stream))
    succeeded(load.cuStreamSynchronize(stream))
    equal(back.raw, bytes([9]) * 16 + there[16:])
    assert succeeded(load.cuEventElapsedTime(begin, end))[0] >= 0


@step("copy")
def virtual_memory(load, context):
    """An address that is kept while other memory comes behind it."""
    property = load.CUmemAllocationProp()
    property.type = load.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    property.location.type = load.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    property.location.id = 0
    kind = load.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
    size, = succeeded(load.cuMemGetAllocationGranularity(property, kind))
    address, = succeeded(load.cuMemAddressReserve(size, 0, 0, 0))
    access = load.CUmemAccessDesc()
    access.location = property.location
    access.flags = load.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    back = ctypes.create_string_buffer(256)
    for value in (1, 2):
        handle, = succeeded(load.cuMemCreate(size, property, 0))
        succeeded(load.cuMemMap(address, size, 0, handle, 0))
        succeeded(load.cuMemSetAccess(address, size, [access], 1))
        succeeded(load.cuMemsetD8(address, value, size))
        succeeded(load.cuMemcpyDtoH(ctypes.addressof(back), address, 256))
        equal(back.raw, bytes([value]) * 256)
        succeeded(load.cuMemUnmap(address, size))
        succeeded(load.cuMemRelease(handle))
    succeeded(load.cuMemAddressFree(address, size))


@step("kernel")
def module(load, context):
    """Device code for NVIDIA's devices."""
    succeeded(load.cuModuleLoadData(b".version 8.0\n.target sm_80\n.address_size 64\n\0"))


@step("query")
def runtime_count(load_runtime):
    equal(succeeded(load_runtime.cudaGetDeviceCount()), (1,))


@step("kernel")
def compile_source(load, context):
    """What NVRTC calls PTX is MUSA's image; the driver takes it."""
    from cuda.bindings import nvrtc
    program, = succeeded(nvrtc.nvrtcCreateProgram(SOURCE, b"twice.cu", 0, [], []))
    succeeded(nvrtc.nvrtcCompileProgram(program, 0, []))
    size, = succeeded(nvrtc.nvrtcGetPTXSize(program))
    image = b" " * size
    succeeded(nvrtc.nvrtcGetPTX(program, image))
    succeeded(nvrtc.nvrtcDestroyProgram(program))
    module, = succeeded(load.cuModuleLoadData(image))
    twice, = succeeded(load.cuModuleGetFunction(module, b"twice"))
    there = (ctypes.c_int * 64)(*range(64))
    pointer, = succeeded(load.cuMemAlloc(256))
    succeeded(load.cuMemcpyHtoD(pointer, there, 256))
    succeeded(load.cuLaunchKernel(twice, 1, 1, 1, 64, 1, 1, 0, 0, ((int(pointer),), (ctypes.c_void_p,)), 0))
    succeeded(load.cuMemcpyDtoH(ctypes.addressof(there), pointer, 256))
    equal(list(there), [2 * value for value in range(64)])


@step("query")
def find_cudart():
    from cuda.pathfinder import load_nvidia_dynamic_lib
    found = load_nvidia_dynamic_lib("cudart")
    equal(os.path.basename(found.abs_path).split(".so")[0], "libcudart")
    count = ctypes.c_int()
    status = ctypes.CDLL(found.abs_path).cudaGetDeviceCount(ctypes.byref(count))
    available(status == 0, f"{os.path.basename(found.abs_path)}: status {status}")
    equal(count.value, 1)


main()
