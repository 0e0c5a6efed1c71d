"""mthreads-gmi of the stand-in, while another process has memory of a device.

gmi_test.py TREES

The forms are those of the real command's public output: vllm-project/vllm-omni pull request 2337, and what musatop
0.2.1 on PyPI has in tests/fixtures.
"""

import contextlib
import glob
import json
import os
import re
import subprocess
import sys
import unittest

TREES = sys.argv.pop(1)
VERSIONS = {"3.1": "1.0.0", "4.3": "4.3.5", "5.1": "5.1.0", "5.2": "5.2.0", "assumed": "5.2.0"}
USER = """
import ctypes, sys
memory = ctypes.c_void_p()
runtime = ctypes.CDLL("libmusart.so.5")
assert runtime.musaSetDevice(1) == 0 and runtime.musaMalloc(ctypes.byref(memory), ctypes.c_size_t(48 << 20)) == 0
print("ready", flush=True)
sys.stdin.read()
"""
TABLE = """\
DATE
---------------------------------------------------------------------
    mthreads-gmi:2.2.0           Driver Version:5.2.0
---------------------------------------------------------------------
ID   Name                 |PCIe                |%GPU  Mem
     Device Type   Perf   |Pcie Lane Width     |Temp  MPC Capable
                                               |      ECC Mode
+-------------------------------------------------------------------+
0    torchada host (CPU)  |ADDRESS    |0%    0MiB(100MiB)
     Physical      N/A    |N/A                 |N/A   NO
                                               |      N/A
+-------------------------------------------------------------------+
1    torchada host (CPU)  |ADDRESS    |0%    48MiB(100MiB)
     Physical      N/A    |N/A                 |N/A   NO
                                               |      N/A
---------------------------------------------------------------------

---------------------------------------------------------------------
Processes:
ID   PID           Process name                           GPU Memory
                                                               Usage
+-------------------------------------------------------------------+
PROCESSES
---------------------------------------------------------------------
"""
DATE = r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ 1-3][0-9] \d\d:\d\d:\d\d \d{4}"
ADDRESS = r"[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\.0"


def environment():
    return {"TORCHADA_HOST_DEVICES": "2", "TORCHADA_HOST_MEMORY": "100M", "LC_ALL": "C",
            "TORCHADA_HOST_ACCOUNT": f"gmi{os.getpid()}", "LD_LIBRARY_PATH": os.path.join(TREES, "5.2/lib")}


def gmi(*arguments, tree="5.2", **more):
    return subprocess.run([os.path.join(TREES, "driver", tree, "mthreads-gmi"), *arguments], capture_output=True,
                          text=True, check=False, env={**environment(), **more})


def of_sanitizers():
    """Variables for Python, which has no sanitizer in it: a stand-in with one wants its runtimes loaded first."""
    libraries = subprocess.run(["ldd", os.path.join(TREES, "5.2/lib/libmusart.so.5")], capture_output=True, text=True,
                               check=True).stdout
    runtimes = re.findall(r"=> (\S*/lib(?:asan|ubsan|tsan)\.so\S*)", libraries)
    return {"LD_PRELOAD": ":".join(runtimes), "ASAN_OPTIONS": "detect_leaks=0"} if runtimes else {}


@contextlib.contextmanager
def user():
    with subprocess.Popen([sys.executable, "-c", USER], env={**environment(), **of_sanitizers()},
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        yield process.pid
        process.communicate(b"")


def tearDownModule():  # noqa: N802, unittest's name
    for path in glob.glob(f"/dev/shm/torchada-musa-*-{environment()['TORCHADA_HOST_ACCOUNT']}"):
        os.unlink(path)


class Gmi(unittest.TestCase):
    def answer(self, *arguments, **more):
        done = gmi(*arguments, **more)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return done.stdout

    def table(self, processes):
        text = re.sub("^" + DATE, "DATE", self.answer())
        text = re.sub(ADDRESS, "ADDRESS", text)
        self.assertEqual(TABLE.replace("PROCESSES", processes).splitlines(),
                         [line.rstrip() for line in text.splitlines()])

    def test_table(self):
        program = os.path.realpath(sys.executable)
        with user() as process:
            self.table(f"1    {process:<13} {program:<38} 48MiB")

    def test_table_without_processes(self):
        text = self.answer()
        self.assertIn("|0%    0MiB(100MiB)\n", text)
        self.assertTrue(text.endswith("-+\n   No running processes found\n" + "-" * 69 + "\n"), text)

    def test_json(self):
        with user():
            told = json.loads(self.answer("-q", "--json"))
            self.assertEqual(told.keys(), json.loads(self.answer("--query", "-j")).keys())
        self.assertRegex(told.pop("Timestamp"), f"^{DATE}$")
        devices = told.pop("GPU")
        self.assertEqual({"Driver Version": "5.2.0", "Attached GPUs": "2"}, told)
        self.assertEqual(2, len({device.pop("GPU UUID") for device in devices}))
        self.assertRegex(devices[1]["PCI"].pop("Bus ID"), f"^{ADDRESS}$")
        self.assertRegex(devices[1]["PCI"].pop("Bus"), "^0x[0-9A-F]{2}$")
        self.assertEqual({
            "Index": "1", "Product Name": "torchada host (CPU)", "Product Brand": "N/A", "Serial Number": "N/A",
            "MTBios Version": "N/A", "PCI": {"Vendor ID": "N/A", "Device ID": "N/A"},
            "FB Memory Usage": {"Total": "100MiB", "Used": "48MiB", "Free": "52MiB"},
            "Utilization": {"Gpu": "0%", "Memory": "48%", "Encoder": "N/A", "Decoder": "N/A"},
            "Temperature": {"GPU Current Temp": "N/A"},
            "Power Readings": {"Power Draw ": "N/A", "Current Power Limit": "N/A", "Requested Power Limit": "N/A"},
            "Clocks": {"Graphics": "N/A", "Memory": "N/A", "Video": "N/A"}}, devices[1])

    def test_no_device(self):
        told = json.loads(self.answer("-q", "-j", TORCHADA_HOST_DEVICES="0"))
        self.assertEqual(("0", []), (told["Attached GPUs"], told["GPU"]))

    def test_every_tree_tells_its_driver(self):
        for tree, version in VERSIONS.items():
            self.assertIn(f"mthreads-gmi:2.2.0           Driver Version:{version}\n", self.answer(tree=tree))

    def test_version(self):
        self.assertEqual("mthreads-gmi version : 2.2.0\n", self.answer("-v"))

    def test_what_it_does_not_know(self):
        for arguments in (["-q"], ["-L"], ["-q", "-j", "-i"], ["-v", "-q"], ["-j"], [""]):
            done = gmi(*arguments)
            self.assertEqual((2, ""), (done.returncode, done.stdout), arguments)
            self.assertIn("the stand-in knows: mthreads-gmi, mthreads-gmi -v, mthreads-gmi -q --json", done.stderr)

    def test_a_lost_device(self):
        done = gmi(TORCHADA_HOST_LOST="1")
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertRegex(done.stderr, r"^mthreads-gmi: mtml\w+: \S")

    def test_no_place_for_the_answer(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([os.path.join(TREES, "driver/5.2/mthreads-gmi")], env=environment(), stdout=full,
                                  check=False)
        self.assertEqual(1, done.returncode)


if __name__ == "__main__":
    unittest.main()
