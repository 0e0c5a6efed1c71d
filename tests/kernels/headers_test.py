"""cpu.md's table of the toolkit's headers: it has each one, and each compiles with a kernel unless the table says no.

headers_test.py COMPILER HEADERS CPU_MD NVCC."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import unittest

import toolkit

COMPILER, HEADERS, PAGE, NVCC = sys.argv[1:5]
FOLDERS = ("cuda", "cuda/std")


def table():
    """{header: what the table says}. The first name of a row may give those that follow their folder."""
    with open(PAGE, encoding="utf-8") as file:
        part = file.read().split("### Headers of the toolkit")[1].split("\n### ")[0]
    found = {}
    for row in re.findall(r"^\| (.*`.*) \| (.*) \|$", part, re.M):
        folder = ""
        for name in re.findall(r"`([^`]+)`", row[0]):
            if name.endswith("/..."):
                folder = name[:-3]
            elif "/" in name or not folder:
                found[name] = row[1]
                folder = folder or (os.path.dirname(name) + "/" if "/" in name else "")
            else:
                found[folder + name] = row[1]
    return found


def installed(toolkit):
    """The headers of libcu++ that have no underscores."""
    for folder in FOLDERS:
        where = os.path.join(toolkit, "cccl", folder)
        for name in sorted(os.listdir(where)):
            if not name.startswith("__") and os.path.isfile(os.path.join(where, name)):
                yield folder + "/" + name


def compiled(header):
    with tempfile.TemporaryDirectory(prefix="torchada-headers-") as folder:
        source = os.path.join(folder, "source.cu")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <%s>\n__global__ void kernel(int* p) { *p = 1; }\n" % header)
        run = subprocess.run([COMPILER, "--headers=" + HEADERS, "--output=" + os.path.join(folder, "image"), "-I",
                              TOOLKIT, "-I", os.path.join(TOOLKIT, "cccl"), "--", source], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
    return run.stdout[-600:] if run.returncode else ""


class Headers(unittest.TestCase):

    def test_all_are_in_the_table(self):
        self.assertEqual([], sorted(set(installed(TOOLKIT)) - set(table())))

    def test_each_compiles(self):
        names = table()
        self.assertGreater(len(names), 60)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = dict(zip(names, pool.map(compiled, names)))
        for name, log in said.items():
            with self.subTest(name):
                self.assertEqual(names[name].startswith("not there"), bool(log), log)


if __name__ == "__main__":
    if not os.access(NVCC, os.X_OK):
        print("SKIPPED: no toolkit here, so the table of its headers was NOT tried")
        sys.exit(77)
    TOOLKIT = toolkit.headers(NVCC)
    unittest.main(argv=sys.argv[:1], testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
