"""Environment variables: the manual page, README.md and the sources must agree."""
import os
import re
import subprocess
import sys

import support
from support import STAGE

ROOT = sys.argv.pop()
INTERNAL = {"TORCHADA_AUDIT_LIB", "TORCHADA_AUDIT_ABI"}  # set for the audit module


def read(*words):
    with open(os.path.join(ROOT, *words), encoding="utf-8") as file:
        return file.read()


def sources():
    listed = subprocess.run(["find", "stubs", "src", "-name", "*.cpp", "-o", "-name", "*.h"], cwd=ROOT, text=True,
                            capture_output=True, check=True)
    return "".join(read(path) for path in listed.stdout.split())


class Variables(support.CommandTest):

    def setUp(self):
        page = read(STAGE, "share", "man", "man1", "torchada.1").split(".SH ENVIRONMENT\n")[1]
        self.listed = set(re.findall(r"(?m)^\.B (TORCHADA_\w+)", page))
        self.assertGreater(len(self.listed), 8)

    def test_readme(self):
        rows = re.findall(r"(?m)^\| (`TORCHADA_[^|]*) \|", read("README.md"))
        self.assertEqual(self.listed, set(re.findall(r"TORCHADA_\w+", "".join(rows))))

    def test_sources(self):
        """In the sources, a variable's name is a complete string literal."""
        self.assertEqual(self.listed, set(re.findall(r'"(TORCHADA_[A-Z_]+)"', sources())) - INTERNAL)


if __name__ == "__main__":
    support.main()
