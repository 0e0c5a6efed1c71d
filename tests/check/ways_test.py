"""torchada check: whether a program works, from all that it loads. One way to CUDA may work where another does not."""
import os

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support
from checked import CANNOT, ModulesTest, names_with
from compiled import build, ours
from support import NO, OK, torchada


class Ways(ModulesTest):

    def test_opened_in_a_function_of_a_module(self):
        """What the program has of CUDA decides, not how many functions the module names."""
        folder = self.folder()
        load = "def load():\n  return CDLL('libcudnn.so.97')\n"
        self.module(folder, "opens.py", load)
        self.module(folder, "calls.py", load + "NAMES = ['cudnnCreate']\n")
        self.module(folder, "runtime.py", "lib = CDLL('libcudart.so.12')\nlib.cudaMalloc(p, 1)\n")
        self.module(folder, "version.py",
                    "lib = CDLL('libcudart.so.12')\nlib.cudaRuntimeGetVersion(p)\n")
        for names, status, verdict, works in (
                ("opens", NO, "partly", False), ("calls", CANNOT, "cannot", False),
                ("calls, runtime", NO, "partly", True), ("calls, version", CANNOT, "cannot", False),
                ("runtime", OK, "runs", True)):
            report = self.importing(status, folder, "import %s\n" % names)
            self.assertEqual((verdict, works, False),
                             (report["verdict"], report["works"], report["stops"]), names)
        self.assertIn("calls.py: in a function, it opens libcudnn.so.97", self.importing(
            CANNOT, folder, "import calls\n")["reasons"][0])

    def test_functions_that_the_import_calls(self):
        folder = self.folder()
        opens = "def outer():\n  inner()\ndef inner():\n  return CDLL('libcudnn.so.97')\n"
        runtime = "lib = CDLL('libcudart.so.12')\nlib.cudaMalloc(p, 1)\nimport module\n"
        for number, (end, stops) in enumerate((
                ("x = outer()\n", True), ("class A:\n  x = outer()\n", True),
                ("def third():\n  outer()\n", False), ("x.outer()\n", False), ("", False),
                ("class A:\n  def outer2(self):\n    outer()\nA().outer2()\n", False),
                ("if __name__ == '__main__':\n  outer()\n", False),
                ("if '.' in __name__:\n  outer()\n", True))):
            below = os.path.join(folder, str(number))
            self.module(below, "module.py", opens + end)
            report = self.importing(CANNOT if stops else NO, below, runtime)
            self.assertEqual((stops, "cannot" if stops else "partly"),
                             (report["stops"], report["verdict"]), end)

    def test_parts_of_a_program(self):
        """What one import lacks stops the others only if the program cannot start without it."""
        folder = self.packages()
        runtime = "lib = CDLL('libcudart.so.12')\ndef f():\n  lib.cudaMalloc(p, 1)\n"
        for text, status, verdict, stops in (
                ("import linked\n", CANNOT, "cannot", True),
                (runtime + "import linked\n", CANNOT, "cannot", True),
                (runtime + "  import linked\n", NO, "partly", False),
                (runtime + "try:\n  import linked\nexcept ImportError:\n  pass\n", NO, "partly", False),
                (runtime + "if __name__ == '__main__':\n  import linked\n", NO, "partly", False),
                ("def f():\n  import linked, opener\n", CANNOT, "cannot", False)):
            report = self.importing(status, folder, text)
            self.assertEqual((verdict, stops), (report["verdict"], report["stops"]), text)

    def test_what_a_module_does_without(self):
        """A part of a package that may be absent, or that lacks a module of its own."""
        folder = self.packages()
        self.module(folder, "careful.py",
                    "try:\n  import linked, needy\nexcept ImportError:\n  linked = None\n")
        self.module(folder, "needy.py", "import missing_here\n")
        report = self.importing(CANNOT, folder, "import careful\n")
        self.assertEqual(("cannot", False), (report["verdict"], report["stops"]))
        self.module(folder, "careful.py", "try:\n  import needy\nexcept ImportError:\n  pass\n")
        self.assertEqual("nothing", self.importing(OK, folder, "import careful\n")["verdict"])
        self.assertEqual("unexamined", self.importing(NO, folder, "import needy\n")["verdict"])

    def test_files_beside_the_program(self):
        """What the program does not load has its own report, and does not decide."""
        folder = self.packages()
        self.module(folder, "good_package/__init__.py", "lib = CDLL('libcudart.so.12')\nlib.cudaMalloc(p, 1)\n")
        self.module(folder, "good_package/unused.py", "import ctypes\nctypes.CDLL('libcudnn.so.97')\n")
        script = self.script("import good_package\n")
        everything = self.check(OK, "--python-path=" + folder, script, folder)
        self.assertEqual("runs", everything["verdict"])
        verdicts = {os.path.basename(report["path"]): (report["verdict"], report["decides"])
                    for report in everything["reports"]}
        self.assertEqual(("cannot", False), verdicts["unused.py"])
        self.assertEqual(("runs", True), verdicts["script.py"])
        text = torchada("check", "--python-path=" + folder, script, folder).stdout
        self.assertIn("files of the directories would be worse", text)
        # The directory alone, or a program that loads the file.
        self.assertEqual("cannot", self.check(CANNOT, folder)["verdict"])
        script = self.script("import good_package.unused\n")
        self.assertEqual("cannot", self.check(CANNOT, "--python-path=" + folder, script, folder)["verdict"])

    def test_a_binary_that_looks_functions_up(self):
        """Another file opens the library for it."""
        names = b"\0" + b"\0".join(b"cuGet%d" % number for number in range(3)) + b"\0cudnnCreate\0"
        folder = self.folder()
        source = "void* dlsym(void*, const char*);\nconst char* names[] = {%s};\n" \
                 "void* find(void* library, int n) { return dlsym(library, names[n]); }\n"
        path = build(folder, "driver.so", "-shared", "-fPIC", source=source % '"cudnnCreate", "cudnnDestroy"')
        report = self.one(CANNOT, path)
        self.assertIn("it looks up 2 functions, for example cudnnCreate, of libcudnn", report["reasons"][0])
        self.assertEqual("nothing", self.one(OK, "--all", self.write(
            folder, "texts.so", elf_maker.elf([], rodata=names)))["verdict"])

    def test_programs_that_compile_their_kernels(self):
        """What they load at run time is what torchada's NVRTC made, whichever part of the program compiles it."""
        folder = self.folder()
        loads = "def load(lib, image):\n  lib.cuInit(0)\n  lib.cuModuleLoadData(image, 0)\n"
        compiles = "def make(lib, program):\n  lib.nvrtcCompileProgram(program, 0, 0)\n"
        self.module(folder, "loads.py", loads)
        self.module(folder, "compiles.py", compiles)
        for text, verdict in ((loads + compiles, "runs"), ("import loads\n" + compiles, "runs"),
                              ("import loads, compiles\n", "runs"), (loads, "kernels"), ("import loads\n", "kernels"),
                              ("import compiles\n" + loads, "runs")):
            report = self.importing(OK if verdict == "runs" else NO, folder, text)
            self.assertEqual(verdict, report["verdict"], text)
            if verdict == "kernels":
                self.assertIn("torchada refuses NVIDIA's", report["reasons"][0])
        report = self.one(NO, self.script(loads))
        self.assertIn("torchada kernels build SOURCE... -o IMAGE, then torchada run --kernels=IMAGE",
                      report["remedies"][0])

    def test_a_library_that_the_loader_finds(self):
        """A script opens NVIDIA's own library, which is installed: it starts, and nothing of the library works."""
        folder = self.folder()
        installed = build(folder, "libcudnn.so.97", "-shared", "-fPIC", source="int cudnnCreate(void) { return 1; }\n")
        runtime = "CDLL('libcudart.so.12').cudaMalloc(0, 1)\n"
        for text, status, verdict in (("CDLL('libcudnn.so.97')\n", NO, "partly"),
                                      ("CDLL('libcudnn.so.97').cudnnCreate(0)\n", CANNOT, "cannot"),
                                      (runtime + "CDLL('libcudnn.so.97').cudnnCreate(0)\n", NO, "partly")):
            script = self.script("from ctypes import CDLL\n" + text)
            report, = self.check(status, script, LD_LIBRARY_PATH=folder)["reports"]
            self.assertEqual((verdict, False), (report["verdict"], report["stops"]), text)
            self.assertIn(installed + " loads in its place", report["reasons"][0])
            report, = self.check(CANNOT, script)["reports"]
            self.assertTrue(report["stops"])
        # A library that is not CUDA's, but is linked with one.
        build(folder, "libother.so.1", "-shared", "-fPIC", *ours("libcudart.so.12"),
              source="int cudaMalloc(void**, unsigned long);\nint f(void) { void* p; return cudaMalloc(&p, 1); }\n")
        script = self.script("from ctypes import CDLL\nCDLL('libother.so.1')\n")
        report, = self.check(OK, "--all", script, LD_LIBRARY_PATH=folder)["reports"]
        self.assertEqual((["libother.so.1"], True), ([load["name"] for load in report["loads"]], report["works"]))

    def test_remedies(self):
        """What can be done where a part was not examined."""
        report = self.one(NO, self.script("import not_there_at_all\n"))
        self.assertIn("--python=PROGRAM", report["remedies"][0])
        report = self.one(support.FAILED, self.write(self.folder(), "start.sh", "#!/bin/sh\nexec python3 x.py\n"))
        self.assertIn("name the program that it starts", report["reasons"][0])

    def test_time_is_linear(self):
        """Each file costs the same, however many there are. 30,000 took 0.15 s, and 1.5 s where each report was
        compared with all others."""
        folder = self.folder()
        for number in range(30000):
            text = "void f(void) { cudaFree(0); }\n" if number % 8 == 0 else "int x;\n"
            self.write(folder, "%05d.c" % number, text)
        before = os.times().children_user
        self.assertEqual(OK, torchada("check", "--jobs=1", folder).status)
        self.assertLess(os.times().children_user - before, 0.8)

    def test_runtime_and_another_library(self):
        """A binary that uses the runtime works in part if it also opens another library."""
        folder = self.folder()
        source = ("void* dlopen(const char*, int); void* dlsym(void*, const char*);\n"
                  "int cudaMalloc(void**, unsigned long);\nint main(int n, char** v) {\n"
                  "  %s\n  return dlsym(dlopen(\"libcudnn.so.97\", 1), \"cudnnCreate\") != 0; }\n")
        report = self.one(NO, build(folder, "linked", *ours("libcudart.so.12"),
                                    source=source % "void* p; cudaMalloc(&p, 1);"))
        self.assertEqual(("partly", True), (report["verdict"], report["works"]))
        report = self.one(NO, build(folder, "opens", source=source %
                                    'dlsym(dlopen("libcudart.so.12", 1), "cudaMalloc");'))
        self.assertEqual(("partly", True), (report["verdict"], report["works"]))
        report = self.one(CANNOT, build(folder, "alone", source=source % ";"))
        self.assertEqual(("cannot", False), (report["verdict"], report["works"]))

    def test_functions_looked_up_for_another_file(self):
        """One file looks up functions of the driver, another those of a library that is missing. Neither opens it."""
        folder = self.folder()
        source = ("void* dlsym(void*, const char*);\nconst char* names[] = {%s};\n"
                  "void* find(void* library, int n) { return dlsym(library, names[n]); }\n")
        for name, functions in (("driver", names_with("supported", 12, "cuda")[:8]),
                                ("runtime", names_with("supported", 12, decision="direct")[:12]),
                                ("linker", ["nvJitLinkCreate"]), ("word", ["cudaMalloc"]),
                                ("refused", names_with("unsupported", 12, "cuda")[:8])):
            build(folder, name + ".abi3.so", "-shared", "-fPIC",
                  source=source % ", ".join('"%s"' % function for function in functions))
        for names, status, verdict, works in (
                ("driver", OK, "runs", True), ("runtime", OK, "runs", True), ("linker", CANNOT, "cannot", False),
                ("driver, linker", NO, "partly", True), ("runtime, linker", NO, "partly", True),
                # A name alone may be a word of a message.
                ("word, linker", CANNOT, "cannot", False), ("refused, linker", CANNOT, "cannot", False)):
            report = self.importing(status, folder, "import %s\n" % names)
            self.assertEqual((verdict, works), (report["verdict"], report["works"]), names)

    def test_devices_of_nvidias_driver(self):
        """Who tests whether they exist finds no GPU, whatever else would work."""
        folder = self.folder()
        runtime = "lib = CDLL('libcudart.so.12')\nlib.cudaMalloc(p, 1)\n"
        devices = "DEVICES = ['/dev/nvidia0', '/dev/dxg']\ndef present():\n  return any(%s for d in DEVICES)\n"
        self.module(folder, "runtime.py", runtime)
        self.module(folder, "hardware.py", devices % "os.path.exists(d)")
        self.module(folder, "both.py", "import runtime, hardware\n")
        self.module(folder, "mounts.py", devices % "mount(d)")
        self.module(folder, "feature.py",
                    "def f():\n  return os.path.exists('/dev/nvidia-caps-imex-channels/channel0')\n")
        self.module(folder, "told.py", "def f():\n  '''Not if /dev/nvidia0 is missing.'''\n  os.path.exists(x)\n")
        for text, status, verdict, works in (
                ("import both\n", CANNOT, "cannot", False),
                ("def f():\n  import both\n", CANNOT, "cannot", False),
                (runtime + devices % "Path(d).exists()", CANNOT, "cannot", False),
                ("import runtime, mounts, told, feature\n", OK, "runs", True),
                ("import runtime\ntry:\n  import hardware\nexcept ImportError:\n  pass\n", NO, "partly", True),
                ("import runtime\ndef f():\n  import hardware\n", NO, "partly", True)):
            report = self.importing(status, folder, text)
            self.assertEqual((verdict, works, False), (report["verdict"], report["works"], report["stops"]), text)
        self.assertIn("hardware.py: line 1 looks for /dev/nvidia0, which only NVIDIA's driver makes",
                      self.importing(CANNOT, folder, "import both\n")["reasons"][0])


class Found(ModulesTest):
    """Files that no import statement names."""

    def test_files_by_name(self):
        """A library in the module's package, or beside a binary, by its name alone."""
        folder = self.folder()
        library = elf_maker.elf(["libcudnn.so.97"])
        self.module(folder, "boost/__init__.py", "from . import core\n")
        self.module(folder, "boost/core.py", "lib = CDLL(find()[0])\n")
        self.module(folder, "boost/paths.py", "def find():\n  return [join(here, 'libboost.so')]\n")
        self.assertEqual("unexamined", self.importing(NO, folder, "import boost\n")["verdict"])
        self.module(folder, "boost/core.py", "from .paths import find\nlib = CDLL(find()[0])\n")
        self.module(folder, "boost/lib/libboost.so", library)
        report = self.importing(CANNOT, folder, "import boost\n")
        self.assertIn("boost/lib/libboost.so: it needs libcudnn.so.97", report["reasons"][0])
        # A script that asks where a package is.
        text = "root = find_spec('boost').submodule_search_locations[0]\nCDLL(join(root, '%s'))\n"
        report = self.importing(CANNOT, folder, text % "libboost.so")
        self.assertRegex(report["reasons"][0], r"\Aline 2 opens libboost.so, which brings .*libcudnn")
        self.assertEqual("unexamined", self.importing(NO, folder, text % "libother.so")["verdict"])
        # A binary that opens its part at run time.
        self.module(folder, "state.cpython-311-x86_64-linux-gnu.so",
                    elf_maker.elf([], rodata=b"\0libpart_cuda.so\0"))
        self.assertEqual("nothing", self.importing(OK, folder, "import state\n")["verdict"])
        self.module(folder, "libpart_cuda.so", library)
        self.assertIn("libpart_cuda.so: it needs", self.importing(
            CANNOT, folder, "import state\n")["reasons"][0])

    def test_plugins(self):
        """Entry points of other packages, by their group."""
        folder = self.packages()
        self.module(folder, "host.py", "def discover():\n  return entry_points(group='host_plugins')\n")
        self.assertEqual("nothing", self.importing(OK, folder, "import host\n")["verdict"])
        self.module(folder, "other-1.0.dist-info/entry_points.txt",
                    "[other]\na = linked\n[host_plugins]\nb = opener.driver:start\n")
        self.assertIn("opener/driver.py", self.importing(
            CANNOT, folder, "import host\n")["reasons"][0])

    def test_names_of_modules_that_begin(self):
        folder = self.packages()
        self.module(folder, "chooses/__init__.py", "m = importlib.import_module(f'.cu{major}', __package__)\n")
        self.module(folder, "chooses/cu12.py", "import opener\n")
        self.module(folder, "chooses/other.py", "import linked\n")
        report = self.importing(CANNOT, folder, "import chooses\n")
        self.assertIn("opener/driver.py", report["reasons"][0])
        self.assertNotIn("linked", str(report["reasons"]))

    def test_a_package_in_several_versions(self):
        """Its modules are in directories that it adds to its __path__."""
        folder = self.packages()
        self.module(folder, "merged/__init__.py", "from merged.part import *\n")
        self.assertEqual("nothing", self.importing(OK, folder, "import merged\n")["verdict"])
        self.module(folder, "merged/cu12/__init__.py", "")
        self.module(folder, "merged/cu12/part.py", "import opener\n")
        report = self.importing(CANNOT, folder, "import merged\n")
        self.assertEqual(False, report["stops"])
        self.assertIn("opener/driver.py", report["reasons"][0])

    def test_libraries_that_nothing_names(self):
        """They are in the package, but what opens them computes their names."""
        folder = self.folder()
        self.module(folder, "agent/__init__.py", "def start():\n  plugins()\n")
        self.module(folder, "agent.libs/plugins/libplugin_x.so", elf_maker.elf(["libcudnn.so.97"]))
        report = self.importing(NO, folder, "import agent\n")
        self.assertEqual("unexamined", report["verdict"])
        self.assertRegex(report["reasons"][0],
                         r"\Aline 1 imports agent, whose package brings .*libplugin_x.so, which needs libcudnn")


if __name__ == "__main__":
    support.main()
