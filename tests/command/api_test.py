"""libtorchada.so and torchada.h: used from C, in all states of a process, and as files."""
import ctypes
import os
import shutil
import subprocess
import sys

import support
from support import HOST, NATIVE, STAGE

LIBRARY = os.path.join(STAGE, "lib", "libtorchada.so")
HEADER = os.path.join(STAGE, "include", "torchada", "torchada.h")


def expected():
    tables = support.real_tables()
    lines = []
    for library in tables["libraries"]:
        for symbol in library["symbols"]:
            for major in library["majors"]:
                lines.append("%s %d %s" % (symbol["name"], major, symbol["standing"]))
    return "\n".join(lines)


class Api(support.CommandTest):

    def run_c(self, runtime, backend, sdk, **environment):
        ended = subprocess.run([os.path.join(NATIVE, "api_test"), runtime, backend, sdk],
                               input=expected(), capture_output=True, text=True, timeout=60,
                               env={**os.environ, **environment}, check=False)
        self.assertEqual((0, "0 failures"), (ended.returncode, ended.stdout.splitlines()[-1]),
                         ended.stdout + ended.stderr)

    def test_stand_in(self):
        for name in ("libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"):
            for tree, sdk in (("3.1", "30100"), ("5.2", "50200")):
                self.run_c(os.path.join(STAGE, "lib", name), "host", sdk,
                           TORCHADA_MUSA_PATH=os.path.join(HOST, tree))

    def test_musa(self):
        root = self.folder()
        os.mkdir(os.path.join(root, "lib"))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.5"), os.path.join(root, "lib"))
        self.run_c(os.path.join(STAGE, "lib", "libcudart.so.12"), "musa", "50207",
                   TORCHADA_MUSA_PATH=root)

    def test_no_musa(self):
        self.run_c(os.path.join(STAGE, "lib", "libcudart.so.12"), "-", "0",
                   TORCHADA_MUSA_PATH="/nonexistent", TORCHADA_LOG="off")

    def test_several_majors(self):
        """If not exactly one major is loaded, the default is 12."""
        library = ctypes.CDLL(LIBRARY)
        for name in ("libcudart.so.11.0", "libcudart.so.13"):
            ctypes.CDLL(os.path.join(STAGE, "lib", name))
        self.assertNotEqual(0, library.torchada_standing(b"cudaGetDeviceProperties_v2"))
        self.assertEqual(1, library.torchada_active())

    def test_header_in_other_languages(self):
        with open(os.path.join(self.folder(), "x.c"), "w", encoding="utf-8") as out:
            out.write("#include <torchada/torchada.h>\nint f(void) { return torchada_active(); }\n")
        for compiler, language in (("cc", "-std=c89"), ("cc", "-std=c11"), ("c++", "-std=c++11")):
            words = [compiler, language, "-x", "c++" if compiler == "c++" else "c", "-Wall",
                     "-Wextra", "-Werror", "-pedantic", "-I", os.path.join(STAGE, "include"),
                     "-fsyntax-only", out.name]
            ended = subprocess.run(words, capture_output=True, text=True, check=False)
            self.assertEqual((0, ""), (ended.returncode, ended.stderr), words)

    def test_numbers_are_those_of_the_table(self):
        """The names in the header are those of the tables, in capitals."""
        with open(HEADER, encoding="utf-8") as file:
            text = file.read()
        for standing in {line.split()[2] for line in expected().splitlines()}:
            self.assertIn("TORCHADA_%s = " % standing.upper(), text)


if __name__ == "__main__":
    assert sys
    support.main()
