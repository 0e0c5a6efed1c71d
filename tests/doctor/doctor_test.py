"""torchada doctor: each test plants one fault in an otherwise correct setup, and the doctor must
name it first."""
import glob
import os
import shutil
import struct
import subprocess
import sys
import unittest

import support
from planted import FIXTURES, LIB, MUSA, PYTHON, DoctorTest, find, fixture, in_order, main
from support import HOST, NATIVE, NO, OK, TORCHADA, start


class Program(DoctorTest):

    def test_in_order(self):
        findings = self.examine("--", fixture("wants12"), status=OK, **in_order())
        self.assertEqual(["stand-in"], [found["id"] for found in findings])
        text = self.done(start(TORCHADA, "doctor", "--", fixture("wants12"), **in_order())).stdout
        self.assertRegex(text, r"\Anote: programs run on the CPU stand-in: no GPU is used \[stand-in\]\n")
        self.assertRegex(text, r"(?m)^libcudart\.so\.12 +\S+ \(torchada's\)$")
        self.assertRegex(text, r"(?m)^devices +1$")
        self.assertRegex(text, r"(?m)^compute capability +3\.1$")

    def test_python_in_order(self):
        """A Python program opens the libraries by name."""
        findings = self.examine("--", PYTHON, "x.py", status=OK, **in_order())
        self.assertEqual(["stand-in"], [found["id"] for found in findings])
        text = start(TORCHADA, "doctor", "--", PYTHON, **in_order()).stdout
        for name in ("libcudart.so.11.0", "libcublasLt.so.13", "libnccl.so.2"):
            self.assertRegex(text, r"(?m)^%s +%s/\S+ \(torchada's\)$" % (name, LIB))

    def test_as_run_would_start_it(self):
        for program in (fixture("wants12_rpath"), fixture("wants12"), PYTHON):
            findings = self.examine("--run", "--", program, status=OK)
            self.assertEqual(["stand-in"], [found["id"] for found in findings], program)

    def script(self, *calls):
        path = os.path.join(self.folder(), "script.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write("import ctypes\ncudart = ctypes.CDLL('libcudart.so.12')\n")
            file.writelines("print(cudart.%s)\n" % call for call in calls)
        return path

    def test_script_that_fails_at_its_first_call(self):
        script = self.script("cudaEGLStreamConsumerDisconnect(None)")
        for words in (["--", PYTHON, script], ["--run", "--", PYTHON, "-B", "-W", "ignore", script]):
            self.first("script-cannot-run", *words, value="cudaEGLStreamConsumerDisconnect", **in_order())

    def test_script_that_fails_in_part(self):
        script = self.script("cudaGetDeviceCount(None)", "cudaEGLStreamConsumerDisconnect(None)")
        self.first("script-in-part", "--", PYTHON, script, severity="warning", value=script, **in_order())

    def test_program_that_fails_in_part(self):
        """By its own calls, and by those of a library that it needs."""
        folder = self.folder()
        names = ("cudaGetDeviceCount", "cudaEGLStreamConsumerDisconnect")
        source = "".join("int %s(void*);\n" % name for name in names) + "void f(void) { %s }\n" % "".join(
            "%s(0);" % name for name in names)
        cuda = ["-L" + os.path.join(LIB, "cu12"), "-l:libcudart.so.12", "-Wl,--allow-shlib-undefined"]
        for output, text, words in (
                ("program", source + "int main(void) { f(); }", cuda),
                ("libmine.so", source, ["-shared", "-fPIC", *cuda]),
                ("other", "void f(void); int main(void) { f(); }", ["-L" + folder, "-lmine", "-Wl,-rpath," + folder])):
            subprocess.run(["cc", "-o", os.path.join(folder, output), "-x", "c", "-", "-x", "none", *words,
                            "-Wl,--allow-shlib-undefined"], input=text, text=True, check=True)
        for program in ("program", "other"):
            self.first("program-in-part", "--", os.path.join(folder, program), severity="warning",
                       value="cudaEGLStreamConsumerDisconnect" if program == "program" else "libmine.so", **in_order())

    def test_script_in_order(self):
        findings = self.examine("--", PYTHON, self.script("cudaGetDeviceCount(None)"), status=OK, **in_order())
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def venv(self, **modules):
        """An interpreter with packages of its own, and a script that imports them all."""
        venv = self.folder()
        site = os.path.join(venv, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
        os.makedirs(site)
        os.mkdir(os.path.join(venv, "bin"))
        python = os.path.join(venv, "bin", "python3")
        os.symlink(PYTHON, python)
        with open(os.path.join(venv, "pyvenv.cfg"), "w", encoding="utf-8") as file:
            file.write("home = /usr/bin\n")
        for name, text in modules.items():
            with open(os.path.join(site, name + ".py"), "w", encoding="utf-8") as file:
                file.write("open(%r, 'w').close()\n" % os.path.join(venv, "was_run") + text)
        script = os.path.join(self.folder(), "script.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write("def work():\n" + "".join("  import %s\n" % name for name in modules))
        return ["--run", "--", python, script]

    def test_what_a_script_imports(self):
        """In the packages of the interpreter that was asked about. Nothing of them is run."""
        runtime = "import ctypes\nlib = ctypes.CDLL('libcudart.so.12')\nlib.cudaMalloc(None, 1)\n"
        driver = "import ctypes\ndef start():\n  ctypes.CDLL('libcudnn.so.97').cudnnCreate(0)\n"
        for fault, severity, value, modules in (
                ("script-cannot-run", "error", "one.py: in a function, it opens libcudnn.so.9",
                 {"one": driver}),
                ("script-in-part", "warning", "two.py: in a function, it opens libcudnn.so.9",
                 {"one": runtime, "two": driver}),
                ("script-cannot-run", "error", "two.py: line 4 looks for /dev/nvidia0",
                 {"one": runtime + "import two\n",
                  "two": "import os\ndef is_there():\n  return os.path.exists('/dev/nvidia0')\n"}),
                ("script-not-examined", "warning", "imports not_there, which was not found",
                 {"one": runtime, "two": "import not_there\n"}),
                ("script-not-examined", "warning", "opens a library under a name that",
                 {"one": "import ctypes, sys\nctypes.CDLL(sys.argv[1])\n"}),
                ("stand-in", "note", "", {"one": runtime})):
            words = self.venv(**modules)
            self.first(fault, *words, severity=severity, value=value, **in_order())
            self.assertFalse(os.path.exists(os.path.join(os.path.dirname(words[2]), "..", "was_run")))

    def test_what_a_script_imports_looks_up(self):
        """A file that looks up functions of the driver, beside one that looks up those of a library that is missing."""
        driver = ["cuMemAlloc_v2", "cuMemFree_v2", "cuInit", "cuCtxGetCurrent", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2",
                  "cuStreamCreate", "cuEventCreate"]
        tables = {"driver": driver, "linker": ["nvJitLinkCreate"]}
        for fault, severity, names in (("script-in-part", "warning", ("driver", "linker")),
                                       ("script-cannot-run", "error", ("linker",)), ("stand-in", "note", ("driver",))):
            words = self.venv(**{name: "" for name in names})
            for name in names:
                path, = glob.glob(os.path.join(os.path.dirname(words[2]), "..", "lib", "*", "*", name + ".py"))
                os.remove(path)
                subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", path[:-3] + ".abi3.so"], check=True,
                               text=True, input="void* dlsym(void*, const char*);\nconst char* names[] = {%s};\nvoid* "
                               "find(void* library, int n) { return dlsym(library, names[n]); }\n" % ", ".join(
                                   '"%s"' % function for function in tables[name]))
            self.first(fault, *words, severity=severity, **in_order())

    def test_a_script_that_cannot_start(self):
        words = self.venv(one="import ctypes\nctypes.CDLL('libcudnn.so.97')\n")
        with open(words[3], "w", encoding="utf-8") as file:
            file.write("import ctypes, one\nctypes.CDLL('libcudart.so.12').cudaMalloc(None, 1)\n")
        found = self.first("script-cannot-run", *words, value="line 1 imports one", **in_order())[0]
        self.assertIn("cannot start", found["message"])

    def test_nothing_of_the_current_folder_is_run(self):
        """Nor of PYTHONPATH: both may hold files that happen to have a module's name."""
        folder = self.folder()
        for name in ("ctypes", "sitecustomize", "torch"):
            with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as file:
                file.write("open(%r, 'w').close()\n" % os.path.join(folder, "was_run_" + name))
        before = sorted(os.listdir(folder))
        in_folder = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', folder, TORCHADA]
        for words in (["--", PYTHON, "x.py"], ["--run", "--", PYTHON, "x.py"]):
            findings = self.examine(*words, command=in_folder, PYTHONPATH=folder, **in_order())
            self.assertEqual(["stand-in"], [found["id"] for found in findings])
        self.assertEqual(before, sorted(os.listdir(folder)))

    def test_missing(self):
        self.first("program-missing", "--", "/nonexistent/program", **in_order())
        self.first("program-missing", "--", "no-such-program-anywhere", **in_order())

    def test_damaged(self):
        path = os.path.join(self.folder(), "program")
        shutil.copy(fixture("wants12"), path)
        self.truncated(path)
        os.chmod(path, 0o755)
        self.first("program-not-elf", "--", path, value=path, **in_order())

    def test_32_bit(self):
        path = os.path.join(self.folder(), "program")
        with open(path, "wb") as file:
            file.write(b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack(
                "<HHIIIIIHHHHHH", 2, 3, 1, 0x8048000, 0, 0, 0, 52, 32, 0, 40, 0, 0))
        os.chmod(path, 0o755)
        self.first("program-32-bit", "--", path, value="32-bit", **in_order())

    def test_static_runtime(self):
        self.first("static-cudart", "--", fixture("static_runtime"), value="libcuda.so.1",
                   **in_order())

    def with_static_runtime(self, path):
        """A library with the strings of the static runtime."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(fixture("static_runtime"), path)

    def of(self, fault, findings):
        return [found for found in findings if found["id"] == fault]

    def by_default(self):
        return list(dict.fromkeys(library["name"] for library in support.real_tables()["libraries"]
                                  if library["offered"] == "by default"))

    def test_what_changes_because_there_is_a_driver(self):
        """In the tree of a Python program: NVIDIA's own libraries, and libraries of packages that the script
        imports."""
        words = self.venv(one="import ctypes\nctypes.CDLL('libcudart.so.12').cudaMalloc(None, 1)\n")
        site = os.path.join(os.path.dirname(os.path.dirname(words[2])), "lib", "python%d.%d" % sys.version_info[:2],
                            "site-packages")
        os.unlink(os.path.join(site, "one.py"))
        os.mkdir(os.path.join(site, "one"))
        with open(os.path.join(site, "one", "__init__.py"), "w", encoding="utf-8") as file:
            file.write("import ctypes\nctypes.CDLL('libcudart.so.12').cudaMalloc(None, 1)\n")
        cudnn = os.path.join(site, "nvidia", "cudnn", "lib", "libcudnn.so.9")
        own = os.path.join(site, "one.libs", "libone.so")
        self.with_static_runtime(cudnn)
        self.with_static_runtime(own)
        # The same in files that nothing of the program uses or that are replaced.
        self.with_static_runtime(os.path.join(site, "two", "libtwo.so"))
        self.with_static_runtime(os.path.join(site, "nvidia", "cublas", "lib", "libcublas.so.12"))
        findings = self.examine(*words)
        nvidia, = self.of("driver-for-nvidia", findings)
        self.assertEqual(("warning", [{"what": "cuDNN, neural networks", "value": cudnn}]),
                         (nvidia["severity"], nvidia["evidence"]))
        self.assertIn("it may use the GPU where it would use the CPU without a driver", nvidia["message"])
        remedy = "torchada run --only=%s -- COMMAND" % ",".join(self.by_default())
        self.assertIn(remedy, nvidia["remedy"])
        static, = self.of("driver-for-static", findings)
        self.assertEqual(("note", [{"what": "static CUDA runtime", "value": own}]),
                         (static["severity"], static["evidence"]))
        self.assertIn("return 100 instead of 35", static["message"])
        self.assertIn(remedy, static["remedy"])

    def test_the_remedy_works(self):
        """What it offers is everything but the driver and CUPTI."""
        libraries = [library for library in support.real_tables()["libraries"] if 12 in library["majors"]]
        by_run = [library["soname"] for library in libraries if library["offered"] == "by run"]
        self.assertEqual("libcuda.so.1", by_run[0])
        names = [library["soname"] for library in libraries if library["offered"] == "by default"] + by_run
        result = start(TORCHADA, "run", "--backend=host", "--only=" + ",".join(self.by_default()), "--", PYTHON, "-c",
                       "import ctypes\nfor name in %r: ctypes.CDLL(name)" % names)
        self.assertIn("libcuda.so.1: cannot open shared object file", result.stderr)

    def test_nothing_changes_without_a_driver(self):
        """The same program, started with the library path alone; and one whose driver is not ours."""
        program = fixture("static_runtime")
        for words, changes, expected in (
                (["--run"], {}, 1), ([], {}, 0),
                ([], {"LD_LIBRARY_PATH": LIB + ":" + os.path.join(LIB, "driver")}, 1),
                ([], {"LD_LIBRARY_PATH": self.decoys(name="libcuda.so.1") + ":" + os.path.join(LIB, "driver")}, 0)):
            findings = self.examine(*words, "--", program, **in_order(**changes))
            self.assertEqual(expected, len(self.of("driver-for-static", findings)), findings)

    def test_what_decides_by_nvml(self):
        """Packages that ask NVML whose devices there are, and a program of which nothing is known."""
        words = self.venv(one="")
        site = os.path.join(os.path.dirname(os.path.dirname(words[2])), "lib", "python%d.%d" % sys.version_info[:2],
                            "site-packages")
        for variables, expected in (({}, 0), ({"TORCHADA_NVML": "1"}, 1), ({"TORCHADA_NVML": "0"}, 0)):
            findings = self.examine(*words, **variables)
            self.assertEqual(expected, len(self.of("nvml-offered", findings)), findings)
            self.assertEqual([], self.of("nvml-decides", findings))
        packages = [os.path.join(site, name) for name in ("sglang", "vllm")]
        for package in packages:
            os.mkdir(package)
        self.assertEqual([], self.of("nvml-decides", self.examine(*words)))
        findings = self.examine(*words, TORCHADA_NVML="1")
        decides, = self.of("nvml-decides", findings)
        self.assertEqual([], self.of("nvml-offered", findings))
        self.assertEqual("warning", decides["severity"])
        self.assertEqual([*packages, "found"], [item["what"] for item in decides["evidence"]])
        self.assertIn("asks NVML before it asks for MUSA", decides["evidence"][0]["value"])
        self.assertIn("omit --nvml and unset TORCHADA_NVML", decides["remedy"])

    def test_no_loader(self):
        self.first("program-static", "--", fixture("no_loader"), **in_order())


class RealStatic(DoctorTest):
    """nvcc links this runtime by default."""

    def test_stripped_program_of_nvcc(self):
        folder = self.folder()
        source, program = os.path.join(folder, "s.cu"), os.path.join(folder, "program")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <cuda_runtime.h>\n"
                       "int main() { int n = 0; return cudaGetDeviceCount(&n); }\n")
        subprocess.run(["/usr/local/cuda/bin/nvcc", "-o", program, source], check=True,
                       env={"PATH": "/usr/bin:/bin", "HOME": folder})
        subprocess.run(["strip", program], check=True)
        self.first("static-cudart", "--", program, value=program, **in_order())


class Libraries(DoctorTest):

    def test_real_library_first(self):
        folder = self.decoys()
        findings = self.first("library-path-order", "--", fixture("wants12"), value=folder,
                              **in_order(LD_LIBRARY_PATH=folder + ":" + LIB))
        self.assertTrue(find(findings[0], LIB), findings[0])
        self.assertIn("put %s before %s" % (LIB, folder), findings[0]["remedy"])

    def test_driver_without_run(self):
        """The remedy is not a folder in the path, which would offer everything but the driver."""
        found = self.first("library-not-found", "--", fixture("wants_driver"), value="wants_driver", **in_order())[0]
        self.assertIn("libcuda.so.1", found["message"])
        self.assertEqual("start it with: torchada run -- COMMAND; only programs that it starts find this library",
                         found["remedy"])
        findings = self.examine("--run", "--", fixture("wants_driver"), status=OK)
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_real_library_by_name(self):
        folder = self.decoys()
        self.first("library-path-order", "--", PYTHON, value=folder,
                   **in_order(LD_LIBRARY_PATH=folder + ":" + LIB))
        self.first("library-path-order", "--", "/bin/true", value=folder,
                   **in_order(LD_LIBRARY_PATH=folder + ":" + LIB))
        self.first("library-path-order", value=folder,
                   **in_order(LD_LIBRARY_PATH=folder + ":" + LIB))

    def program_with_decoy(self, name):
        folder = self.folder()
        os.mkdir(os.path.join(folder, "nvidia"))
        shutil.copy(fixture("decoy12.so"), os.path.join(folder, "nvidia", "libcudart.so.12"))
        shutil.copy(fixture(name), folder)
        return os.path.join(folder, name)

    def test_rpath(self):
        program = self.program_with_decoy("wants12_rpath")
        self.first("dt-rpath", "--", program, value="$ORIGIN/nvidia", **in_order())

    def test_rpath_of_pytorch(self):
        """As with PyTorch's wheels: the program is Python, and a library of a package has the path.
        """
        site = self.folder()
        torch = os.path.join(site, "torch", "lib")
        os.makedirs(os.path.join(torch, "nvidia"))
        shutil.copy(fixture("decoy12.so"), os.path.join(torch, "nvidia", "libcudart.so.12"))
        # Only the dynamic section matters to the doctor.
        shutil.copy(fixture("wants12_rpath"), os.path.join(torch, "libtorch_global_deps.so"))
        self.first("dt-rpath", "--", PYTHON, value=torch, **in_order(PYTHONPATH=site))
        findings = self.examine("--run", "--", PYTHON, status=OK, PYTHONPATH=site)
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_runpath(self):
        program = self.program_with_decoy("wants12_runpath")
        self.first("nvidia-first", "--", program, value="nvidia/libcudart.so.12",
                   **in_order(LD_LIBRARY_PATH=None))
        # LD_LIBRARY_PATH has priority over DT_RUNPATH.
        self.assertEqual("stand-in", self.examine("--", program, **in_order())[0]["id"])

    def test_preload(self):
        path = os.path.join(self.decoys(), "libcudart.so.12")
        self.first("preload-other", "--", fixture("wants12"), value=path,
                   **in_order(LD_PRELOAD=path))

    def test_not_found(self):
        self.first("library-not-found", "--", fixture("wants11"), value="wants11",
                   **in_order(LD_LIBRARY_PATH=None))

    def test_damaged(self):
        folder = self.decoys(source=os.path.join(LIB, "libcudart.so.12"))
        self.truncated(os.path.join(folder, "libcudart.so.12"))
        self.first("library-damaged", "--", fixture("wants12"), value=folder,
                   **in_order(LD_LIBRARY_PATH=folder + ":" + LIB))

    def test_two_majors(self):
        findings = self.first("two-majors", "--", fixture("wants_two"), severity="warning",
                              value="libcudart.so.13",
                              **in_order(LD_LIBRARY_PATH=LIB + ":" + FIXTURES))
        self.assertTrue(find(findings[0], "libcudart.so.12"), findings[0])

    def test_two_installations(self):
        folder = self.decoys(source=os.path.join(LIB, "libcudart.so.12"))
        self.first("two-installations", "--", fixture("wants_more"), severity="warning",
                   value=folder, **in_order(LD_LIBRARY_PATH=folder + ":" + LIB))

    def test_installation_incomplete(self):
        lib = os.path.join(self.folder(), "lib")
        shutil.copytree(LIB, lib)
        os.unlink(os.path.join(lib, "libcurand.so.10"))
        self.first("installation-incomplete", "--", fixture("wants12"), value="libcurand.so.10",
                   command=[self.installation(support.packed_tables(), lib)],
                   **in_order(LD_LIBRARY_PATH=lib))

    def test_installation_damaged(self):
        lib = os.path.join(self.folder(), "lib")
        shutil.copytree(LIB, lib)
        self.truncated(os.path.join(lib, "libcublas.so.13"))
        self.first("library-damaged", "--", fixture("wants12"), value="libcublas.so.13",
                   command=[self.installation(support.packed_tables(), lib)],
                   **in_order(LD_LIBRARY_PATH=lib))


class Environment(DoctorTest):

    def warned(self, fault, value, severity="warning", **changes):
        return self.first(fault, "--", fixture("wants12"), severity=severity, value=value,
                          **in_order(**changes))

    def test_stale_paths(self):
        self.warned("stale-library-path", "/opt/gone/lib", LD_LIBRARY_PATH="/opt/gone/lib:" + LIB)
        self.warned("stale-preload", "/opt/gone/x.so", LD_PRELOAD="/opt/gone/x.so")

    def test_left_on(self):
        self.warned("disable", "cudaMalloc", TORCHADA_DISABLE="cudaMalloc")
        self.warned("override", fixture("decoy_override.so"),
                    TORCHADA_OVERRIDE=fixture("decoy_override.so"))
        self.warned("override-wrong", "/opt/gone/o.so", TORCHADA_OVERRIDE="/opt/gone/o.so")
        self.warned("strict", "1", TORCHADA_STRICT="1")
        self.warned("strict", "yes", TORCHADA_STRICT="yes")
        self.warned("log-file", "/opt/gone/log", TORCHADA_LOG_FILE="/opt/gone/log")
        self.warned("log-off", "off", severity="note", TORCHADA_LOG="off")

    def test_variable_that_is_none(self):
        found = self.warned("unknown-variable", "TORCHADA_LOGFILE", TORCHADA_LOGFILE="x")[0]
        self.assertIn("TORCHADA_LOG_FILE", found["remedy"])
        for name in ("TORCHADA_LOG_FILE", "TORCHADA_AUDIT_LIB", "TORCHADA_SUMMARY"):
            findings = self.examine("--", fixture("wants12"), **in_order(**{name: "/tmp/%p"}))
            self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_path_for_a_program(self):
        path = os.path.join(self.decoys(name="libnccl.so.2"), "libnccl.so.2")
        self.warned("program-variable", path, VLLM_NCCL_SO_PATH=path)
        own = os.path.join(LIB, "libnccl.so.2")
        findings = self.examine("--", fixture("wants12"), **in_order(VLLM_NCCL_SO_PATH=own))
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_devices_hidden(self):
        self.warned("devices-hidden", "-1", severity="error", CUDA_VISIBLE_DEVICES="-1")
        self.warned("devices-hidden", "-1", severity="error", MUSA_VISIBLE_DEVICES="-1")
        self.warned("devices-hidden", "", severity="error", CUDA_VISIBLE_DEVICES="")

    def test_devices_by_other_names(self):
        self.warned("visible-devices-form", "GPU-1234", MUSA_VISIBLE_DEVICES="0,GPU-1234")
        self.warned("visible-devices-form", "MTGPU-1234", CUDA_VISIBLE_DEVICES="0,MTGPU-1234")

    def test_devices_by_uuid(self):
        self.warned("visible-devices-form", "GPU-1234", severity="error", CUDA_VISIBLE_DEVICES="GPU-1234")
        self.warned("visible-devices-form", "GPU-1234", CUDA_VISIBLE_DEVICES="0,GPU-1234")
        # A list in a form of MUSA's own goes to MUSA as it is.
        self.warned("visible-devices-form", "MTGPU-1234", CUDA_VISIBLE_DEVICES="MTGPU-1234,GPU-1234")
        # The beginning of the only device's UUID.
        findings = self.examine("--", fixture("wants12"), **in_order(CUDA_VISIBLE_DEVICES="GPU-"))
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_overruled(self):
        findings = self.warned("variable-overruled", "CUDA_VISIBLE_DEVICES",
                               CUDA_VISIBLE_DEVICES="1", MUSA_VISIBLE_DEVICES="0")
        self.assertTrue(find(findings[0], "MUSA_VISIBLE_DEVICES"))
        self.warned("variable-overruled", "NCCL_DEBUG", NCCL_DEBUG="INFO", MCCL_DEBUG="WARN")

    def test_map(self):
        text = start(TORCHADA, "doctor", "--", fixture("wants12"),
                     **in_order(CUDA_VISIBLE_DEVICES="0", NCCL_DEBUG="INFO", NCCL_ALGO="Ring")).stdout
        self.assertRegex(text, r"(?m)^MUSA_VISIBLE_DEVICES +0 \(from CUDA_VISIBLE_DEVICES\)$")
        self.assertRegex(text, r"(?m)^MCCL_DEBUG +INFO \(from NCCL_DEBUG\)$")
        self.assertNotIn("MCCL_ALGO", text)


class Musa(DoctorTest):

    def of(self, fault, program="wants12", **keys):
        return self.first(fault, "--", fixture(program), **keys)

    def test_none(self):
        self.of("musa-missing", value="/usr/local/musa", LD_LIBRARY_PATH=LIB)

    def test_wrong_root(self):
        findings = self.of("musa-path-wrong", value="/opt/gone",
                           **in_order(TORCHADA_MUSA_PATH="/opt/gone"))
        self.assertNotIn("musa-missing", [found["id"] for found in findings])
        folder = self.folder()
        self.of("musa-path-wrong", value=folder, **in_order(TORCHADA_MUSA_PATH=folder))

    def test_wrong_hint(self):
        self.of("musa-hint-wrong", severity="warning", value="/opt/gone", LD_LIBRARY_PATH=LIB,
                MUSA_HOME="/opt/gone", MUSA_PATH=MUSA)

    def test_mixed_by_links(self):
        root = self.musa()
        name = os.path.join(root, "lib", "libmublas.so.1")
        os.unlink(name)
        os.symlink(os.path.realpath(os.path.join(HOST, "4.3", "lib", "libmublas.so.1")), name)
        self.of("musa-mixed", value="4.3", **in_order(TORCHADA_MUSA_PATH=root))

    def test_mixed_by_copies(self):
        root = self.musa()
        shutil.copy(os.path.join(HOST, "4.3", "lib", "libmublas.so.1"), os.path.join(root, "lib"))
        self.of("musa-mixed", value="libmusart.so.4", **in_order(TORCHADA_MUSA_PATH=root))

    def test_mixed_by_name(self):
        root = self.musa("4.3")
        shutil.copy(os.path.join(root, "lib", "libmusart.so.4"),
                    os.path.join(root, "lib", "libmusart.so.5"))
        self.of("musa-mixed", severity="warning", value="SDK 4.3",
                **in_order(TORCHADA_MUSA_PATH=root))

    def test_mixed_by_variables(self):
        other = os.path.join(HOST, "4.3")
        self.of("musa-mixed", severity="warning", value=other, LD_LIBRARY_PATH=LIB, MUSA_HOME=MUSA,
                MUSA_PATH=other)
        self.of("musa-mixed", severity="warning", value=other,
                **in_order(LD_LIBRARY_PATH=LIB + ":" + other + "/lib"))

    def test_damaged(self):
        for name in ("libmusart.so.5", "libmublas.so.1"):
            root = self.musa()
            self.truncated(os.path.join(root, "lib", name))
            self.of("musa-damaged", value=name, **in_order(TORCHADA_MUSA_PATH=root))

    def test_other_machine(self):
        """Neither the driver nor the device is to blame, and coverage counts none of its functions."""
        root = self.musa()
        library = os.path.realpath(os.path.join(root, "lib", "libmusart.so.5"))
        with open(library, "r+b") as file:
            file.seek(18)  # e_machine
            file.write(struct.pack("<H", 183))
        self.of("musa-other-machine", value="is built for aarch64, not for x86-64",
                **in_order(TORCHADA_MUSA_PATH=root))
        result = start(TORCHADA, "coverage", "--format=json", "--musa-root=" + root)
        self.assertIn("is built for aarch64", result.stderr)
        cudart = [each for each in result.json()["libraries"] if each["library"] == "cudart"]
        # What is emulated does not all need MUSA.
        self.assertTrue(cudart and all(each["present"] <= each["emulated"] for each in cudart), cudart)

    def test_library_missing(self):
        root = self.musa()
        for name in os.listdir(os.path.join(root, "lib")):
            if name.startswith("libmccl"):
                os.unlink(os.path.join(root, "lib", name))
        environment = in_order(TORCHADA_MUSA_PATH=root)
        self.of("musa-library-missing", severity="warning", value="libmccl", **environment)
        self.of("musa-library-missing", program="wants_more", value="libmccl", **environment)

    def test_too_old(self):
        self.of("musa-too-old", program="wants_lt", severity="warning", value="libmublasLt",
                **in_order(TORCHADA_MUSA_PATH=os.path.join(HOST, "3.1")))
        self.of("musa-too-old", program="wants_async", severity="warning", value="cudaMallocAsync",
                **in_order(TORCHADA_MUSA_PATH=os.path.join(HOST, "4.3")))
        self.of("stand-in", program="wants_async", severity="note", **in_order())

    def test_loaded_by_the_program(self):
        own = os.path.join(HOST, "4.3", "lib", "libmusart.so.4")
        self.of("musa-loaded-other", severity="warning", value=own, **in_order(LD_PRELOAD=own))
        both = own + ":" + os.path.join(MUSA, "lib", "libmusart.so.5")
        self.of("musa-runtime-twice", value=own, **in_order(LD_PRELOAD=both))

    def test_loads_itself(self):
        """A libmusart that crashes or hangs must not affect the doctor."""
        root = self.folder()
        os.mkdir(os.path.join(root, "lib"))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.5"), os.path.join(root, "lib"))
        environment = in_order(TORCHADA_MUSA_PATH=root)
        findings = self.examine("--", fixture("wants12"), status=NO, POSED_SIGNAL="11",
                                **environment)
        self.assertTrue(find(next(found for found in findings if found["id"] == "musa-fails"),
                             "signal 11"))
        findings = self.examine("--timeout=1", "--", fixture("wants12"), status=NO, POSED_HANG="1",
                                **environment)
        self.assertIn("musa-fails", [found["id"] for found in findings])


@unittest.skipIf(os.path.exists("/dev/mtgpu.0"), "a GPU is there: its driver cannot be missing")
class Driver(DoctorTest):
    """A MUSA other than the stand-in, simulated by tests/command/posed.c."""

    def root(self):
        root = self.musa()
        os.unlink(os.path.join(root, "version.json"))
        for name in os.listdir(os.path.join(root, "lib")):
            if name.startswith("libmusart"):
                os.unlink(os.path.join(root, "lib", name))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.5"), os.path.join(root, "lib"))
        return root

    def with_driver(self, **changes):
        folder = self.decoys("decoy_musa.so", "libmusa.so.1")
        return in_order(TORCHADA_MUSA_PATH=self.root(), LD_LIBRARY_PATH=LIB + ":" + folder,
                        **changes)

    def test_library_missing(self):
        self.first("driver-library-missing", "--", fixture("wants12"), value="libmusa.so.1",
                   **in_order(TORCHADA_MUSA_PATH=self.root(), POSED_STATUS="35"))

    def test_node_missing(self):
        self.first("driver-node-missing", "--", fixture("wants12"), value="/dev/mtgpu",
                   **self.with_driver(POSED_STATUS="100"))

    def test_stub(self):
        stubs = os.path.join(self.folder(), "stubs")
        os.mkdir(stubs)
        shutil.copy(fixture("decoy_musa.so"), os.path.join(stubs, "libmusa.so.1"))
        self.first("driver-stub", "--", fixture("wants12"), value=stubs,
                   **in_order(TORCHADA_MUSA_PATH=self.root(), LD_LIBRARY_PATH=LIB + ":" + stubs))

    def test_older(self):
        findings = self.first("driver-older", "--", fixture("wants12"), severity="warning",
                              value="5.0.3", **self.with_driver())
        # MUSA reports a device, so it has everything it needs.
        self.assertEqual({"note"}, {found["severity"] for found in findings[1:]})

    def test_no_device(self):
        findings = self.examine("--", fixture("wants12"), status=NO,
                                **self.with_driver(POSED_STATUS="100"))
        found = next(found for found in findings if found["id"] == "no-devices")
        self.assertTrue(find(found, "cudaErrorNoDevice (100)"), found)


if __name__ == "__main__":
    main()
