"""nvidia-ml-py: NVML by ctypes. Every wrapper is called once."""
import ctypes
import inspect

from client_steps import equal, main, step

# Wrappers that are no questions: they begin and end, or work on Python's objects alone.
OTHERS = {"nvmlInit", "nvmlInitWithFlags", "nvmlShutdown", "nvmlExceptionClass",
          "nvmlStructToFriendlyObject", "nvmlFriendlyObjectToStruct"}

# By hand: those that MUSA answers, also the stand-in, which has no sensors.
ANSWERED = {"nvmlDeviceGet" + name for name in """
    Count HandleByIndex HandleByUUID HandleByPciBusId HandleByPciBusId_v2 HandleByIndex_v2 Index Name UUID
    PciInfo PciInfo_v3 MemoryInfo UtilizationRates CudaComputeCapability P2PStatus
    """.split()} | {"nvmlDeviceIsMigDeviceHandle", "nvmlErrorString", "nvmlSystemGetCudaDriverVersion",
                    "nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetDriverVersion",
                    "nvmlSystemGetNVMLVersion"}

# Nobody is shown an empty list, and no state is invented.
REFUSED = {"nvmlDeviceGet" + name for name in """
    ComputeRunningProcesses GraphicsRunningProcesses MPSComputeRunningProcesses
    ComputeRunningProcesses_v3 ProcessUtilization ComputeMode PersistenceMode MigMode
    EnforcedPowerLimit PowerManagementLimit PcieThroughput
    """.split()}


@step("load")
def load():
    import pynvml
    return pynvml


@step("query")
def init(load):
    load.nvmlInit()


@step("query")
def count(load, init):
    equal(load.nvmlDeviceGetCount(), 1)


@step("query")
def device(load, init):
    return load.nvmlDeviceGetHandleByIndex(0)


@step("query")
def name(load, device):
    assert load.nvmlDeviceGetName(device)


@step("query")
def memory(load, device):
    info = load.nvmlDeviceGetMemoryInfo(device)
    equal(info.total, info.used + info.free)
    second = load.nvmlDeviceGetMemoryInfo(device, version=load.nvmlMemory_v2)
    equal(second.total, second.used + second.free + second.reserved)
    equal(second.total, info.total)


@step("query")
def driver_version(load, init):
    assert load.nvmlSystemGetDriverVersion()


@step("query")
def identifier(load, device):
    uuid = load.nvmlDeviceGetUUID(device)
    equal(uuid[:4], "GPU-")
    found = load.nvmlDeviceGetHandleByUUID(uuid)
    equal(ctypes.addressof(found.contents), ctypes.addressof(device.contents))


def arguments(load, device, wrapper, other):
    """Values for the parameters without a default; `other` makes those of which nothing is known."""
    known = {"uuid": load.nvmlDeviceGetUUID(device), "serial": "0",
             "pciBusId": load.nvmlDeviceGetPciInfo(device).busId,
             "fieldIds": [load.NVML_FI_DEV_NVLINK_LINK_COUNT],
             "cpuSetSize": 4, "nodeSetSize": 4}
    out = []
    for parameter in inspect.signature(wrapper).parameters.values():
        if parameter.default is not inspect.Parameter.empty:
            continue
        if parameter.name.rstrip("12") in ("handle", "device"):
            out.append(device)
        else:
            out.append(known[parameter.name] if parameter.name in known else other())
    return out


def ask(load, device, wrapper):
    """(the error's class or None, whether Python itself took the arguments)"""
    for other in (int, lambda: ctypes.create_string_buffer(8192), str, list):
        try:
            wrapper(*arguments(load, device, wrapper, other))
            return None, True
        except load.NVMLError as error:
            return type(error).__name__, True
        except (TypeError, AttributeError, ctypes.ArgumentError, ValueError, IndexError):
            pass
    return None, False


@step("query")
def every_wrapper(load, device):
    wrappers = {name: function for name, function in vars(load).items()
                if name.startswith("nvml") and inspect.isfunction(function) and name not in OTHERS}
    assert len(wrappers) > 400, len(wrappers)
    answered, outcomes, untried = set(), {}, []
    for name, wrapper in wrappers.items():
        error, tried = ask(load, device, wrapper)
        if not tried:
            untried.append(name)
        elif error is None:
            answered.add(name)
        else:
            outcomes.setdefault(error, set()).add(name)
    print({error: len(names) for error, names in outcomes.items()}, "answered:", len(answered),
          "Python refuses the arguments:", untried)
    equal(sorted((ANSWERED & set(wrappers)) - answered), [], "not answered")
    refused = outcomes.get("NVMLError_NotSupported", set())
    equal(sorted((REFUSED & set(wrappers)) - refused), [], "not refused")
    expected = {"NVMLError_" + name for name in (
        "NotSupported", "InvalidArgument", "NotFound", "FunctionNotFound",
        "ArgumentVersionMismatch", "InsufficientSize")}
    equal(sorted(set(outcomes) - expected), [], "errors")
    assert len(untried) < 20, untried


@step("query")
def shutdown(load, init):
    load.nvmlShutdown()


main()
