"""Where the runtime finds the driver's functions: in torchada's own libcuda.so.1 beside itself, and
nowhere else.

 beside_test.py STAGE LIBCUDART CC"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

STAGE, CUDART, CC = sys.argv[1:]
del sys.argv[1:]
LIB = os.path.join(STAGE, "lib")
MUSA = os.path.join(STAGE, "host", "current")
NOT_FOUND = "not found: there is no libcuda.so.1 of torchada beside this library"

# Prints the status, the answer (CUDA 12 and later) and the file of the function that was found.
ASK = """
import ctypes, os, sys
class Info(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("address", ctypes.c_void_p)]
runtime = ctypes.CDLL(sys.argv[1])
function, answer = ctypes.c_void_p(1), ctypes.c_int(-1)
rest = [] if "11.0" in sys.argv[1] else [ctypes.byref(answer)]
status = runtime.cudaGetDriverEntryPoint(b"cuMemAlloc", ctypes.byref(function), ctypes.c_ulonglong(0), *rest)
info = Info()
found = function.value and ctypes.CDLL(None).dladdr(function, ctypes.byref(info))
print(status, answer.value, os.path.realpath(info.file.decode()) if found else None,
      info.name.decode() if found and info.name else None)
"""

# If it is opened, it ends the process.
FOREIGN = ("#include <unistd.h>\n"
           "__attribute__((constructor)) static void opened(void) { _exit(42); }\n"
           "int cuGetProcAddress_v2(void) { return 0; }\n")


class Beside(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.runtime = os.path.join(self.folder.name, CUDART)
        shutil.copy(os.path.join(LIB, CUDART), self.runtime)

    def ask(self, runtime, **variables):
        result = subprocess.run([sys.executable, "-c", ASK, runtime], capture_output=True, text=True,
                                timeout=50, check=False,
                                env={"PATH": "/usr/bin:/bin", "TORCHADA_MUSA_PATH": MUSA,
                                     "TORCHADA_LOG": "info", **variables})
        self.assertEqual(0, result.returncode, result.stdout + result.stderr)
        return result.stdout.split(), result.stderr

    def expect_none(self, **variables):
        words, lines = self.ask(self.runtime, **variables)
        self.assertEqual("500" if "11.0" in CUDART else "0", words[0])
        self.assertEqual("-1" if "11.0" in CUDART else "1", words[1])
        self.assertEqual(["None", "None"], words[2:])
        self.assertIn(NOT_FOUND, lines)

    def expect_found(self, runtime, driver):
        words, _ = self.ask(runtime)
        self.assertEqual("0", words[0])
        self.assertEqual("-1" if "11.0" in CUDART else "0", words[1])
        self.assertEqual([os.path.realpath(driver), "cuMemAlloc_v2"], words[2:])

    def test_in_the_same_folder(self):
        self.expect_found(os.path.join(LIB, CUDART), os.path.join(LIB, "libcuda.so.1"))
        driver = os.path.join(self.folder.name, "libcuda.so.1")
        shutil.copy(os.path.join(LIB, "libcuda.so.1"), driver)
        self.expect_found(self.runtime, driver)

    def test_behind_a_link(self):
        os.unlink(self.runtime)
        os.symlink(os.path.join(LIB, CUDART), self.runtime)
        self.expect_found(self.runtime, os.path.join(LIB, "libcuda.so.1"))

    def test_none_there(self):
        self.expect_none()
        # Nor where the loader would find one.
        self.expect_none(LD_LIBRARY_PATH=LIB)

    def test_another_library_of_that_name_is_not_opened(self):
        subprocess.run([CC, "-shared", "-fPIC", "-x", "c", "-", "-o",
                        os.path.join(self.folder.name, "libcuda.so.1")], input=FOREIGN, text=True, check=True)
        self.expect_none()

    def test_damaged_library(self):
        driver = os.path.join(self.folder.name, "libcuda.so.1")
        with open(os.path.join(LIB, "libcuda.so.1"), "rb") as whole, open(driver, "wb") as cut:
            cut.write(whole.read(100000))
        self.expect_none()


if __name__ == "__main__":
    unittest.main(verbosity=2)
