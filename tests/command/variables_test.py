"""Environment variables: the manual page, environment.md and the sources have the same ones."""
import os
import re
import subprocess
import sys

import support
from support import STAGE

ROOT = sys.argv.pop()
# Set for the audit module, the beginning of those that the launcher sets, and one for developers of
# the compiler of device code (src/host/kernels/README.md).
INTERNAL = {"TORCHADA_AUDIT_LIB", "TORCHADA_AUDIT_ABI", "TORCHADA_AUDIT_LEFT_OUT",
            "TORCHADA_SET_ASIDE_", "TORCHADA_KERNELS_KEEP"}


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

    @staticmethod
    def table(*words):
        """The variables in the first column of a document's table."""
        return re.findall(r"(?m)^\| `(TORCHADA_\w+)[^|]* \|", read(*words))

    def test_document(self):
        rows = self.table("packaging", "doc", "environment.md")
        self.assertEqual(sorted(self.listed), sorted(rows))

    def test_sources(self):
        """In the sources, a variable's name is a complete string literal."""
        self.assertEqual(self.listed, set(re.findall(r'"(TORCHADA_[A-Z_]+)"', sources())) - INTERNAL)


if __name__ == "__main__":
    support.main()
