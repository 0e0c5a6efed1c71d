"""BOINC: the GPUs that its client detects by the driver, against what the driver says. No project is attached."""
import ctypes
import os
import re
import subprocess
import xml.etree.ElementTree as tree

from client_steps import available, equal, main, step
from programs import output_of


@step("load")
def load():
    equal(output_of("boinc", "--version").split()[0], b"7.20.5")


def detected():
    """What it writes for itself: it detects GPUs in a process of its own, which a driver may end."""
    output_of("boinc", "--detect_gpus", "--dir", os.getcwd())
    return tree.parse("coproc_info.xml").getroot()


@step("query")
def detection(load):
    found = detected()
    available(found.findtext("have_cuda") == "1", tree.tostring(found).decode())
    return found.find("coproc_cuda")


@step("query")
def properties(detection):
    """Those that it asks for by attributes of the device, each with its number in CUDA's driver."""
    driver, number = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
    equal(driver.cuInit(0), 0)
    for name, attribute in (("sharedMemPerBlock", 8), ("regsPerBlock", 12), ("warpSize", 10), ("memPitch", 11),
                            ("maxThreadsPerBlock", 1), ("clockRate", 13), ("totalConstMem", 9), ("major", 75),
                            ("minor", 76), ("textureAlignment", 14), ("multiProcessorCount", 16)):
        equal(driver.cuDeviceGetAttribute(ctypes.byref(number), attribute, 0), 0)
        equal(float(detection.findtext(name)), float(number.value), name)
    equal(float(detection.findtext("totalGlobalMem")), float(2 << 30))
    equal(driver.cuDriverGetVersion(ctypes.byref(number)), 0)
    equal(detection.findtext("cudaVersion"), str(number.value))


@step("query")
def start(detection):
    """The client itself, until it waits for work."""
    with subprocess.Popen(["boinc", "--dir", os.getcwd(), "--no_gui_rpc"], stdout=subprocess.PIPE,
                          text=True) as client:
        lines = []
        for line in client.stdout:
            lines.append(line)
            if "Initialization completed" in line:
                break
        client.terminate()
        client.communicate()
    found = re.findall(r"CUDA: NVIDIA GPU (\d+): (.*) \(driver.* capability ([\d.]+), (\d+MB),", "".join(lines))
    equal(found, [
        ("0", detection.findtext("name"), f"{detection.findtext('major')}.{detection.findtext('minor')}", "2048MB")])


@step("query")
def three_devices(detection):
    os.environ["TORCHADA_HOST_DEVICES"] = "3"
    equal(len(detected().findall("coproc_cuda")), 3)


main()
