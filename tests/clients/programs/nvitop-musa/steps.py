"""nvitop-musa: nvitop on mthreads-ml-py in place of NVML."""
import subprocess
import sys

from client_steps import available, equal, main, step
from musa_memory import allocated_elsewhere

MIB = 1 << 20


@step("load")
def load():
    import nvitop
    return nvitop


@step("query")
def device(load):
    equal(load.Device.count(), 1)
    found = load.Device(0)
    assert "torchada" in found.name(), found.name()
    equal(found.memory_total(), 2048 * MIB)
    equal(found.gpu_utilization(), 0)
    return found


@step("query")
def memory_of_another_process(device):
    before = device.memory_used()
    with allocated_elsewhere(512 * MIB):
        equal(device.memory_used() - before, 512 * MIB)
        equal(device.memory_free(), 2048 * MIB - device.memory_used())
    equal(device.memory_used(), before)


@step("query")
def select(load):
    """What programs use to choose a device: there is none with so much memory while another holds it."""
    from nvitop import select_devices
    equal(list(select_devices(format="index", min_free_memory=1024 * MIB)), [0])
    with allocated_elsewhere(1280 * MIB):
        equal(list(select_devices(format="index", min_free_memory=1024 * MIB)), [])


@step("query")
def temperature(device):
    device.temperature()


@step("query")
def once(device):
    with allocated_elsewhere(512 * MIB):
        shown = subprocess.run([sys.executable, "-m", "nvitop", "-1", "--ascii"], capture_output=True, text=True,
                               check=False, timeout=50)
    available(shown.returncode == 0, f"status {shown.returncode}: {shown.stderr[-1500:]}")
    assert device.name() in shown.stdout and "512" in shown.stdout, shown.stdout


main()
