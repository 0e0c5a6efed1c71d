"""MUSA installations that are damaged or do not fit together: the answers are those of a machine
without a driver, one line names the file, and nothing crashes."""
import os
import shutil
import tempfile
import unittest

from support import DRIVER, HOST, NATIVE, main, run_python

ASK = """
import ctypes
cudart = ctypes.CDLL("libcudart.so.12")
count = ctypes.c_int(-7)
print("cudart", cudart.cudaGetDeviceCount(ctypes.byref(count)), count.value)
curand = ctypes.CDLL("libcurand.so.10")
print("curand", curand.curandSetStream(None, None))
nccl = ctypes.CDLL("libnccl.so.2")
print("nccl", nccl.ncclGetUniqueId(ctypes.create_string_buffer(128)))
"""
# cuRAND reports the null generator, with or without a driver.
NO_DRIVER = ["cudart 35 -7", "curand 101", "nccl 1"]


class BrokenRoots(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = os.path.join(self.folder.name, "musa")
        self.lib = os.path.join(self.root, "lib")
        shutil.copytree(os.path.join(HOST, "lib"), self.lib, symlinks=False)
        shutil.copytree(DRIVER, self.lib, symlinks=False, dirs_exist_ok=True)

    def path(self, name):
        return os.path.join(self.lib, name)

    def ask(self):
        result = run_python(ASK, TORCHADA_MUSA_PATH=self.root)
        self.assertEqual(0, result.returncode, result.stderr)
        return result.stdout.split("\n")[:-1], result.stderr

    def damage(self, name, edit):
        with open(self.path(name), "rb") as file:
            content = file.read()
        with open(self.path(name), "wb") as file:
            file.write(edit(content))

    def test_whole(self):
        answers, stderr = self.ask()
        self.assertEqual("cudart 0 1", answers[0])
        self.assertEqual("nccl 0", answers[2])
        self.assertEqual("", stderr)

    def test_damaged_runtime(self):
        for what, edit in {
                "truncated": lambda content: content[:5000],
                "not an ELF file": lambda content: b"<html>404 Not Found</html>",
                "built for another machine": lambda content: content[:18] + b"\xb7\x00" + content[20:],
        }.items():
            with self.subTest(what):
                shutil.copy(os.path.join(HOST, "lib", "libmusart.so.5"), self.path("libmusart.so.5"))
                self.damage("libmusart.so.5", edit)
                answers, stderr = self.ask()
                self.assertEqual(NO_DRIVER, answers)
                self.assertIn(f"cannot open {self.path('libmusart.so.5')}: {what}\n", stderr)

    def test_empty_root(self):
        shutil.rmtree(self.lib)
        answers, stderr = self.ask()
        self.assertEqual(NO_DRIVER, answers)
        self.assertIn(f"no MUSA found below TORCHADA_MUSA_PATH={self.root}; ", stderr)

    def test_half_missing(self):
        for name in os.listdir(self.lib):
            if "murand" in name:
                os.remove(self.path(name))
        answers, stderr = self.ask()
        self.assertEqual(["cudart 0 1", "curand 101", "nccl 0"], answers)
        self.assertIn(f"no usable libmurand in {self.lib}; first call: curandSetStream", stderr)
        self.assertEqual(1, stderr.count("\n"), stderr)

    def test_damaged_sibling(self):
        self.damage("libmccl.so.2", lambda content: content[:5000])
        answers, stderr = self.ask()
        self.assertEqual("nccl 1", answers[2])
        self.assertIn(f"cannot open {self.path('libmccl.so.2')}: truncated\n", stderr)

    def test_sibling_of_another_sdk(self):
        # A runtime of SDK 4 with siblings left over from SDK 5, which need a file that does not
        # exist.
        for name in os.listdir(self.lib):
            if name.startswith("libmusart"):
                os.remove(self.path(name))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.4"), self.path("libmusart.so.4"))
        answers, stderr = self.ask()
        self.assertEqual(["cudart 0 4", "curand 101", "nccl 1"], answers)
        self.assertIn(f"cannot open {self.path('libmccl.so.2')}: libmusart.so.5: ", stderr)


if __name__ == "__main__":
    main()
