"""hwloc: the devices that lstopo finds by its plugins for CUDA and NVML, against what the runtime and NVML say."""
import ctypes
import os
import xml.etree.ElementTree as tree

from client_steps import available, equal, main, step
from programs import below, output_of


@step("load")
def load():
    os.environ["HWLOC_PLUGINS_PATH"] = below("usr/lib/x86_64-linux-gnu/hwloc")
    equal(output_of("lstopo-no-graphics", "--version").split()[-1], b"2.9.0")


def devices():
    """{name: {what lstopo tells}} of the devices that are no disk and no network."""
    found = tree.fromstring(output_of("lstopo-no-graphics", "--of", "xml"))
    return {item.get("name"): {"type": item.get("subtype"), **{info.get("name"): info.get("value")
                                                               for info in item.iter("info")}}
            for item in found.iter("object") if item.get("type") == "OSDev" and item.get("subtype")}


@step("query")
def cuda(load):
    found = {name: told for name, told in devices().items() if told["type"] == "CUDA"}
    available(found, "no device of CUDA")
    equal(list(found), ["cuda0"])
    return found["cuda0"]


@step("query")
def its_properties(cuda):
    runtime, number, free, total = ctypes.CDLL("libcudart.so.12"), ctypes.c_int(), ctypes.c_size_t(), ctypes.c_size_t()
    for name, attribute, unit in (("CUDAMultiProcessors", 16, 1), ("CUDAL2CacheSize", 38, 1024),
                                  ("CUDASharedMemorySizePerMP", 8, 1024)):
        equal(runtime.cudaDeviceGetAttribute(ctypes.byref(number), attribute, 0), 0)
        equal(cuda[name], str(number.value // unit), name)
    equal(runtime.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total)), 0)
    equal(cuda["CUDAGlobalMemorySize"], str(total.value // 1024))


@step("query")
def nvml(load):
    library = ctypes.CDLL("libnvidia-ml.so.1")
    handle, uuid = ctypes.c_void_p(), ctypes.create_string_buffer(96)
    equal(library.nvmlInit_v2(), 0)
    equal(library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(handle)), 0)
    equal(library.nvmlDeviceGetUUID(handle, uuid, len(uuid)), 0)
    found = {name: told for name, told in devices().items() if told["type"] == "NVML"}
    equal({name: told["NVIDIAUUID"] for name, told in found.items()}, {"nvml0": uuid.value.decode()})


@step("query")
def three_devices(load):
    os.environ["TORCHADA_HOST_DEVICES"] = "3"
    equal(sorted(devices()), [f"{library}{index}" for library in ("cuda", "nvml") for index in range(3)])


main()
