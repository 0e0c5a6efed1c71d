"""Shared by the tests of torchada doctor: a correct installation, and the expected result of a
fault. Standard library only. tests/command/support.py is shared by the tests of all subcommands."""
import os
import shutil
import sys

import support
from support import HOST, NO, OK, SKIPPED, STAGE, TORCHADA, start

FIXTURES = os.environ["DOCTOR_FIXTURES"]
LIB = os.path.join(STAGE, "lib")
MUSA = os.path.join(HOST, "5.2")
PYTHON = "/usr/bin/python3"
NOBODY = 65534


def fixture(name):
    return os.path.join(FIXTURES, name)


def in_order(**changes):
    """An environment without faults."""
    return {"LD_LIBRARY_PATH": LIB, "TORCHADA_MUSA_PATH": MUSA, **changes}


def find(finding, text):
    return any(text in item["value"] or text in item["what"] for item in finding["evidence"])


class DoctorTest(support.CommandTest):

    def examine(self, *words, status=None, command=None, **environment):
        """The findings. Checks what all of them must have."""
        command = command or [TORCHADA]
        result = start(*command, "doctor", "--format=json", *words, **environment)
        # The loader complains about a bad LD_PRELOAD when it starts the doctor itself.
        said = [line for line in result.stderr.splitlines() if "ERROR: ld.so: object" not in line]
        self.assertEqual([], said, str(result))
        answer = result.json()
        errors = [found for found in answer["findings"] if found["severity"] == "error"]
        self.assertEqual(NO if errors else OK, result.status, str(result))
        self.assertEqual(bool(errors), answer["stops"])
        order = ["error", "warning", "note"]
        ranks = [order.index(found["severity"]) for found in answer["findings"]]
        self.assertEqual(sorted(ranks), ranks, str(result))
        for found in answer["findings"]:
            self.assertTrue(found["message"] and found["remedy"], found)
        if status is not None:
            self.assertEqual(status, result.status, str(result))
        return answer["findings"]

    def first(self, fault, *words, severity="error", value="", **environment):
        findings = self.examine(*words, **environment)
        self.assertTrue(findings, "nothing found, not even " + fault)
        found = findings[0]
        self.assertEqual((fault, severity), (found["id"], found["severity"]), findings)
        self.assertTrue(find(found, value), (value, found))
        return findings

    def folder_with(self, **files):
        """A directory with copies. The argument names are file names, the values their sources."""
        folder = self.folder()
        for name, source in files.items():
            shutil.copy(source, os.path.join(folder, name))
        return folder

    def decoys(self, source="decoy12.so", name="libcudart.so.12"):
        folder = self.folder()
        shutil.copy(fixture(source), os.path.join(folder, name))
        return folder

    def musa(self, tree="5.2"):
        """A copy of a tree of the stand-in, with its own driver."""
        root = os.path.join(self.folder(), "musa")
        shutil.copytree(os.path.realpath(os.path.join(HOST, tree)), root, symlinks=True)
        shutil.copytree(os.path.join(HOST, "driver", tree), os.path.join(root, "lib"), symlinks=True,
                        dirs_exist_ok=True)
        return root

    def truncated(self, path):
        with open(path, "rb") as file:
            start_of = file.read(3000)
        os.unlink(path)
        with open(path, "wb") as file:
            file.write(start_of)


def why_skipped():
    if sys.argv[1:] == ["RealStatic"] and not os.access("/usr/local/cuda/bin/nvcc", os.X_OK):
        return "no nvcc: programs with NVIDIA's own static runtime were not tested"
    if sys.argv[1:] == ["Privileged"] and os.geteuid() != 0:
        return "not root: permissions and setuid programs were not tested"
    return None


def main():
    reason = why_skipped()
    if reason:
        print("SKIPPED:", reason)
        sys.exit(SKIPPED)
    support.main()
