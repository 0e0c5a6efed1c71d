"""mthreads-ml-py: Moore Threads' bindings of libmtml by ctypes, by MTML's names and by NVML's."""
import ctypes
import inspect
import os
import re
import subprocess
import sys

from client_steps import equal, main, step
from musa_memory import allocated_elsewhere

MIB = 1 << 20

# By hand: what the stand-in answers. It has no sensors, no links, no codecs and no virtual devices.
ANSWERED = {
    "mtmlDevice": """Index Name UUID PciInfo Brand Property""",
    "mtmlDeviceCount": """DisplayInterface Fan GpuCores""",
    "mtmlGpu": "Utilization",
    "mtmlMemory": "Total Used UsedSystem Utilization",
    "mtmlVpu": "",
}


@step("load")
def load():
    import pymtml
    return pymtml


@step("query")
def init(load):
    load.mtmlLibraryInit()
    equal(load.mtmlLibraryCountDevice(), 1)


@step("query")
def device(load, init):
    handle = load.mtmlLibraryInitDeviceByIndex(0)
    equal(load.mtmlDeviceGetIndex(handle), 0)
    assert "torchada" in load.mtmlDeviceGetName(handle), load.mtmlDeviceGetName(handle)
    return handle


@step("query")
def identifier(load, device):
    """The device is found again by its UUID and by its place."""
    uuid = load.mtmlDeviceGetUUID(device)
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", uuid), uuid
    equal(load.mtmlDeviceGetUUID(load.mtmlLibraryInitDeviceByUuid(uuid)), uuid)
    place = load.mtmlDeviceGetPciInfo(device).sbdf
    place = place.decode() if isinstance(place, bytes) else place
    equal(load.mtmlDeviceGetUUID(load.mtmlLibraryInitDeviceByPciSbdf(place)), uuid)


@step("query")
def versions(load, init):
    for version in (load.mtmlLibraryGetVersion(), load.mtmlSystemGetDriverVersion(load.mtmlLibraryInitSystem())):
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), version


@step("query")
def memory_of_another_process(load, device):
    memory = load.mtmlDeviceInitMemory(device)
    total, before = load.mtmlMemoryGetTotal(memory), load.mtmlMemoryGetUsed(memory)
    equal(total, 2048 * MIB)
    with allocated_elsewhere(512 * MIB):
        equal(load.mtmlMemoryGetUsed(memory) - before, 512 * MIB)
    equal(load.mtmlMemoryGetUsed(memory), before)


@step("query")
def nvml_names(load, device):
    """Programs that know NVML's names call these."""
    load.nvmlInit()
    handle = load.nvmlDeviceGetHandleByIndex(0)
    equal(load.nvmlDeviceGetCount(), 1)
    equal(load.nvmlDeviceGetName(handle), load.mtmlDeviceGetName(device))
    equal(load.nvmlDeviceGetUUID(handle), load.mtmlDeviceGetUUID(device))
    with allocated_elsewhere(256 * MIB):
        info = load.nvmlDeviceGetMemoryInfo(handle)
    assert info.used >= 256 * MIB, info
    equal(info.total, info.used + info.free)
    load.nvmlShutdown()


def questions(load, prefix):
    """The wrappers that take nothing but one handle."""
    return {name: function for name, function in vars(load).items() if inspect.isfunction(function)
            and re.match(prefix + r"(Get|Count)[A-Z]", name) and len(inspect.signature(function).parameters) == 1}


@step("query")
def every_wrapper(load, device):
    """Each answers, or says that it is not supported: libmtml exports all that they look up."""
    parts = {"mtmlDevice": device, **{"mtml" + part: getattr(load, "mtmlDeviceInit" + part)(device)
                                      for part in ("Gpu", "Memory", "Vpu")}}
    answered, tried = set(), 0
    for prefix, handle in parts.items():
        for name, function in questions(load, prefix).items():
            tried += 1
            try:
                function(handle)
                answered.add(name)
            except load.MTMLError as error:
                equal(error.value, load.MTML_ERROR_NOT_SUPPORTED, name)
    assert tried > 40, tried
    expected = {prefix + ("" if prefix == "mtmlDeviceCount" else "Get") + name
                for prefix, names in ANSWERED.items() for name in names.split()}
    equal(sorted(answered), sorted(expected))


@step("query")
def example(load, device):
    """The program that comes with it."""
    path = os.path.join(os.path.dirname(os.path.abspath(load.__file__)), "example.py")
    shown = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True, timeout=50)
    equal(shown.stderr, "")
    equal([line.strip() for line in shown.stdout.split("\n") if line.strip()],
          ["<attached_gpus>1</attached_gpus>", '<gpu id="0">', f"<uuid>{load.mtmlDeviceGetUUID(device)}</uuid>",
           "<mt_link>N/A</mt_link>", "</gpu>"])


@step("query")
def shutdown(load, init):
    load.mtmlLibraryShutDown()
    try:
        load.mtmlLibraryCountDevice()
    except (load.MTMLError, ctypes.ArgumentError):
        return
    raise AssertionError("the library answers after its end")


main()
