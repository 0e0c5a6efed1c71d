"""The RPM of build-rpm.sh: what it contains, and its life in a root of its own, beside running programs."""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from packages import ENVIRONMENT, OLDEST_GLIBC, SOURCE, build, installed, next_sources, read

PROGRAMS = os.path.join(SOURCE, "tests", "packages", "programs")


class Rpm(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="torchada-rpm-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.tree = installed(cls.folder)
        cls.package, = build("rpm", cls.tree, os.path.join(cls.folder, "dist"))

    def next_release(self):
        """The package of sources that call themselves 0.99, from a changed tree."""
        source = next_sources(self.folder, "LICENSE", "packaging/build-rpm.sh", "packaging/tree.sh",
                              "packaging/debian/torchada.install")
        tree = os.path.join(self.folder, "next-tree")
        shutil.copytree(self.tree, tree, symlinks=True, ignore=shutil.ignore_patterns("host", "reference", "only"))
        os.rename(os.path.join(tree, "share", "doc", "nvml.md"), os.path.join(tree, "share", "doc", "new.md"))
        read("gzip", "-r", os.path.join(tree, "share", "man"))  # As in the archives.
        return build("rpm", tree, os.path.join(self.folder, "dist"), source)[0]

    def test_same_bytes(self):
        """Of the tree when its files are older, as those of another checkout may be."""
        read("find", self.tree, "-exec", "touch", "-h", "-d", "2001-02-03", "{}", "+")
        digests = set()
        for package in (self.package, *build("rpm", self.tree, os.path.join(self.folder, "again"))):
            with open(package, "rb") as file:
                digests.add(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(1, len(digests))

    def test_contents(self):
        names = read("rpm", "-qpl", self.package).split()
        for name in ("/usr/bin/torchada", "/opt/torchada/libexec/torchada", "/opt/torchada/lib/cu13/libcublas.so.13",
                     "/opt/torchada/lib/driver/libcuda.so.1", "/opt/torchada/lib/profiler/libcupti.so.13",
                     "/opt/torchada/lib64", "/usr/share/man/man1/torchada-run.1.gz", "/opt/torchada/share/tables.bin",
                     "/usr/share/zsh/site-functions/_torchada", "/usr/share/licenses/torchada/LICENSE"):
            self.assertIn(name, names)
        self.assertEqual([], [name for name in names if "/host" in name or "/include" in name])
        needs = {line for line in read("rpm", "-qpR", self.package).splitlines() if not line.startswith("rpmlib(")}
        self.assertEqual({"libc.so.6(GLIBC_%s)(64bit)" % OLDEST_GLIBC}, needs)

    def test_rpmlint(self):
        said = read("rpmlint", "-r", os.path.join(SOURCE, "packaging", "rpmlint.filters"), self.package)
        self.assertRegex(said, r"\b0 errors, 0 warnings", said)

    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: rpm --root needs root")
    def test_life(self):
        root = os.path.join(self.folder, "root")
        os.makedirs(os.path.join(root, "tmp"))
        rpm = ["rpm", "--root", root, "--dbpath", "/var/lib/rpm"]
        self.assertIn("GLIBC_" + OLDEST_GLIBC, read(*rpm, "-i", self.package, status=1))  # This root has no glibc.
        read(*rpm, "-i", "--nodeps", self.package)
        self.assertEqual("", read(*rpm, "-V", "--nodeps", "torchada"))
        there = os.path.join(root, "opt", "torchada")
        self.assertIn("torchada 0.", read(os.path.join(root, "usr", "bin", "torchada"), "--version"))
        self.assertTrue(os.path.samefile(os.path.join(there, "lib", "libcudart.so.12"),
                                         os.path.join(there, "lib", "cu12", "libcudart.so.12")))
        for step, new in ((["-U", "--nodeps", self.next_release()], True),
                          (["-U", "--nodeps", "--oldpackage", self.package], False), (["-e", "torchada"], None)):
            program = subprocess.Popen(
                [sys.executable, os.path.join(PROGRAMS, "waiting.py")], text=True,
                env={**ENVIRONMENT, "LD_LIBRARY_PATH": os.path.join(there, "lib")},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.assertEqual("before 35\n", program.stdout.readline())
            read(*rpm, *step)
            self.assertEqual("after 0 12 True True 35\n", program.communicate("\n")[0])
            if step[0] == "-U":
                self.assertEqual("", read(*rpm, "-V", "--nodeps", "torchada"))
                self.assertEqual(new, os.path.exists(os.path.join(there, "share", "doc", "new.md")))
        left = [os.path.join(where, name) for where, _, names in os.walk(root) for name in names if "/rpm" not in where]
        self.assertEqual([], left)
        self.assertFalse(os.path.exists(there))


if __name__ == "__main__":
    unittest.main(verbosity=2)
