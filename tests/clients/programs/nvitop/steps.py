"""nvitop: shows devices in a terminal, and tells a program about them."""
import re
import subprocess
import sys

from neighbour import allocated
from client_steps import equal, main, step

MIB = 1 << 20


@step("load")
def load():
    import nvitop
    return nvitop


@step("query")
def device(load):
    equal(load.Device.count(), 1)
    return load.Device(0)


@step("query")
def snapshot(device):
    told = device.as_snapshot()
    assert told.name and told.memory_total > 0, told
    equal(told.uuid[:4], "GPU-")
    equal(told.memory_total, told.memory_used + told.memory_free)
    assert 0 <= told.gpu_utilization <= 100, told.gpu_utilization
    equal(str(told.power_usage), "N/A")  # The stand-in measures no power, and none is made up.


@step("query")
def memory_of_another_process(device):
    before = device.memory_used()
    with allocated(512 * MIB):
        assert device.memory_used() - before >= 512 * MIB, (before, device.memory_used())
    assert device.memory_used() - before < 512 * MIB


@step("query")
def processes(device):
    equal(device.processes(), {})  # What it makes of "not supported".


@step("query")
def once(device):
    with allocated(512 * MIB):
        shown = subprocess.run([sys.executable, "-m", "nvitop", "-1", "--ascii"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, timeout=50)
    equal(shown.stderr, b"")
    text = shown.stdout.decode()
    assert device.name() in text, text
    used, unit = re.search(r"([0-9.]+)([KMG]iB) / ", text).groups()
    assert float(used) * {"KiB": 1 << 10, "MiB": MIB, "GiB": 1 << 30}[unit] >= 512 * MIB, text


@step("query")
def select(load):
    # What programs use to choose a device.
    from nvitop import select_devices
    equal(list(select_devices(format="index", min_free_memory=MIB)), [0])


main()
