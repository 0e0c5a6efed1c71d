"""torchada check: what scripts and sources load, call and import. Everything is found by reading
files: these tests plant code that would leave a trace if it were run."""
import json
import os
import subprocess
import sys
import zipfile

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support
from checked import CANNOT, RUNTIME, ModulesTest, names_with
from compiled import build, calls, ours, posed
from support import FAILED, NO, OK


class Scripts(ModulesTest):

    def test_opens_another_library(self):
        for text in ("import ctypes\nctypes.CDLL('libcudnn.so.97')\n",
                     "from ctypes import *\ncdll.LoadLibrary(\"/usr/lib/libcudnn.so\").cudnnCreate(0)\n",
                     "from ctypes.util import find_library\nlib = CDLL(find_library('cudnn'))\n"
                     "lib.cudnnCreate(0)\n",
                     "names = ['libcudnn.so', 'libcudnn.so.97']\nAPI = {'cudnnCreate': 1}\n"):
            report = self.one(CANNOT, self.script(text))
            self.assertEqual(("cannot", ["libcudnn"]), (
                report["verdict"], sorted({os.path.basename(item["name"]).split(".")[0]
                                           for item in report["other_libraries"]})), text)

    def test_may_go_on_without(self):
        """A try statement catches the failure. A library that is only named may not be opened."""
        report = self.one(NO, self.script(
            "import ctypes\ntry:\n  ctypes.CDLL('libcudnn.so.97')\nexcept OSError:\n  pass\n"))
        self.assertEqual("partly", report["verdict"])
        self.assertEqual("partly", self.one(NO, self.script("x = 'libcudnn.so.97'\n"))["verdict"])
        self.assertEqual("nothing", self.one(OK, "--all", self.script(
            "'''see libcudnn.so.97 for more'''\nx = 'no libcudnn.so.97 here'\n"))["verdict"])

    def test_without_suffix(self):
        report = self.one(CANNOT, self.script("#!/usr/bin/env python3\nimport ctypes\n"
                                              "ctypes.CDLL('libcudnn.so.97')\n", name="script"))
        self.assertEqual("source", report["kind"])

    def test_computed_names(self):
        report = self.one(NO, self.script("import ctypes, sys\nctypes.CDLL(sys.argv[1])\n"))
        self.assertEqual(("unexamined", ["line 2 opens a library under a name that the program "
                                         "computes"]), (report["verdict"], report["reasons"]))
        report = self.one(NO, self.script("import importlib\nimportlib.import_module(x)\n"))
        self.assertIn("line 2 imports a module under a name", report["reasons"][0])
        self.assertEqual("nothing", self.one(OK, "--all", self.script(
            "import ctypes\nctypes.CDLL(None)\n"))["verdict"])

    def test_module_not_found(self):
        script = self.script("import os, sys, xml.dom\nimport missing_here.part as x\n")
        report = self.one(NO, script)
        self.assertEqual(("unexamined", ["line 2 imports missing_here, which was not found"]),
                         (report["verdict"], report["not_examined"]))
        self.assertEqual(report["not_examined"], report["reasons"])
        self.assertEqual("nothing", self.one(OK, "--all", self.script(
            "try:\n  import missing_here\nexcept ImportError:\n  missing_here = None\n"
            "if TYPE_CHECKING:\n  import missing_too\n"))["verdict"])

    def test_imports(self):
        folder = self.packages()
        for line, verdict, reason in (
                ("import opener", "cannot", "opener/driver.py: it opens libcudnn.so.97"),
                ("import os, opener.driver as d", "cannot", "it opens libcudnn.so.97"),
                ("from linked import *", "cannot", "linux-gnu.so: it needs libcudnn.so.97"),
                ("def f():\n  import linked", "cannot", "it needs libcudnn.so.97"),
                ("if True: import linked", "cannot", "it needs libcudnn.so.97"),
                ("from spaces.inner import core", "cannot", "it opens libcudnn.so.97"),
                ("importlib.import_module('linked')", "cannot", "it needs libcudnn.so.97"),
                ("import added", "cannot", "it needs libcudnn.so.97"),
                ("import good", "runs", None),
                ("import plain", "nothing", None)):
            status = CANNOT if verdict == "cannot" else OK
            report = self.one(status, "--all", "--python-path=" + folder, self.script(line + "\n"))
            self.assertEqual(verdict, report["verdict"], line)
            if reason:
                self.assertIn(reason, report["reasons"][0])
                self.assertRegex(report["reasons"][0], r"\Aline \d imports ")
        self.assertFalse(os.path.exists(os.path.join(folder, "was_run")))

    def test_where_modules_are(self):
        """PYTHONPATH, a virtual environment and the interpreter of the first line."""
        folder = self.packages()
        script = self.script("import opener\n")
        self.assertEqual("cannot", self.check(CANNOT, script, PYTHONPATH=folder)["verdict"])
        venv = self.folder()
        site = os.path.join(venv, "lib", "python3.11", "site-packages")
        os.makedirs(os.path.dirname(site))
        os.symlink(folder, site)
        self.module(venv, "bin/python3", "#!/bin/sh\ntouch %s/was_run\n" % folder)
        os.chmod(os.path.join(venv, "bin", "python3"), 0o755)
        self.module(venv, "pyvenv.cfg", "home = /usr/bin\n")
        self.assertEqual("cannot", self.check(CANNOT, script, VIRTUAL_ENV=venv)["verdict"])
        python = os.path.join(venv, "bin", "python3")
        self.assertEqual("cannot", self.check(CANNOT, "--python=" + python, script)["verdict"])
        script = self.script("#!%s\nimport opener\n" % python)
        self.assertEqual("cannot", self.check(CANNOT, script)["verdict"])
        self.assertFalse(os.path.exists(os.path.join(folder, "was_run")))

    def test_beside_the_script(self):
        folder = self.folder()
        self.module(folder, "helper.py", "import ctypes\nctypes.CDLL('libcudnn.so.97')\n")
        self.assertEqual("cannot", self.one(CANNOT, self.script("import helper\n",
                                                                folder=folder))["verdict"])
        # A module of a package is found by its full name only.
        self.module(folder, "package/__init__.py", "")
        self.module(folder, "package/logging.py", "import ctypes\nctypes.CDLL('libcudnn.so.97')\n")
        self.assertEqual("nothing", self.one(OK, "--all", self.script(
            "import logging\n", name="package/user.py", folder=folder))["verdict"])

    def test_package_as_a_folder(self):
        """The modules of the folder have their own reports; what they import from elsewhere
        counts."""
        folder = self.packages()
        everything = self.check(CANNOT, os.path.join(folder, "opener"))
        self.assertEqual([os.path.join(folder, "opener/driver.py")],
                         [report["path"] for report in everything["reports"]])
        report = self.one(CANNOT, os.path.join(folder, "spaces", "inner"))
        self.assertIn("imports opener.driver", report["reasons"][0])

    def test_wheel(self):
        path = os.path.join(self.folder(), "some-1.0-py3-none-any.whl")
        with zipfile.ZipFile(path, "w") as out:
            out.writestr("some/__init__.py", "from some.part import x\nimport missing_here\n")
            out.writestr("some/part.py", "import ctypes\n")
        report = self.one(NO, path)
        self.assertEqual(["line 2 imports missing_here, which was not found"],
                         report["not_examined"])

    def test_loops_and_what_is_no_python(self):
        folder = self.folder()
        self.module(folder, "one.py", "import two\n")
        self.module(folder, "two.py", "import one, three\nfrom . import nothing\nimport four\n")
        self.module(folder, "three.py", b"\xff\xfe('\n\"\"\" import \\\n (((\n")
        self.module(folder, "four.py", "x = 1\n")
        self.check(OK, os.path.join(folder, "one.py"))
        # What lies behind them is found.
        self.module(folder, "four.py", "import one\nCDLL('libcudnn.so.97')\n")
        report = self.one(CANNOT, os.path.join(folder, "one.py"))
        self.assertIn("four.py: it opens libcudnn.so.97", report["reasons"][0])


class Sources(ModulesTest):

    def test_other_libraries(self):
        for text, library, verdict in (
                ("#include <cudnn.h>\nint main() { return cudnnCreate(0); }\n", "libcudnn", "cannot"),
                ("#include <cudnn.h>\ncudnnHandle_t h; int f() { return cudnnCreate(&h); }\n",
                 "libcudnn", "cannot"),
                ("#include \"cusparse.h\"\nvoid f() { cusparseCreate(&h); }\n", "libcusparse",
                 "cannot"),
                ("#include <cudnn_frontend.h>\n", "libcudnn", "partly"),
                ("void* f() { return dlopen(\"libcudnn.so.97\", 1); }\n", "libcudnn.so.97", "partly"),
                ("f = dlsym(dlopen(\"libcudnn.so.97\", 1), \"cudnnCreate\");\n", "libcudnn.so.97",
                 "cannot")):
            report = self.one(CANNOT if verdict == "cannot" else NO, self.script(text, "a.cpp"))
            self.assertEqual(([library], verdict), ([item["name"] for item in
                                                     report["other_libraries"]],
                                                    report["verdict"]), text)

    def test_types_alone(self):
        """Types of the driver's header, and cuComplex, need no library."""
        report = self.one(OK, "--all", self.script("#include <cuda.h>\n#include <cuComplex.h>\n"
                                                   "CUdeviceptr p = 0; // cuInit(0)\n"
                                                   "c = cuCmulf(a, cuConjf(b));\n", "a.c"))
        self.assertEqual(("nothing", []), (report["verdict"], report["libraries"]))

    def test_driver(self):
        """cuda.h names the newest form of a function by the plain name, ctypes does not."""
        source = "#include <cuda.h>\nint main() { CUdeviceptr p; return cuMemAlloc(&p, 1); }\n"
        script = "import ctypes\nctypes.CDLL('libcuda.so.1').cuMemAlloc(0, 1)\n"
        for text, name, function, standing in ((source, "a.c", "cuMemAlloc_v2", "assumed"),
                                               (script, "a.py", "cuMemAlloc", "unsupported")):
            report = self.one(NO, self.script(text, name))
            library, = report["libraries"]
            self.assertEqual([(function, standing)], [(item["name"], item["standing"])
                                                      for item in library["symbols"]])
            self.assertEqual("libcuda.so.1", library["soname"])
            self.assertIn("only programs started with torchada run find libcuda.so.1", report["remedies"])

    def test_a_library_on_request_that_another_needs(self):
        folder = self.folder()
        nvml = os.path.join(support.STAGE, "lib/nvml")
        build(folder, "libasks.so", "-shared", "-fPIC", "-L" + nvml, "-l:libnvidia-ml.so.1",
              source="int nvmlInit_v2(void);\nint asks(void) { return nvmlInit_v2(); }\n")
        program = build(folder, "program", "-L" + folder, "-Wl,-rpath," + folder, "-l:libasks.so",
                        "-Wl,--allow-shlib-undefined", source="int asks(void);\nint main(void) { return asks(); }\n")
        report = self.one(OK, program)
        self.assertEqual(["start it with torchada run --nvml: libasks.so needs libnvidia-ml.so.1, which is offered on "
                          "request only"], report["remedies"])

    def test_device_code_that_a_program_brings(self):
        for function in ("cuModuleLoadData", "cuLibraryLoadFromFile"):
            report = self.one(NO, self.script(
                f"import ctypes\nctypes.CDLL('libcuda.so.1').{function}(0)\n"))
            self.assertEqual("kernels", report["verdict"])
            self.assertIn("it loads device code at run time, with " + function, report["reasons"][0])

    def test_kernels(self):
        for text in ("__global__ void f() {}\n", "#include <thrust/sort.h>\n"):
            self.assertEqual("kernels", self.one(NO, self.script(text, "a.cu"))["verdict"])
        self.assertEqual([], self.check(OK, self.script("#include <thrust/complex.h>\n",
                                                        "a.cu"))["reports"])

    def test_object_file(self):
        """It has no NEEDED entries."""
        folder = self.folder()
        path = build(folder, "a.o", "-c", source="int cudnnCreate(int); int f() { return cudnnCreate(0); }")
        report = self.one(CANNOT, path)
        self.assertIn("it calls 1 function, for example cudnnCreate", report["reasons"][0])


class Promises(ModulesTest):

    def test_major_of_a_script(self):
        report = self.one(OK, self.script("lib = CDLL('libcudart.so.13')\nlib.cudaMalloc(p, 1)\n"))
        self.assertEqual(["libcudart.so.13"], [item["asked"] for item in report["libraries"]])
        report = self.one(CANNOT, self.script("lib = CDLL('libcudart.so.13')\n"
                                              "lib.cudaThreadSynchronize()\n"))
        self.assertIn("libcudart.so.13 does not export", report["reasons"][0])
        report = self.one(OK, self.script(
            "for n in ('libcudart.so.13', 'libcudart.so.12', 'libcudart.so.10.2'):\n  x = CDLL(n)\n"
            "lib.cudaMalloc(p, 1)\n"))
        self.assertEqual(["libcudart.so.12"], [item["asked"] for item in report["libraries"]])

    def test_major_that_nobody_serves(self):
        report = self.one(CANNOT, self.script("CDLL('libcudart.so.10.2')\n"))
        self.assertIn("from a CUDA major version", report["reasons"][0])
        report = self.one(NO, self.script("try: CDLL('libcudart.so.10.2')\nexcept: pass\n"))
        self.assertEqual("partly", report["verdict"])
        source = "#include <stdio.h>\nint main(void) { return puts(\"libcudart.so.10.2\"); }\n"
        self.assertEqual("partly", self.one(NO, build(self.folder(), "program",
                                                      source=source))["verdict"])

    def test_functions_looked_up_by_tables(self):
        """As Cython's bindings do."""
        first, second = sorted(names_with("supported", 12, "cublas")[:2])
        source = ("#include <dlfcn.h>\nconst char* names[] = {\"" + first + "\", \"%s\","
                  "\"no ncclCommInitRank here\"};\nint main(int n, char** v) {\n"
                  "  return !dlsym(dlopen(\"%s\", 1), names[n]); }\n")
        report = self.one(OK, build(self.folder(), "program",
                                    source=source % (second, "libcublas.so.12")))
        library, = report["libraries"]
        self.assertEqual([(first, True), (second, True)],
                         [(item["name"], item["looked_up"]) for item in library["symbols"]])
        alone = source.replace(first, "cudnnCreate")
        report = self.one(CANNOT, build(self.folder(), "program",
                                        source=alone % ("cudnnGetVersion", "libcudnn.so.97")))
        other, = report["other_libraries"]
        self.assertEqual(["cudnnCreate", "cudnnGetVersion"],
                         sorted(item["name"] for item in other["functions"]))
        self.assertIn("it opens libcudnn.so.97", report["reasons"][0])
        # Other libraries are optional for a program that uses torchada's too.
        report = self.one(NO, build(self.folder(), "program",
                                    source=source % ("cusparseGetVersion", "libcusparse.so.97")))
        self.assertEqual("partly", report["verdict"])
        source = source.replace(first, "nothing")
        report = self.one(CANNOT, build(self.folder(), "program",
                                        source=source % ("cusparseGetVersion", "libcusparse.so.97")))
        self.assertEqual("cannot", report["verdict"])

    def test_refused_values(self):
        report = self.one(NO, self.script(
            "#include <curand.h>\nvoid f(curandGenerator_t* g) {\n"
            "  curandCreateGenerator(g, CURAND_RNG_QUASI_SOBOL32);\n}\n", "a.c"))
        self.assertEqual([("CURAND_RNG_QUASI_SOBOL32", [3])],
                         [(item["name"], item["lines"]) for item in report["refused_values"]])
        self.assertEqual("partly", report["verdict"])
        self.assertEqual("runs", self.one(OK, self.script(
            "curandCreateGenerator(g, CURAND_RNG_PSEUDO_PHILOX4_32_10);\n", "a.c"))["verdict"])

    def test_linked_program_of_quasi_random_numbers(self):
        """A binary does not show which generator it creates, but only quasi-random ones have
        dimensions."""
        words = ours("libcurand.so.10")
        used = ["curandCreateGenerator", "curandGenerateUniform", "curandDestroyGenerator"]
        self.assertEqual("runs", self.one(OK, build(self.folder(), "program", *words,
                                                    source=calls(*used)))["verdict"])
        for name in ("curandSetQuasiRandomGeneratorDimensions", "curandGetDirectionVectors32"):
            report = self.one(NO, build(self.folder(), "program", *words, source=calls(*used, name)))
            library, = report["libraries"]
            told = {item["name"]: item for item in library["symbols"]}[name]
            self.assertEqual(("partly", "unsupported"), (report["verdict"], told["standing"]))
            self.assertIn("no quasi-random generator", told["reason"])

    def test_refused_values_are_those_of_the_libraries(self):
        """Every enumerator in one source: check says of it what explain says. One whose number
        grows with the releases counts the others, and no call takes it."""
        numbers, refused = {}, set()
        for kind in support.real_tables()["types"]:
            for value in kind["values"]:
                numbers.setdefault(value["name"], set()).add(value["value"])
                if "refused" in value:
                    refused.add(value["name"])
        refused = {name for name in refused if len(numbers[name]) == 1}
        self.assertGreater(len(refused), 10)
        report = self.one(NO, self.script("\n".join(sorted(numbers)) + "\n", "a.c"))
        self.assertEqual(refused, {item["name"] for item in report["refused_values"]})

    def test_library_that_the_same_tree_brings(self):
        folder = self.folder()
        for place, name in (("nvidia/cusparse/lib", "libcusparse.so.97"), ("torch/lib", "")):
            os.makedirs(os.path.join(folder, place))
            if name:
                posed(os.path.join(folder, place), name, "node", "cusparseCreate")
        words = ["-L" + os.path.join(folder, "nvidia/cusparse/lib"), "-l:libcusparse.so.97", "-shared",
                 "-fPIC", "-Wl,-rpath,$ORIGIN/../../nvidia/cusparse/lib"]
        path = build(os.path.join(folder, "torch/lib"), "libx.so", *words,
                     source="void cusparseCreate(void); void f(void) { cusparseCreate(); }")
        for words in ([folder], [path]):
            reports = {report["path"]: report for report in self.check(NO, *words)["reports"]}
            report = reports[path]
            other, = report["other_libraries"]
            self.assertEqual(("partly", True), (report["verdict"], other["found"].endswith(
                "/nvidia/cusparse/lib/libcusparse.so.97")))
        os.unlink(os.path.join(folder, "nvidia/cusparse/lib/libcusparse.so.97"))
        self.assertEqual("cannot", self.one(CANNOT, path)["verdict"])

    def test_libraries_of_a_program(self):
        """What a program's own library needs stops the program too."""
        folder = self.folder()
        posed(folder, "libcudnn.so.97", "node", "cudnnCreate")
        build(folder, "libmine.so", "-shared", "-fPIC", "-L" + folder, "-l:libcudnn.so.97",
              source="void cudnnCreate(void); void mine(void) { cudnnCreate(); }")
        path = build(folder, "program", "-L" + folder, "-lmine", "-Wl,-rpath,$ORIGIN",
                     "-Wl,--allow-shlib-undefined",
                     source="void mine(void); int main(void) { mine(); return 0; }")
        report = self.one(CANNOT, path)
        self.assertIn("it loads libmine.so", report["reasons"][0])

    def test_libraries_that_the_loader_is_told_of(self):
        """LD_LIBRARY_PATH counts, as for the program that is started with it."""
        folder = self.folder()
        for name in ("first", "second"):
            os.makedirs(os.path.join(folder, name))
        build(os.path.join(folder, "second"), "libmine.so", "-shared", "-fPIC", *RUNTIME,
              source="int cudaMemcpy3DPeer(void*); void mine(void) { cudaMemcpy3DPeer(0); }")
        path = build(folder, "program", "-L" + os.path.join(folder, "second"), "-lmine", "-Wl,--allow-shlib-undefined",
                     source="void mine(void); int main(void) { mine(); return 0; }")
        self.assertEqual("nothing", self.check(OK, path)["verdict"])
        folders = ":".join(os.path.join(folder, name) for name in ("first", "second"))
        self.assertEqual("assumed", self.check(NO, path, LD_LIBRARY_PATH=folders)["verdict"])

    def test_the_stopper_comes_first(self):
        folder = self.folder()
        path = self.script(
            "import ctypes\nx = 'libcusolver.so.11'\nlib.cudaMemcpy3DPeer(p)\n"
            "ctypes.CDLL('libcudnn.so.97')\n", "z.py", folder)
        self.write(folder, "a.py", "lib.cudaMalloc(p, 1)\n")
        everything = self.check(CANNOT, folder)
        self.assertEqual([path, os.path.join(folder, "a.py")],
                         [report["path"] for report in everything["reports"]])
        self.assertIn("libcudnn.so.97", everything["reports"][0]["reasons"][0])

    def test_damaged_module(self):
        folder = self.folder()
        self.module(folder, "broken.so", b"\x7fELF")
        report = self.one(NO, "--python-path=" + folder, self.script("import broken\n"))
        self.assertEqual("unexamined", report["verdict"])
        self.assertEqual(FAILED, subprocess.run(
            [support.TORCHADA, "check", folder], capture_output=True, check=False).returncode)


class Resources(ModulesTest):
    """Memory does not grow with the input, and the walk stays in the tree."""

    MOST = 300 << 20  # Bytes. The manual page names the parts of it.

    def peak(self, *words):
        """The peak of resident memory in bytes, and what check says."""
        code = ("import resource, subprocess, sys\n"
                "ended = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)\n"
                "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))\n"
                "sys.stdout.buffer.write(ended.stdout)\n")
        ended = subprocess.run([sys.executable, "-c", code, support.TORCHADA, "check",
                                "--format=json", *words], capture_output=True, check=True,
                               timeout=800)
        return int(ended.stderr) * 1024, json.loads(ended.stdout)

    def big_library(self, size):
        """An ELF file with `size` bytes of device code and data, which are compressible but not
        zeros."""
        payload = (b"some bytes " * 93 + b"x")[:1024]
        first = elf_maker.fat_binary(elf_maker.image(2, 80, payload * (size // 2048)),
                                     elf_maker.image(1, 90, b"ptx" * 5, options=b"-a"))
        rodata = payload * (size // 2048) + b"\0/opt/libnccl.so.2\0" + payload + b"\0"
        return elf_maker.elf(["libcudart.so.12"], rodata=rodata, fatbin=first)

    def test_large_member(self):
        """Examined as a stream: with the answer of the file itself, in bounded memory."""
        contents = self.big_library(500 << 20)
        folder = self.folder()
        path = self.write(folder, "lib.so", contents)
        wheel = os.path.join(folder, "some.whl")
        with zipfile.ZipFile(wheel, "w") as out:
            out.write(path, "lib.so")
        del contents
        used, told = self.peak(wheel)
        self.assertLess(used - os.path.getsize(wheel), self.MOST)
        report, = told["reports"]
        wanted = self.one(NO, path)
        for key in ("verdict", "reasons", "opens", "device_code", "libraries"):
            self.assertEqual(wanted[key], report[key], key)
        self.assertEqual((["/opt/libnccl.so.2"], 1), (report["opens"],
                                                      report["device_code"]["fat_binaries"]))

    def test_too_many_symbols(self):
        """What does not fit is not examined, and says so."""
        folder = self.folder()
        text = b"\0cudaMalloc\0 libcudnn.so.97 " * 100
        path = self.write(folder, "lib.so", elf_maker.elf([], rodata=text * (300 * 400)))
        wheel = os.path.join(folder, "some.whl")
        with zipfile.ZipFile(wheel, "w") as out:
            out.write(path, "lib.so")
        used, told = self.peak(wheel)
        self.assertLess(used - os.path.getsize(wheel), self.MOST)
        report, = told["reports"]
        self.assertEqual(("unexamined", ["its symbols and texts are larger than 256 MiB"]),
                         (report["verdict"], report["reasons"]))

    def test_links_out_of_the_tree(self):
        folder = self.folder()
        outside = self.folder()
        self.write(outside, "x.py", "CDLL('libcudnn.so.97')\n")
        os.symlink("/", os.path.join(folder, "root"))
        os.symlink(outside, os.path.join(folder, "y"))
        os.mkdir(os.path.join(folder, "a"))
        os.symlink("../a", os.path.join(folder, "a", "inside"))
        everything = self.check(NO, folder)
        self.assertEqual(0, everything["files"])
        self.assertEqual([["a link to /, outside the directory"],
                          ["a link to %s, outside the directory" % os.path.realpath(outside)]],
                         [report["reasons"] for report in everything["reports"]])
        # A link that the user names is followed.
        self.assertEqual("cannot", self.check(CANNOT, os.path.join(folder, "y"))["verdict"])

    def test_special_file_systems(self):
        for folder, name in (("/proc/self", "proc"), ("/sys/kernel", "sysfs")):
            if os.path.isdir(folder):
                report = self.one(NO, folder)
                self.assertEqual("unexamined", report["verdict"])
                self.assertIn("(file system %s)" % name, report["reasons"][0])


if __name__ == "__main__":
    support.main()
