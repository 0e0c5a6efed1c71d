"""The wheels of build-wheel.sh, made of what the build installs and installed by pip into a venv without a
network. WHEEL_PYTHON: another interpreter for the venv. WHEEL_TORCHADA: a folder with the Python
torchada's wheel, which test-full.sh fetches."""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zipfile

from packages import ENVIRONMENT, OLDEST_GLIBC, SOURCE, build, installed, next_sources, read, torchada_version

PYTHON = os.environ.get("WHEEL_PYTHON", sys.executable)


def files_below(folder):
    return {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}


class Wheel(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="torchada-wheel-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.tree = installed(cls.folder)
        cls.wheels = build("wheel", cls.tree, os.path.join(cls.folder, "dist"))
        cls.venv = os.path.join(cls.folder, "venv")
        read(PYTHON, "-m", "venv", cls.venv)
        cls.python = os.path.join(cls.venv, "bin", "python")
        cls.torchada = os.path.join(cls.venv, "bin", "torchada")
        cls.site = read(cls.python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip()
        cls.root = os.path.join(cls.site, "torchada_native")
        cls.before = files_below(cls.venv)
        cls.install()

    @classmethod
    def install(cls):
        read(cls.python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", *cls.wheels)

    def script(self, text, status=0, **variables):
        path = os.path.join(self.folder, "script.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write("import ctypes, os, subprocess, sys\nimport torchada_native\n" + textwrap.dedent(text))
        return read(self.python, path, "an argument", status=status, **variables)

    def package(self, name, *files):
        """An installed package that has these files, which are copies of our libcudart."""
        info = os.path.join(self.site, name.replace("-", "_") + "-1.dist-info")
        os.mkdir(info)
        self.addCleanup(shutil.rmtree, info)
        with open(os.path.join(info, "METADATA"), "w", encoding="utf-8") as out:
            out.write("Metadata-Version: 2.1\nName: %s\nVersion: 1\n" % name)
        with open(os.path.join(info, "RECORD"), "w", encoding="utf-8") as out:
            out.writelines(file + ",,\n" for file in files)
        for file in files:
            path = os.path.join(self.site, file)
            os.makedirs(os.path.dirname(path))
            self.addCleanup(shutil.rmtree, os.path.join(self.site, file.split("/", maxsplit=1)[0]))
            shutil.copyfile(os.path.join(self.root, "lib", "libcudart.so.12"), path)

    def test_names(self):
        """By the files' needs: those of the package run with an old glibc, the stand-in's with its own."""
        tag = {"2.17": "2014", "2.27": "_2_27"}[OLDEST_GLIBC]
        self.assertRegex(os.path.basename(self.wheels[0]),
                         r"^torchada_native-[\d.]+-py3-none-manylinux%s_x86_64\.whl$" % tag)
        self.assertRegex(os.path.basename(self.wheels[1]),
                         r"^torchada_native_host-[\d.]+-py3-none-manylinux_2_\d+_x86_64\.whl$")

    def test_same_bytes(self):
        again = build("wheel", self.tree, os.path.join(self.folder, "again"))
        for first, second in zip(self.wheels, again):
            with open(first, "rb") as one, open(second, "rb") as two:
                self.assertEqual(hashlib.sha256(one.read()).digest(), hashlib.sha256(two.read()).digest(), first)

    def test_contents(self):
        with zipfile.ZipFile(self.wheels[0]) as wheel:
            names = wheel.namelist()
        self.assertLessEqual({name.split("/")[0].split("-")[0] for name in names}, {"torchada_native"})
        for name in ("py.typed", "bin/torchada", "lib/cu13/libcublas.so.13", "lib64/libcudart.so", "share/tables.bin"):
            self.assertIn("torchada_native/" + name, names)

    def test_command(self):
        copy = os.path.join(SOURCE, "packaging", "quickstart", "copy.py")
        for words in ([self.torchada], [self.python, "-m", "torchada_native"]):
            self.assertRegex(read(*words, "--version"), r"^torchada \d")
            said = read(*words, "run", "--", self.python, copy)
            self.assertIn("equal", said)
            self.assertIn("torchada_native/host/current", said)
        # Copies became links.
        for name in ("cu12/libcudart.so.12", "cu12/libcudart.so", "only/cudart-12/libcudart.so.12", "libcudart.so"):
            self.assertTrue(os.path.samefile(os.path.join(self.root, "lib", name),
                                             os.path.join(self.root, "lib", "libcudart.so.12")), name)

    def test_activate(self):
        said = self.script("""
            torchada_native.activate()
            torchada_native.activate()
            ask = '''
            import ctypes
            count = ctypes.c_int()
            print(ctypes.CDLL("libcudart.so.12").cudaGetDeviceCount(ctypes.byref(count)), count.value)
            print(ctypes.CDLL("libcuda.so.1").cuInit(0))
            print({line.split()[-1] for line in open("/proc/self/maps") if "libcudart.so.12" in line})
            '''.replace("\\n            ", "\\n")
            exec(ask)
            sys.stdout.flush()
            subprocess.run([sys.executable, "-c", ask], check=True)
            print(torchada_native.second_copies())
            """)
        answer = "0 1\n0\n{'%s/lib/libcudart.so.12'}\n" % self.root
        self.assertEqual("torchada: no MUSA found; using the CPU stand-in in %s/host/current\n" % self.root
                         + 2 * answer + "[]\n", said)

    def test_activate_one_major(self):
        said = self.script("""
            torchada_native.activate(abi=12)
            ctypes.CDLL("libcudart.so.12")
            try:
                ctypes.CDLL("libcudart.so.13")
            except OSError:
                pass
            print({line.split()[-1] for line in open("/proc/self/maps") if torchada_native.CUDA_HOME in line
                   and "libcudart" in line})""")
        self.assertIn("\n{'%s/lib/cu12/libcudart.so.12'}\n" % self.root, said)

    refusal = textwrap.dedent("""
        before = dict(os.environ)
        try:
            torchada_native.activate()
        except torchada_native.ActivationError as error:
            print(error, error.package, error.file, dict(os.environ) == before, sep="|")
        with open("/proc/self/maps") as maps:
            print(torchada_native.CUDA_HOME in maps.read())
        """)

    def test_refuses_what_is_loaded(self):
        path = os.path.join(self.site, "other", "libcudart.so.12")
        self.package("other", "other/libcudart.so.12")
        said = self.script("ctypes.CDLL(%r)" % path + self.refusal)
        self.assertIn("%s is loaded already, of the package other" % path, said)
        self.assertIn("|other|%s|True\nFalse\n" % path, said)

    def test_refuses_packages_that_load_by_path(self):
        self.package("nvidia-cuda-runtime-cu12", "nvidia/cuda_runtime/lib/libcudart.so.12")
        # A file of that name is no reason: others find it by its name.
        self.assertNotIn("Error", self.script("torchada_native.activate()"))
        self.package("jax-cuda12-plugin")
        path = os.path.join(self.site, "nvidia", "cuda_runtime", "lib", "libcudart.so.12")
        self.assertIn("reexec=True", self.script(self.refusal))
        self.assertIn("|jax-cuda12-plugin|%s|True\nFalse\n" % path, self.script(self.refusal))
        # Under run it is served, and arguments stay.
        said = self.script("""
            torchada_native.activate(reexec=True)
            ctypes.CDLL(%r)
            print(sys.argv[1], torchada_native.second_copies())""" % path)
        self.assertTrue(said.endswith("an argument []\n"), said)

    def test_refuses_bundled_copies(self):
        self.package("cupy-cuda12x", "cupy.libs/libcudart-c3a75b33.so.12.8.90")
        self.assertIn("the package cupy-cuda12x loads its own copy", self.script(self.refusal))

    def test_refuses_to_start_a_session_again(self):
        self.package("jax-cuda12-plugin")
        said = subprocess.run(
            [self.python, "-"], input="import torchada_native\ntorchada_native.activate(reexec=True)",
            env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        self.assertIn("under `torchada run --`", said.stderr)

    def test_tells_second_copies(self):
        self.package("other", "other/libcudart.so.12")
        path = os.path.join(self.site, "other", "libcudart.so.12")
        said = self.script("torchada_native.activate()\nctypes.CDLL(%r)\nprint(torchada_native.second_copies())" % path)
        self.assertIn("['%s']\ntorchada_native: %s was loaded beside" % (path, path), said)

    def test_answers(self):
        said = self.script("""
            from torchada_native import *
            print([(platform.name, platform.value) for platform in Platform])
            print(detect_platform(), is_musa_platform(), is_cuda_platform(), is_stand_in())
            print(standing("cublasSgemm_v2")["cuda_functions"][0]["standing"], standing("cudaNoSuch")["known"])
            print(check(__file__)["verdict"], info()["platform"], sorted(doctor())[0], CUDA_HOME)
            print(check("/nowhere")["verdict"])
            try:
                torchada_native._command._answer("explain", "--nonsense")
            except CommandError as error:
                print("CommandError", error)""")
        self.assertIn("[('CUDA', 'cuda'), ('MUSA', 'musa'), ('CPU', 'cpu')]\nPlatform.CPU False False True\n"
                      "supported False\n", said)
        self.assertIn(" host ", said)
        self.assertIn(self.root, said)
        self.assertIn("unreadable\nCommandError torchada: unknown option", said)
        self.assertEqual("Platform.MUSA True\n", self.script(
            "print(torchada_native.detect_platform(), torchada_native.is_musa_platform())", TORCHADA_PLATFORM="musa"))

    def test_no_module_torchada(self):
        """That name is the Python torchada's."""
        ask = "import importlib.util; print(importlib.util.find_spec('torchada'))"
        self.assertEqual("None\n", read(self.python, "-c", ask))

    @unittest.skipUnless("WHEEL_TORCHADA" in os.environ, "needs a download: test-full.sh")
    def test_beside_the_python_torchada(self):
        """In one venv and one process, in both orders. An empty module is its torch."""
        read(self.python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--find-links",
             os.environ["WHEEL_TORCHADA"], "torchada")
        # Names of its files have commas, and pip leaves those.
        self.addCleanup(shutil.rmtree, os.path.join(self.site, "torchada"), ignore_errors=True)
        self.addCleanup(read, self.python, "-m", "pip", "uninstall", "-q", "-y", "torchada")
        names = ["torch", *("torch." + name for name in (
            "autograd", "cuda", "distributed", "library", "nn", "overrides", "utils", "utils.cpp_extension",
            "utils.data"))]
        for first, second in (("torchada", "torchada_native"), ("torchada_native", "torchada")):
            said = self.script("""
                from unittest import mock
                sys.modules.update(dict.fromkeys(%r, mock.MagicMock(__version__="2.6.0")))
                os.environ["TORCHADA_PLATFORM"] = "cpu"  # It asks torch, which is empty.
                del sys.modules["torchada_native"]
                import %s
                import %s
                import torchada
                torchada_native.activate()
                print(torchada.detect_platform().value == torchada_native.detect_platform().value == "cpu",
                      [platform.value for platform in torchada.Platform]
                      == [platform.value for platform in torchada_native.Platform],
                      ctypes.CDLL("libcudart.so.12").cudaGetDeviceCount(ctypes.byref(ctypes.c_int())),
                      torchada_native.second_copies())""" % (names, first, second))
            self.assertIn("\nTrue True 0 []\n", said)

    def test_upgrade_and_back(self):
        """Under a program that calls functions for the first time afterwards."""
        source = next_sources(self.folder, "LICENSE", "packaging/build-wheel.sh", "packaging/tree.sh",
                              "packaging/debian/torchada.install", "packaging/python")
        tree = os.path.join(self.folder, "next-tree")
        read("cp", "-al", self.tree, tree)
        shutil.rmtree(os.path.join(tree, "host"))
        wheel, = build("wheel", tree, os.path.join(self.folder, "next"), source)
        self.addCleanup(self.install)
        for next_wheel, version in ((wheel, "0.99"), (self.wheels[0], torchada_version())):
            program = subprocess.Popen(
                [self.python, os.path.join(SOURCE, "tests", "packages", "programs", "waiting.py")], text=True,
                env={**ENVIRONMENT, "LD_LIBRARY_PATH": os.path.join(self.root, "lib")},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.assertEqual("before 35\n", program.stdout.readline())
            read(self.python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", next_wheel)
            self.assertEqual("after 0 12 True True 35\n", program.communicate("\n")[0])
            self.assertIn("\nVersion: %s\n" % version, read(self.python, "-m", "pip", "show", "torchada-native"))
            self.assertIn("torchada ", read(self.torchada, "--version"))

    def test_uninstall(self):
        read(self.torchada, "--version")
        read(self.python, "-m", "pip", "uninstall", "-q", "-y", "torchada-native", "torchada-native-host")
        self.addCleanup(self.install)
        self.assertEqual(set(), files_below(self.venv) - self.before)
        self.assertFalse(os.path.exists(self.root))


if __name__ == "__main__":
    unittest.main(verbosity=2)
