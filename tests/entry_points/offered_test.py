"""To whom the runtime gives the driver's functions: to programs that are offered torchada's own
libcuda.so.1. To all others it answers as without a driver.

 offered_test.py STAGE LIBCUDART CC"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

STAGE, CUDART, CC = sys.argv[1:]
del sys.argv[1:]
LIB = os.path.join(STAGE, "lib")
FOLDER = os.path.join(LIB, "driver")
DRIVER = os.path.join(FOLDER, "libcuda.so.1")
MUSA = os.path.join(STAGE, "host", "current")
NOT_FOUND = "not found: this process is not offered libcuda.so.1; torchada run offers it"

# Asks for a function of the driver, loads the file in argv[2] and asks again. Prints the status,
# the answer (CUDA 12 and later) and the file of the function that was found.
ASK = """
import ctypes, os, sys
class Info(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("address", ctypes.c_void_p)]
runtime = ctypes.CDLL(sys.argv[1])
def ask():
    function, answer = ctypes.c_void_p(1), ctypes.c_int(-1)
    rest = [] if "11.0" in sys.argv[1] else [ctypes.byref(answer)]
    status = runtime.cudaGetDriverEntryPoint(b"cuMemAlloc", ctypes.byref(function), ctypes.c_ulonglong(0), *rest)
    info = Info()
    found = function.value and ctypes.CDLL(None).dladdr(function, ctypes.byref(info))
    print(status, answer.value, os.path.realpath(info.file.decode()) if found else None,
          info.name.decode() if found and info.name else None)
ask()
if len(sys.argv) > 2:
    ctypes.CDLL(sys.argv[2])
    ask()
"""

# If it is opened, it ends the process.
FOREIGN = ("#include <unistd.h>\n"
           "__attribute__((constructor)) static void opened(void) { _exit(42); }\n"
           "int cuGetProcAddress_v2(void) { return 0; }\n")
QUIET = "int cuGetProcAddress_v2(void) { return 0; }\n"

OLD = "11.0" in CUDART
NONE = ["500" if OLD else "0", "-1" if OLD else "1", "None", "None"]
FOUND = ["0", "-1" if OLD else "0", os.path.realpath(DRIVER), "cuMemAlloc_v2"]


class Offered(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def foreign(self, text=FOREIGN):
        """A folder with a library of that name that is not ours."""
        folder = tempfile.mkdtemp(dir=self.folder)
        subprocess.run([CC, "-shared", "-fPIC", "-x", "c", "-", "-o", os.path.join(folder, "libcuda.so.1")],
                       input=text, text=True, check=True)
        return folder

    def ask(self, *words, command=(), **variables):
        result = subprocess.run([*command, sys.executable, "-c", ASK, *(words or [os.path.join(LIB, CUDART)])],
                                capture_output=True, text=True, timeout=50, check=False,
                                env={"PATH": "/usr/bin:/bin", "TORCHADA_MUSA_PATH": MUSA, "TORCHADA_LOG": "info",
                                     **variables})
        self.assertEqual(0, result.returncode, result.stdout + result.stderr)
        return [line.split() for line in result.stdout.splitlines()], result.stderr

    def expect_none(self, *words, **variables):
        answers, lines = self.ask(*words, **variables)
        self.assertEqual([NONE], answers)
        self.assertIn(NOT_FOUND, lines)

    def expect_found(self, *words, **variables):
        self.assertEqual([FOUND], self.ask(*words, **variables)[0])

    def test_not_by_the_library_path_alone(self):
        """As release 0.1, which had no such library."""
        self.expect_none()
        self.expect_none(CUDART, LD_LIBRARY_PATH=LIB)
        for major in ("cu11", "cu12", "cu13"):
            if os.path.exists(os.path.join(LIB, major, CUDART)):
                self.expect_none(CUDART, LD_LIBRARY_PATH=os.path.join(LIB, major))

    def test_under_torchada_run(self):
        for via in ("audit", "path", "preload"):
            self.expect_found(CUDART, command=[os.path.join(STAGE, "bin", "torchada"), "run", "--via=" + via, "--"])

    def test_left_out_by_only(self):
        run = [os.path.join(STAGE, "bin", "torchada"), "run"]
        self.assertEqual([NONE], self.ask(CUDART, command=[*run, "--only=cudart", "--"])[0])
        self.expect_found(CUDART, command=[*run, "--only=cudart,cuda", "--"])

    def test_by_either_variable(self):
        for name in ("LD_LIBRARY_PATH", "TORCHADA_AUDIT_LIB"):
            for value in (FOLDER, LIB + ":" + FOLDER, "/nonexistent:" + FOLDER + "/:" + LIB):
                self.expect_found(**{name: value})

    def test_loaded_by_the_program(self):
        """Wherever it lies, and also after a question that found none."""
        self.assertEqual([NONE, FOUND], self.ask(os.path.join(LIB, CUDART), DRIVER)[0])
        copy = shutil.copy(DRIVER, self.folder)
        self.assertEqual([NONE, [*FOUND[:2], os.path.realpath(copy), FOUND[3]]],
                         self.ask(os.path.join(LIB, CUDART), copy)[0])

    def test_another_library_of_that_name_is_not_opened(self):
        folder = self.foreign()
        for value in (folder, folder + ":" + FOLDER):
            self.expect_none(LD_LIBRARY_PATH=value)
        self.expect_found(LD_LIBRARY_PATH=FOLDER + ":" + folder)

    def test_another_library_that_the_program_loaded(self):
        """It is the program's driver, so there are none of ours."""
        theirs = os.path.join(self.foreign(QUIET), "libcuda.so.1")
        self.assertEqual([NONE, NONE], self.ask(os.path.join(LIB, CUDART), theirs)[0])

    def test_damaged_library(self):
        with open(DRIVER, "rb") as whole, open(os.path.join(self.folder, "libcuda.so.1"), "wb") as cut:
            cut.write(whole.read(100000))
        self.expect_none(LD_LIBRARY_PATH=self.folder)


if __name__ == "__main__":
    unittest.main(verbosity=2)
