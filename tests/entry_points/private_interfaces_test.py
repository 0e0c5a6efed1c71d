"""cuGetExportTable serves no table: each caller is told "no device", and one line names it.

 private_interfaces_test.py STAGE ASKER STATIC_PROGRAM CLASS

STATIC_PROGRAM is a program with the static CUDA runtime, or "none"."""
import os
import re
import subprocess
import sys
import unittest

STAGE, ASKER, STATIC = sys.argv[1:4]
del sys.argv[1:4]
LIB = os.path.join(STAGE, "lib")
DRIVER = os.path.join(LIB, "driver", "libcuda.so.1")
NO_DEVICE = 100
LINE = (r"torchada: libcuda\.so\.1: %s needs NVIDIA's own driver: it asks for private interfaces "
        r"\(cuGetExportTable\), as the static CUDA runtime does; returning CUDA_ERROR_NO_DEVICE \(100\)\n")

ASK = """
import ctypes, sys
driver = ctypes.CDLL(%r)
statuses = set()
for path in sys.argv[1:]:
    asker = ctypes.CDLL(path)
    for byte in range(256):
        statuses.add(asker.ask(driver.cuGetExportTable, ctypes.c_ubyte(byte)))
print(sorted(statuses))
""" % DRIVER


def run(*command, **variables):
    return subprocess.run(command, capture_output=True, text=True, timeout=50, check=False,
                          env={"PATH": "/usr/bin:/bin", **variables})


def values(text):
    """{"cudaMalloc": "100"}"""
    return dict(re.findall(r"^(\w+) (.*)$", text, re.MULTILINE))


class Askers(unittest.TestCase):

    def test_every_identifier_gets_no_device_and_each_caller_one_line(self):
        copy = ASKER + ".copy.so"
        with open(ASKER, "rb") as source, open(copy, "wb") as target:
            target.write(source.read())
        result = run(sys.executable, "-c", ASK, ASKER, copy, TORCHADA_MUSA_PATH="/nonexistent")
        self.assertEqual((0, "[%d]\n" % NO_DEVICE), (result.returncode, result.stdout), result.stderr)
        self.assertRegex(result.stderr, r"\A%s%s\Z" % (LINE % re.escape(ASKER), LINE % re.escape(copy)))

    def test_strict_mode_stops(self):
        result = run(sys.executable, "-c", ASK, ASKER, TORCHADA_STRICT="1", TORCHADA_MUSA_PATH="/nonexistent")
        self.assertEqual(-6, result.returncode, result.stderr)
        self.assertIn("needs NVIDIA's own driver", result.stderr)


class StaticRuntime(unittest.TestCase):

    def test_answers_like_a_machine_without_a_device(self):
        result = run(STATIC, LD_LIBRARY_PATH=os.path.dirname(DRIVER),
                     TORCHADA_MUSA_PATH=os.path.join(STAGE, "host", "current"))
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertRegex(result.stderr, r"\A%s\Z" % (LINE % "the program"))
        self.assertEqual({"cudaGetDeviceCount": "100", "cudaMalloc": "100", "cudaDriverGetVersion": "0 13050"},
                         values(result.stdout))

    def test_without_our_driver(self):
        """Otherwise the test above shows nothing."""
        result = run(STATIC, LD_LIBRARY_PATH=LIB)
        self.assertEqual({"cudaGetDeviceCount": "35", "cudaMalloc": "35", "cudaDriverGetVersion": "0 0"},
                         values(result.stdout))


if __name__ == "__main__":
    if "StaticRuntime" in sys.argv and STATIC == "none":
        print("SKIPPED: no libcudart_static.a in /usr/local/cuda; the static runtime was not run")
        sys.exit(77)
    unittest.main(verbosity=2)
