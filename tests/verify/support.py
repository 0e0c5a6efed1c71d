"""Shared by the tests of verify. Standard library only. CMakeLists.txt sets the environment."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

STAGE = os.path.realpath(os.environ["VERIFY_STAGE"])
TABLES = os.path.join(STAGE, "..", "generated", "tables.json")  # What share/tables.bin holds.
SPOILT = os.path.realpath(os.environ["VERIFY_SPOILT"])  # TREE/libX.so: libraries with faults
SOURCE = os.path.realpath(os.environ["VERIFY_SOURCE"])
GENERATOR = os.environ["VERIFY_GENERATOR"]
TORCHADA = os.path.join(STAGE, "bin", "torchada")
# Every start of verify compiles the same device code.
COMPILED = tempfile.TemporaryDirectory(prefix="torchada-verify-compiled-")
os.environ["TORCHADA_HOST_COMPILE_CACHE"] = COMPILED.name
HIDE_NAMES = os.path.join(SOURCE, "tests", "sdks", "hide_names.py")


def tree(sdk):
    return os.path.join(STAGE, "host", sdk)


class Run:
    def __init__(self, *words, **environment):
        self.command = words
        ended = subprocess.run(words, env={**os.environ, **environment}, capture_output=True,
                               text=True, errors="backslashreplace", stdin=subprocess.DEVNULL,
                               timeout=800, check=False)
        self.status, self.stdout, self.stderr = ended.returncode, ended.stdout, ended.stderr

    def __str__(self):
        return "%s\nstatus %d\nstdout:\n%s\nstderr:\n%s" % (
            " ".join(self.command), self.status, self.stdout[:6000], self.stderr[:4000])


class Report:
    def __init__(self, text):
        self.all = json.loads(text)
        self.results = {item["id"]: item for item in self.all["results"]}

    def of(self, result):
        return {id for id, item in self.results.items() if item["result"] == result}


def verify(root, *words, **environment):
    """Returns the run and its report."""
    with tempfile.TemporaryDirectory(prefix="torchada-verify-") as folder:
        path = os.path.join(folder, "report.json")
        # Compiling takes longer than a probe's usual time on a machine with other work.
        run = Run(TORCHADA, "verify", "--musa-root=" + root, "--report=" + path, "--timeout=60", "--jobs=8",
                  *words, **environment)
        report = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                report = Report(file.read())
        return run, report


class VerifyTest(unittest.TestCase):
    maxDiff = None

    def folder(self):
        folder = tempfile.mkdtemp(prefix="torchada-verify-")
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def copy_of(self, sdk, spoilt=()):
        """A tree of links to the real one and its driver. Replaces the libraries named in `spoilt` by faulty ones.
        """
        root = self.folder()
        lib = os.path.join(root, "lib")
        os.mkdir(lib)
        os.symlink(os.path.join(tree(sdk), "version.json"), os.path.join(root, "version.json"))
        driver = os.path.join(STAGE, "host", "driver", os.path.basename(os.path.realpath(tree(sdk))))
        for target in (os.path.join(real, name) for real in (os.path.join(tree(sdk), "lib"), driver)
                       for name in os.listdir(real)):
            name = os.path.basename(target)
            stem = name.split(".so")[0]
            if stem[3:] in spoilt:
                target = os.path.join(SPOILT, sdk, stem + ".so")
            os.symlink(target, os.path.join(lib, name))
        return root


def processes_with(word):
    """Processes whose command line has the word."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % number, "rb") as file:
                if word.encode() in file.read() and int(number) != os.getpid():
                    found.append(int(number))
        except OSError:
            continue
    return found


def main():
    program = unittest.main(exit=False, testRunner=unittest.TextTestRunner(stream=sys.stdout,
                                                                           verbosity=2))
    sys.exit(0 if program.result.wasSuccessful() else 1)
