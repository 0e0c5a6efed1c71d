"""The result of `cmake --install`: complete, relocatable, found by CMake and pkg-config. Every file
belongs to one of the Debian packages."""
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXAMPLE = os.path.join(SOURCE, "tests", "packages", "example")
DEBIAN = os.path.join(SOURCE, "packaging", "debian")
BUILD = os.environ["PACKAGES_BUILD"]
MAJORS = ("11", "12", "13")
with open(os.path.join(SOURCE, "mappings", "libraries.yaml"), encoding="utf-8") as registry:
    LIBRARIES = yaml.safe_load(registry)["libraries"]


def run(*command, **variables):
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **variables}
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)


class Installed(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="torchada-packages-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        first = os.path.join(cls.folder, "first")
        result = run("cmake", "--install", BUILD, "--prefix", first)
        if result.returncode != 0:
            raise AssertionError(result.stdout[-3000:])
        # After the move, files with absolute paths no longer work.
        cls.prefix = os.path.join(cls.folder, "moved-here")
        os.rename(first, cls.prefix)

    def done(self, result, status=0):
        self.assertEqual(status, result.returncode, result.stdout)
        return result.stdout

    def configured(self, *words):
        folder = tempfile.mkdtemp(dir=self.folder)
        return folder, run(
            "cmake", "-S", EXAMPLE, "-B", folder, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + self.prefix, *words)

    def test_cmake(self):
        for major in (None, *MAJORS):
            with self.subTest(major=major):
                folder, result = self.configured(*([] if major is None else ["-DTORCHADA_CUDA_MAJOR=" + major]))
                self.done(result)
                self.done(run("cmake", "--build", folder))
                said = self.done(run(os.path.join(folder, "example")))
                self.assertRegex(said, r"\Aactive 1, runtime %s, cuBLAS %s, NCCL 2, cudaMalloc 1\n\Z"
                                 % ((major or "12",) * 2))

    def test_cmake_has_every_library(self):
        folder, result = self.configured("-DALSO=" + ";".join(LIBRARIES))
        self.done(result)
        self.done(run("cmake", "--build", folder))
        program = os.path.join(folder, "example")
        self.assertIn("active 1", self.done(run(program)))
        needed = self.done(run("readelf", "-d", program))
        for name, library in LIBRARIES.items():
            self.assertTrue(any("[%s]" % soname in needed for soname in library["sonames"]), name)

    def test_cmake_refuses(self):
        for words, text in ((["-DTORCHADA_CUDA_MAJOR=10"], "there is no CUDA major 10"),):
            said = self.configured(*words)[1]
            self.assertNotEqual(0, said.returncode)
            self.assertIn(text, said.stdout)

    def test_pkg_config(self):
        path = os.path.join(self.prefix, "lib", "pkgconfig")
        said = self.done(run("pkg-config", "--cflags", "--libs", "torchada", PKG_CONFIG_PATH=path))
        program = os.path.join(self.folder, "by-pkg-config")
        libraries = self.done(run("pkg-config", "--variable=libdir", "torchada", PKG_CONFIG_PATH=path)).strip()
        self.assertTrue(os.path.samefile(libraries, os.path.join(self.prefix, "lib")), libraries)
        self.done(run("sh", "-c", "cc %s -o '%s' %s -lcudart -lcublas -lnccl '-Wl,-rpath,%s' '-Wl,-rpath-link,%s'"
                      % (os.path.join(EXAMPLE, "example.c"), program, said.strip(), libraries, libraries)))
        self.assertIn("active 1, runtime 12", self.done(run(program)))

    def test_command(self):
        said = self.done(run(os.path.join(self.prefix, "bin", "torchada"), "run", "--backend=host", "--",
                             sys.executable, os.path.join(SOURCE, "packaging", "quickstart", "copy.py")))
        self.assertIn("equal", said)

    def test_needs(self):
        """bin/torchada is static. Everything else of the package runs with glibc 2.17 alone."""
        launcher = os.path.join(self.prefix, "bin", "torchada")
        self.assertNotIn("NEEDED", self.done(run("readelf", "-dW", launcher)))
        self.assertNotIn("INTERP", self.done(run("readelf", "-lW", launcher)))
        patterns = (os.path.join(self.prefix, name) for name in ("libexec/*", "lib/lib*.so.*"))
        files = [file for pattern in patterns for file in glob.glob(pattern)]
        ours = {os.path.basename(file) for file in files}
        for file in files:
            needed = set(re.findall(r"NEEDED.*\[(.*)\]", self.done(run("readelf", "-dW", file))))
            self.assertRegex(" ".join(needed - ours), r"^((ld-linux-x86-64|lib(c|m|dl|pthread|rt))\.so\.\d ?)*$", file)
            versions = re.findall(r"GLIBC_2\.(\d+)", self.done(run("readelf", "-VW", file)))
            self.assertLessEqual(max(map(int, versions), default=0), 17, file)

    def test_bind_mount(self):
        """The package's directory without update-alternatives: names without a major do not exist.
        """
        lib = os.path.join(self.prefix, "lib")
        program = os.path.join(SOURCE, "tests", "packages", "programs", "which_cudart.py")
        names = [name for name in ("libcudart.so", "libcublas.so", "libcublasLt.so")]
        for name in names:
            target = os.path.join(lib, name)
            self.addCleanup(os.symlink, os.readlink(target), target)
            self.addCleanup(os.unlink, target)
            os.unlink(target)
            os.symlink("/etc/alternatives/torchada-missing", target)
        for name in ("libcudart.so", "libcudart.so.12"):
            said = self.done(run(os.path.join(self.prefix, "bin", "torchada"), "run", "--backend=host", "--",
                                 sys.executable, program, name))
            self.assertIn("libcudart.so.12", said)

    def test_names_without_a_major(self):
        """They lead to the default major, in lib/ and in the folders below it."""
        lib = os.path.join(self.prefix, "lib")
        with open(os.path.join(self.prefix, "share", "layout.txt"), encoding="utf-8") as layout:
            lines = [line.split() for line in layout]
        default = lines[0][1]
        files = [file for file, _, *majors in lines[1:] if default in majors]
        self.assertTrue({"libcudart.so.12", "profiler/libcupti.so.12", "driver/libcuda.so.1"} <= set(files), files)
        for file in files:
            plain = os.path.join(lib, file.split(".so")[0] + ".so")
            self.assertEqual(os.path.basename(file), os.readlink(plain), plain)

    def files(self):
        for folder, _, names in os.walk(self.prefix):
            for name in names:
                yield os.path.relpath(os.path.join(folder, name), self.prefix)

    def patterns(self):
        """Maps each package to the paths in its lists, below /opt/torchada."""
        out = {}
        for name in os.listdir(DEBIAN):
            package, _, kind = name.rpartition(".")
            if kind not in ("install", "manpages"):
                continue
            with open(os.path.join(DEBIAN, name), encoding="utf-8") as lines:
                out.setdefault(package, []).extend(
                    line.split()[0].removeprefix("debian/tmp/").removeprefix("opt/torchada/") for line in lines)
        return out

    def test_every_file_is_in_one_package(self):
        patterns = self.patterns()
        unused = {(package, pattern) for package, all_of in patterns.items() for pattern in all_of}
        links = {"lib64"}
        for file in sorted(set(self.files()) | links):
            steps = file.split(os.sep)
            above = [os.sep.join(steps[:count]) for count in range(1, len(steps) + 1)]
            found = {(package, pattern) for package, all_of in patterns.items() for pattern in all_of
                     # An asterisk does not match a slash.
                     if any(len(part.split("/")) == len(pattern.split("/")) and fnmatch.fnmatch(part, pattern)
                            for part in above)}
            self.assertEqual(1, len({package for package, _ in found}), "%s: %s" % (file, found))
            unused -= found
        self.assertEqual(set(), unused)


if __name__ == "__main__":
    unittest.main(verbosity=2)
