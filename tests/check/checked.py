"""Shared by the tests of torchada check: the command's answer, and names by standing."""
import os

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support
from compiled import ours
from support import real_tables, torchada

CANNOT = 4
TRACE = "import os\nopen(os.path.join(%r, 'was_run'), 'w').close()\n"
RUNTIME = ours("libcudart.so.12")


def names_with(standing, abi, library="cudart", decision=None):
    """Names of the tables with this standing. The tests do not depend on which ones these are."""
    found, = [item for item in real_tables()["libraries"]
              if item["name"] == library and abi in item["majors"]]
    return [symbol["name"] for symbol in found["symbols"] if symbol["standing"] == standing
            and decision in (None, symbol["decision"])]


class CheckTest(support.CommandTest):

    def check(self, status, *words, **environment):
        result = torchada("check", "--format=json", *words, **environment)
        self.assertEqual(status, result.status, str(result))
        self.assertEqual("", result.stderr, str(result))
        return result.json()

    def one(self, status, *words):
        reports = self.check(status, *words)["reports"]
        self.assertEqual(1, len(reports), reports)
        return reports[0]

    def write(self, folder, name, contents):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(contents if isinstance(contents, bytes) else contents.encode())
        return path


class ModulesTest(CheckTest):
    """With scripts and what they import."""

    def script(self, text, name="script.py", folder=None):
        return self.write(folder or self.folder(), name, text)

    def module(self, folder, name, text):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return self.write(os.path.dirname(path), os.path.basename(path), text)

    def packages(self):
        """Packages as wheels install them, each with code that must not run."""
        folder = self.folder()
        trace = TRACE % folder
        self.module(folder, "plain/__init__.py", trace + "from . import part\n")
        self.module(folder, "plain/part.py", "def lazily():\n  import opener\n")
        self.module(folder, "opener/__init__.py", trace + "from .driver import *\n")
        self.module(folder, "opener/driver.py",
                    "lib = CDLL('libcudnn.so.97')\nNAMES = {'cudnnCreate': 0}\n")
        self.module(folder, "linked/__init__.py", "from linked._core import *\n")
        self.module(folder, "linked/_core.cpython-311-x86_64-linux-gnu.so",
                    elf_maker.elf(["libcudnn.so.97"]))
        self.module(folder, "spaces/inner/core/__init__.py", "import opener.driver\n")
        self.module(folder, "good.py", "lib.cudaMalloc(p, 1)\n")
        self.module(folder, "code.pth", "import os; open(%r, 'w')\n" %
                    os.path.join(folder, "was_run"))
        self.module(folder, "elsewhere.pth", "# a comment\nmore\n")
        self.module(folder, "more/added.py", "import linked\n")
        return folder

    def importing(self, status, folder, text, *words):
        """The report on a script, which imports the modules of a folder."""
        return self.one(status, "--all", "--python-path=" + folder, *words, self.script(text))
