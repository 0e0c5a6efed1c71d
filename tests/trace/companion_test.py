"""The companion as a file: it contains what it needs and exports none of that."""
import os
import re
import subprocess
import unittest

import support

COMPANION = os.path.join(support.STAGE, "libexec", "torchada_companion.so")
ALLOWED = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}


def tool(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class File(unittest.TestCase):

    def test_needs_libc_alone(self):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "-dW", COMPANION)))
        self.assertLessEqual({"libc.so.6"}, needed)
        self.assertEqual(set(), needed - ALLOWED)

    def test_exports_its_interface_alone(self):
        names = [line.split()[-1].split("@")[0]
                 for line in tool("nm", "-D", "--defined-only", COMPANION).splitlines()]
        self.assertIn("torchada_companion_trace", names)
        self.assertEqual([], [name for name in names if not name.startswith("torchada_companion_")])

    def test_segments(self):
        text = tool("readelf", "-lW", COMPANION)
        self.assertRegex(text, r"GNU_STACK +(0x\w+ +){5}RW ")
        for flags in re.findall(r"LOAD +(?:0x\w+ +){5}([RWE ]{3}) ", text):
            self.assertFalse("W" in flags and "E" in flags, text)
        self.assertNotRegex(text, r"(?m)^ *TLS ")  # dlopen may have no room for it.
        self.assertIn("NODELETE", tool("readelf", "-dW", COMPANION))

    def test_beside_others(self):
        """A program with its own C++ library and libffi, which it uses meanwhile."""
        script = ("import ctypes; c = ctypes.CDLL('libcudart.so.12'); s = ctypes.CDLL('libstdc++.so.6');"
                  "f = ctypes.CFUNCTYPE(None, ctypes.c_void_p); seen = [];"
                  "g = f(lambda data: seen.append(data));"
                  "assert c.cudaLaunchHostFunc(None, g, ctypes.c_void_p(5)) == 0;"
                  "assert c.cudaStreamSynchronize(None) == 0; assert seen == [5]; print('good')")
        python = os.path.realpath("/usr/bin/python3")
        ended = support.start(python, "-c", script, TORCHADA_TRACE="text")
        self.assertEqual("good\n", ended.stdout, str(ended))
        self.assertRegex(ended.stderr, r"callback \S+.*\(userData=0x5\) given to cudaLaunchHostFunc")


if __name__ == "__main__":
    unittest.main()
