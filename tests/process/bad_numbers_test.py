"""Variables with numbers whose value is none, or is out of range: a line names the variable, the value and what is
expected, and the default holds. Lists of devices (CUDA_VISIBLE_DEVICES) are visible_devices_test.py's."""
import os
import re
import subprocess
import sys
import unittest

from support import COMPILES

STAGE = os.environ["PROCESS_STAGE"]
HOST = os.path.join(STAGE, "host", "current", "lib")
DRIVER = os.path.join(STAGE, "host", "driver", os.path.basename(os.path.realpath(os.path.dirname(HOST))))

# What a program is told, or what it gets.
DEVICES = """
musa = opened("libmusart.so")
count, free, total = c_int(-1), c_size_t(), c_size_t()
assert musa.musaGetDeviceCount(byref(count)) == 0
assert musa.musaMemGetInfo(byref(free), byref(total)) == 0
print(count.value, total.value)
"""
PROCESSORS = """
musa, count = opened("libmusart.so"), c_int(-1)
assert musa.musaDeviceGetAttribute(byref(count), 16, 0) == 0
print(count.value)
"""
MANAGEMENT = """
mtml = opened("libmtml.so")
library, device, name = c_void_p(), c_void_p(), create_string_buffer(32)
assert mtml.mtmlLibraryInit(byref(library)) == 0
assert mtml.mtmlLibraryInitDeviceByIndex(library, 0, byref(device)) == 0
print(mtml.mtmlDeviceGetName(device, name, 32))
"""
PRODUCT = """
musa, blas = opened("libmusart.so"), opened("libmublas.so")
handle, memory, one, N = c_void_p(), c_void_p(), c_float(1), 111
assert blas.mublasCreate(byref(handle)) == 0 and musa.musaMalloc(byref(memory), c_size_t(1 << 20)) == 0
print(blas.mublasSgemm(handle, N, N, 300, 300, 300, byref(one), memory, 300, memory, 300, byref(one), memory, 300),
      musa.musaDeviceSynchronize())
"""
# A source with an error is enough: the compiler starts.
COMPILER = """
compiler, program = opened("libmtrtc.so"), c_void_p()
assert compiler.mtrtcCreateProgram(byref(program), b"#error here", None, 0, None, None) == 0
print(compiler.mtrtcCompileProgram(program, 0, None))
"""
VERSION = """
version = c_int()
print(getattr(CDLL(%r), %r)(byref(version)), version.value)
"""
CAPABILITY = """
major = c_int()
print(CDLL("libcudart.so.12").cudaDeviceGetAttribute(byref(major), 75, 0), major.value)
"""

BAD = ["-1", "99999999999999999999999", "1e3", "2x", "x2", " 2", "0x10", "+1", "1.5", "x" * 5000]
FEW = ["-1", "1e3", "x" * 5000]  # of a variable that is read as another of which all are tried
BAD_VERSIONS = ["-1", "12", "12.", ".4", "12.4.", "12.4x", "12.400", "1e3", "99999999999999999999999.1", "+1.2",
                "12.4.5.6", "x" * 5000]
MORE = BAD + ["65"]
HOST_SAYS, LIBRARY_SAYS = "torchada host: ", "torchada: "
VERSIONS = "MAJOR.MINOR or MAJOR.MINOR.PATCH, for example 12.4 or 2.27.3"
EXPECTED = {
    "TORCHADA_HOST_DEVICES": (DEVICES, MORE, "a whole number from 0 to 64"),
    "TORCHADA_HOST_MEMORY": (DEVICES, BAD + ["8GB", "18446744073709551615G"], "a size such as 512M or 8G"),
    "TORCHADA_HOST_ACCOUNT": (DEVICES, ["a/b", "x" * 33, ".."], "a name of up to 32 letters"),
    "TORCHADA_HOST_ARCH": (DEVICES, ["mp_99", "31"], "mp_21, mp_22 or mp_31"),
    "TORCHADA_HOST_LOST": (MANAGEMENT, MORE + ["0,0", "0,", ",0", "0,1", "0 0"],
                           "numbers of devices below 1, each once, separated by commas"),
    "TORCHADA_HOST_PROCESSORS": (PROCESSORS, FEW + ["0", "1025"], "a whole number from 1 to 1024"),
    "TORCHADA_HOST_THREADS": (PRODUCT, FEW + ["0", "257"], "a whole number from 1 to 256"),
    "TORCHADA_HOST_COMPILE_SECONDS": (COMPILER, FEW + ["604801"], "a whole number from 0 to 604800"),
    "TORCHADA_COMPUTE_CAPABILITY": (CAPABILITY, BAD_VERSIONS + ["0.5", "8.60", "8.6.0"],
                                    "MAJOR.MINOR, for example 8.6"),
    "TORCHADA_CUDA_VERSION": (VERSION % ("libcudart.so.12", "cudaRuntimeGetVersion"), BAD_VERSIONS, VERSIONS),
    "TORCHADA_NCCL_VERSION": (VERSION % ("libnccl.so.2", "ncclGetVersion"), FEW, VERSIONS),
}
GOOD = (("TORCHADA_HOST_DEVICES", "64"), ("TORCHADA_HOST_MEMORY", "512M"), ("TORCHADA_HOST_ACCOUNT", "a_1"),
        ("TORCHADA_HOST_ARCH", "mp_22"), ("TORCHADA_HOST_LOST", "0"), ("TORCHADA_HOST_THREADS", "256"),
        ("TORCHADA_HOST_PROCESSORS", "1024"),
        ("TORCHADA_HOST_COMPILE_SECONDS", "0"), ("TORCHADA_HOST_COMPILE_SECONDS", "604800"),
        ("TORCHADA_COMPUTE_CAPABILITY", "8.6"), ("TORCHADA_CUDA_VERSION", "12.4"), ("TORCHADA_NCCL_VERSION", "2.27.3"))


def ask(variable, values):
    """What a program says and prints with each of the values; several at a time."""
    code = "from ctypes import *\ndef opened(name):\n  for folder in %r:\n    try: return CDLL(folder + '/' + name)\n" \
           "    except OSError: pass\n%s" % ((HOST, DRIVER), EXPECTED[variable][0])
    for start in range(0, len(values), 4):
        running = []
        for value in values[start:start + 4]:
            environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TORCHADA_MUSA_PATH")}
            if value is not None:
                environment[variable] = value
            running.append((value, subprocess.Popen([sys.executable, "-c", code], env=environment, text=True,
                                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)))
        for value, program in running:
            stdout, stderr = program.communicate(timeout=60)
            yield value, program.returncode, stdout, stderr


class BadNumbers(unittest.TestCase):

    def test_a_line_tells_each_and_the_default_holds(self):
        for variable, (program, values, expected) in EXPECTED.items():
            if program == COMPILER and not COMPILES:
                print("SKIPPED: %s, as there is no compiler of device code" % variable)
                continue
            default = None
            for value, status, stdout, stderr in ask(variable, [None, *values]):
                with self.subTest(variable=variable, value=value and value[:20]):
                    self.assertEqual(0, status, stderr)
                    if value is None:
                        default = stdout
                        self.assertEqual("", stderr)
                        continue
                    self.assertEqual(default, stdout)
                    self.assertEqual(1, stderr.count("\n"), stderr)
                    says = HOST_SAYS if "_HOST_" in variable else LIBRARY_SAYS
                    self.assertTrue(stderr.startswith(says), stderr)
                    self.assertIn("%s=%s" % (variable, value[:60]), stderr)
                    self.assertIn(" is ignored: expected " + expected, stderr)

    def test_good_and_empty_values_are_quiet(self):
        for variable, value in GOOD:
            for given, status, _, stderr in ask(variable, [value, ""]):
                with self.subTest(variable=variable, value=given):
                    self.assertEqual((0, ""), (status, stderr))

    def test_every_variable_with_a_number_is_here(self):
        """By the manual page, which has an example of each value. 1 alone stands for yes."""
        with open(os.path.join(STAGE, "share", "man", "man1", "torchada.1"), encoding="utf-8") as page:
            examples = dict(re.findall(r"^\.B (TORCHADA_\w+)=(\S+)$", page.read(), re.MULTILINE))
        self.assertGreater(len(examples), 20)
        self.assertEqual(sorted(EXPECTED), sorted(
            name for name, example in {**examples, "TORCHADA_HOST_ACCOUNT": "N"}.items()
            if example == "N" or (example != "1" and re.search(r"\d", example))))


unittest.main()
