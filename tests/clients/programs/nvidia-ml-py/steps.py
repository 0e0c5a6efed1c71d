"""nvidia-ml-py: NVML by ctypes."""
from client_steps import equal, main, step


@step("load")
def load():
    import pynvml
    return pynvml


@step("device")
def init(load):
    load.nvmlInit()


@step("device")
def count(load, init):
    equal(load.nvmlDeviceGetCount(), 1)


@step("device")
def device(load, init):
    return load.nvmlDeviceGetHandleByIndex(0)


@step("device")
def name(load, device):
    assert load.nvmlDeviceGetName(device)


@step("device")
def memory(load, device):
    info = load.nvmlDeviceGetMemoryInfo(device)
    equal(info.total, info.used + info.free)


@step("device")
def driver_version(load, init):
    assert load.nvmlSystemGetDriverVersion()


@step("device")
def shutdown(load, init):
    load.nvmlShutdown()


main()
