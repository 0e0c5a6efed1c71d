"""torch_musa is in the process before us: its libmusart is used, wherever it came from."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import DRIVER, HOST, NATIVE, STAGE, main

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch_musa_program.py")


class TorchMusa(unittest.TestCase):
    def setUp(self):
        # An installation that no variable names; only the extension's run path leads to it.
        self.sdk = tempfile.mkdtemp(prefix="torchada-sdk-")
        self.addCleanup(shutil.rmtree, self.sdk)
        shutil.copytree(os.path.join(HOST, "lib"), os.path.join(self.sdk, "lib"), symlinks=True)
        shutil.copytree(DRIVER, os.path.join(self.sdk, "lib"), symlinks=True, dirs_exist_ok=True)
        shutil.copy(os.path.join(NATIVE, "like_torch_musa.so"), os.path.join(self.sdk, "lib"))

    def run_program(self, *arguments):
        environment = {**os.environ, "TORCH_LIKE": os.path.join(self.sdk, "lib", "like_torch_musa.so")}
        del environment["TORCHADA_MUSA_PATH"], environment["LD_LIBRARY_PATH"]
        result = subprocess.run(
            [os.path.join(STAGE, "bin", "torchada"), "run", "--backend=host", "--", sys.executable, "-B",
             PROGRAM, *arguments], capture_output=True, text=True, timeout=60, env=environment, check=False)
        self.assertEqual("", result.stderr)
        self.assertEqual(0, result.returncode)
        return result.stdout.split()

    def check_instances(self, paths):
        self.assertEqual(1, len(paths), "one MUSA runtime in the process")
        self.assertTrue(paths[0].startswith(self.sdk), paths)

    def test_wrappers_use_its_instance(self):
        self.check_instances(self.run_program())

    def test_with_a_patch_of_cdll(self):
        self.check_instances(self.run_program("--patched"))


if __name__ == "__main__":
    main()
