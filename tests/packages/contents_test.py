"""The output of build-deb.sh: control fields, names and places of files, dependencies of the ELF
files, checksums, and equality of the archive and the packages. Argument: the directory."""
import hashlib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

DIST = os.path.abspath(sys.argv.pop())
SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
GLIBC = (2, 17)
with open(os.path.join(SOURCE, "mappings", "libraries.yaml"), encoding="utf-8") as registry:
    REGISTRY = yaml.safe_load(registry)
LIBRARIES = tuple(REGISTRY["libraries"].values())
DEFAULT_MAJOR = REGISTRY["default_major"]


def read(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(torchada VERSION (\S+)", file.read()).group(1)


def deb(package):
    found = glob.glob(os.path.join(DIST, package + "_*.deb"))
    if len(found) != 1:
        raise AssertionError("%s: %s" % (package, found))
    return found[0]


def field(package, name):
    return read("dpkg-deb", "-f", deb(package), name).strip()


class Unpacked(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="torchada-contents-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for package in ("torchada", "torchada-dev", "torchada-host", "torchada-dbgsym"):
            read("dpkg-deb", "-x", deb(package), os.path.join(cls.folder, package))

    def files(self, package):
        root = os.path.join(self.folder, package)
        out = []
        for folder, folders, names in os.walk(root):
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            out += [os.path.relpath(os.path.join(folder, name), root) for name in names + links]
        return out

    def elf_files(self, package):
        for name in self.files(package):
            path = os.path.join(self.folder, package, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    if file.read(4) == b"\x7fELF":
                        yield name, path

    def test_fields(self):
        for package in ("torchada", "torchada-dev"):
            self.assertEqual(version(), field(package, "Version"))
        self.assertRegex(field("torchada-host", "Version"), "^" + re.escape(version()) + r"\+deb\d+$")
        # Depends only on libc6, in a version that Ubuntu 20.04 has.
        depends = re.fullmatch(r"libc6 \(>= 2\.(\d+)\)", field("torchada", "Depends"))
        self.assertIsNotNone(depends, field("torchada", "Depends"))
        self.assertLessEqual(int(depends.group(1)), GLIBC[1])
        self.assertEqual("torchada (= %s)" % version(), field("torchada-dev", "Depends"))
        # What compiles device code, of the release with which torchada-kernels is linked.
        self.assertRegex(field("torchada-host", "Recommends"),
                         r"^torchada, clang-(\d+), libllvm\1$" if field("torchada-host", "Version").endswith("+deb12")
                         else "^torchada$")
        for package in ("torchada", "torchada-dev", "torchada-host"):
            for name in ("Provides", "Replaces", "Conflicts", "Breaks"):
                self.assertEqual("", field(package, name), name)

    def test_documents(self):
        """A manual page for the command and for each of its commands, the modulefile, the completions."""
        files = self.files("torchada")
        command = os.path.join(self.folder, "torchada", "opt", "torchada", "bin", "torchada")
        names = re.findall(r"^  ([a-z]+) ", read(command, "--help"), re.M)
        self.assertIn("kernels", names)
        for page in ("torchada", *("torchada-" + name for name in names)):
            self.assertIn("usr/share/man/man1/%s.1.gz" % page, files)
        self.assertIn("opt/torchada/share/modulefiles/torchada/" + version(), files)
        for name in ("bash-completion/completions/torchada", "zsh/vendor-completions/_torchada"):
            with open(os.path.join(self.folder, "torchada", "usr", "share", name), encoding="utf-8") as file:
                completions = file.read()
            for word in (*names, "--kernels", "--nvml"):
                self.assertIn(word, completions, name)

    def test_control_files(self):
        for package in ("torchada", "torchada-dev", "torchada-host"):
            names = set(read("dpkg-deb", "--ctrl-tarfile", deb(package)) and
                        read("sh", "-c", "dpkg-deb --ctrl-tarfile '%s' | tar t" % deb(package)).split())
            self.assertFalse({"./shlibs", "./symbols", "./triggers"} & names, names)

    def test_places(self):
        allowed = {
            "torchada": r"opt/torchada/(bin|lib|lib64|libexec|share)(/|$)|usr/bin/torchada$"
                        r"|usr/share/(doc|lintian/overrides)/torchada(/|$)|usr/share/man/man1/torchada[a-z-]*\.1\.gz$"
                        r"|usr/share/bash-completion/completions/torchada$|usr/share/zsh/vendor-completions/_torchada$",
            "torchada-dev": r"opt/torchada/(include|lib/(cmake|pkgconfig))/"
                            r"|usr/share/(doc|lintian/overrides)/torchada-dev",
            "torchada-host": r"opt/torchada/host/|usr/share/(doc|lintian/overrides)/torchada-host",
        }
        for package, pattern in allowed.items():
            self.assertEqual([], [name for name in self.files(package) if not re.match(pattern, name)])

    def test_libraries(self):
        """As in the build: every name, one file each. update-alternatives selects the default
        major."""
        lib = os.path.join(self.folder, "torchada", "opt", "torchada", "lib")
        expected = [name for library in LIBRARIES if library["offered"] == "by default"
                    for name in library["sonames"]]
        self.assertGreaterEqual(len(expected), 11)
        for name in expected:
            paths = [os.path.join(lib, name), *glob.glob(os.path.join(lib, "cu*", name)),
                     *glob.glob(os.path.join(lib, "only", "*", name))]
            self.assertGreaterEqual(len(paths), 3, name)
            inodes = {os.stat(path).st_ino for path in paths}
            self.assertEqual(1, len(inodes), name)
        self.assertEqual({"libcurand.so", "libnccl.so"},
                         {name for name in os.listdir(lib) if os.path.islink(os.path.join(lib, name))})
        self.assertEqual(["cu11", "cu12", "cu13"], sorted(name for name in os.listdir(lib) if name.startswith("cu")))

    def test_libraries_in_folders(self):
        """What is not offered by default lies in its folder and nowhere else."""
        lib = os.path.join(self.folder, "torchada", "opt", "torchada", "lib")
        others = [library for library in LIBRARIES if library["offered"] != "by default"]
        self.assertIn("driver", [library["folder"] for library in others])
        for library in others:
            folder = os.path.join(lib, library["folder"])
            plain = library["stem"] + ".so"
            default, = (name for name, majors in library["sonames"].items() if DEFAULT_MAJOR in majors)
            self.assertEqual(default, os.readlink(os.path.join(folder, plain)))
            self.assertEqual({*library["sonames"], plain}, set(os.listdir(folder)))
            self.assertEqual([], [name for name in self.files("torchada")
                                  if os.path.basename(name).startswith(library["stem"] + ".so")
                                  and os.path.dirname(name) != "opt/torchada/lib/" + library["folder"]])

    def test_needs(self):
        for package in ("torchada", "torchada-dev"):
            for name, path in self.elf_files(package):
                base = os.path.basename(name)
                needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", read("readelf", "-dW", path)))
                allowed = {"libc.so.6", "libdl.so.2", "libpthread.so.0", "libm.so.6", "ld-linux-x86-64.so.2"}
                if base.startswith("libcublas.so"):
                    allowed.add(base.replace("libcublas", "libcublasLt"))
                self.assertLessEqual(needed, allowed, name)
                found = {tuple(map(int, number.split("."))) for number in
                         re.findall(r"GLIBC_(\d+\.\d+)", read("readelf", "-VW", path))}
                if name == "opt/torchada/bin/torchada":  # It is static.
                    self.assertEqual((set(), set()), (needed, found), name)
                    self.assertNotIn("INTERP", read("readelf", "-lW", path), name)
                    continue
                self.assertLessEqual(max(found), GLIBC, name)

    def test_libraries_are_as_built(self):
        """After stripping and packing, the libraries still pass the golden tests."""
        lib = os.path.join(self.folder, "torchada", "opt", "torchada", "lib")
        folders = {library.get("folder", "") if library["offered"] != "by default" else "" for library in LIBRARIES}
        paths = [path for folder in folders for path in glob.glob(os.path.join(lib, folder, "lib*.so.*"))]
        self.assertEqual(len({name for library in LIBRARIES for name in library["sonames"]}), len(paths))
        for path in paths:
            read(sys.executable, os.path.join(SOURCE, "tests", "golden", "elf_check.py"), path)

    def test_debug_symbols(self):
        of_debug = {os.path.relpath(name, "usr/lib/debug/.build-id") for name in self.files("torchada-dbgsym")}
        for name, path in self.elf_files("torchada"):
            build_id = re.search(r"Build ID: (\w+)", read("readelf", "-nW", path)).group(1)
            self.assertIn("%s/%s.debug" % (build_id[:2], build_id[2:]), of_debug, name)

    def test_no_path_of_the_build(self):
        for package in ("torchada", "torchada-dev", "torchada-host", "torchada-dbgsym"):
            elf_files = dict(self.elf_files(package))
            for name in self.files(package):
                path = os.path.join(self.folder, package, name)
                if not os.path.isfile(path) or os.path.islink(path):
                    continue
                if name in elf_files:  # sections with debug information are compressed
                    path = os.path.join(self.folder, "plain")
                    read("objcopy", "--decompress-debug-sections", elf_files[name], path)
                with open(path, "rb") as file:
                    self.assertFalse(b"torchada-build." in file.read(), name)

    def test_archive(self):
        name = "torchada-" + version()
        archive = os.path.join(DIST, name + "-x86_64.tar.zst")
        read("tar", "--zstd", "-xf", archive, "-C", self.folder)
        tree = os.path.join(self.folder, name)
        for package in ("torchada", "torchada-dev"):
            for file in self.files(package):
                if file.startswith("opt/torchada/"):
                    inner = os.path.relpath(file, "opt/torchada")
                    self.assertTrue(os.path.lexists(os.path.join(tree, inner)), inner)
        self.assertTrue(os.path.isfile(os.path.join(tree, "share", "zsh", "site-functions", "_torchada")))
        self.assertEqual("libcudart.so.12", os.readlink(os.path.join(tree, "lib", "libcudart.so")))
        self.assertIn(version(), read(os.path.join(tree, "bin", "torchada"), "--version"))
        self.assertIn("libcudart.so.13", read(os.path.join(tree, "bin", "torchada"), "coverage"))
        self.assertTrue(os.path.samefile(os.path.join(tree, "lib", "libnccl.so.2"),
                                         os.path.join(tree, "lib", "cu12", "libnccl.so.2")))

    def test_archive_of_verify(self):
        """The command in it is that of the package, which test_needs checks."""
        name = "torchada-verify-%s-x86_64" % version()
        read("tar", "-xf", os.path.join(DIST, name + ".tar.gz"), "-C", self.folder)
        tree = os.path.join(self.folder, name)
        with open(os.path.join(tree, "share", "glibc"), encoding="utf-8") as file:
            self.assertLessEqual(tuple(map(int, file.read().split("."))), GLIBC)
        for file in ("bin/torchada", "libexec/torchada", "share/tables.bin"):
            packed = os.path.join(self.folder, "torchada", "opt", "torchada", file)
            self.assertEqual(os.path.getsize(packed), os.path.getsize(os.path.join(tree, file)), file)
        self.assertIn("libelf-dev", os.listdir(os.path.join(tree, "share", "licences")))
        self.assertIn("usage: ./verify.sh", read(os.path.join(tree, "verify.sh"), "--help"))

    def test_checksums(self):
        with open(os.path.join(DIST, "SHA256SUMS"), encoding="utf-8") as file:
            listed = dict(reversed(line.split()) for line in file)
        self.assertEqual(set(os.listdir(DIST)) - {"SHA256SUMS"}, set(listed))
        for name, told in listed.items():
            with open(os.path.join(DIST, name), "rb") as file:
                self.assertEqual(told, hashlib.sha256(file.read()).hexdigest(), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
