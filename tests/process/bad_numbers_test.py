"""Variables of the CPU stand-in whose value is no number, or is out of range: a line names the variable,
the value and what is expected, and the default holds."""
import os
import subprocess
import sys
import unittest

STAGE = os.environ["PROCESS_STAGE"]
ASK = """
import ctypes
musa = ctypes.CDLL("%s/host/current/lib/libmusart.so")
count, free, total = ctypes.c_int(-1), ctypes.c_size_t(), ctypes.c_size_t()
assert musa.musaGetDeviceCount(ctypes.byref(count)) == 0
assert musa.musaMemGetInfo(ctypes.byref(free), ctypes.byref(total)) == 0
print(count.value, total.value)
""" % STAGE

BAD = ["-1", "99999999999999999999999", "1e3", "2x", "x2", " 2", "0x10", "+1", "1.5", "x" * 5000]
EXPECTED = {"TORCHADA_HOST_DEVICES": (BAD + ["65"], "a whole number from 0 to 64"),
            "TORCHADA_HOST_MEMORY": (BAD + ["8GB", "18446744073709551615G"], "a size such as 512M or 8G"),
            "TORCHADA_HOST_ACCOUNT": (["a/b", "x" * 33, ".."], "a name of up to 32 letters"),
            "TORCHADA_HOST_ARCH": (["mp_99", "31"], "mp_21, mp_22 or mp_31")}


class BadNumbers(unittest.TestCase):

    def ask(self, **variables):
        ended = subprocess.run([sys.executable, "-c", ASK], env={"PATH": os.environ["PATH"], **variables},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
                               check=False)
        self.assertEqual(0, ended.returncode, ended.stderr)
        return ended

    def test_a_line_tells_each_and_the_default_holds(self):
        default = self.ask()
        self.assertEqual("", default.stderr)
        for variable, (values, expected) in EXPECTED.items():
            for value in values:
                with self.subTest(variable=variable, value=value[:20]):
                    ended = self.ask(**{variable: value})
                    self.assertEqual(default.stdout, ended.stdout)
                    self.assertEqual(1, ended.stderr.count("\n"), ended.stderr)
                    self.assertTrue(ended.stderr.startswith("torchada host: %s=%s" % (variable, value[:80])),
                                    ended.stderr)
                    self.assertIn(" is ignored: expected " + expected, ended.stderr)

    def test_good_and_empty_values_are_quiet(self):
        for variable, value in (("TORCHADA_HOST_DEVICES", "64"), ("TORCHADA_HOST_DEVICES", ""),
                                ("TORCHADA_HOST_MEMORY", "512M"), ("TORCHADA_HOST_MEMORY", ""),
                                ("TORCHADA_HOST_ACCOUNT", "a_1"), ("TORCHADA_HOST_ARCH", "mp_22")):
            with self.subTest(variable=variable, value=value):
                self.assertEqual("", self.ask(**{variable: value}).stderr)


unittest.main()
