"""torchada doctor: each fault is planted alone into what is otherwise in order, and must be the first
that it names. Standard library only; tests/command/support.py is what the subcommands' tests share.
"""
import os
import shutil
import struct
import subprocess
import sys
import time
import unittest

import support
from support import FAILED, HOST, NATIVE, NO, OK, SKIPPED, STAGE, TORCHADA, USAGE, start

FIXTURES = os.environ["DOCTOR_FIXTURES"]
LIB = os.path.join(STAGE, "lib")
MUSA = os.path.join(HOST, "5.1")
PYTHON = "/usr/bin/python3"
NOBODY = 65534


def fixture(name):
    return os.path.join(FIXTURES, name)


def in_order(**changes):
    """An environment in which nothing is wrong."""
    return {"LD_LIBRARY_PATH": LIB, "TORCHADA_MUSA_PATH": MUSA, **changes}


def find(finding, text):
    return any(text in item["value"] or text in item["what"] for item in finding["evidence"])


class DoctorTest(support.CommandTest):

    def examine(self, *words, status=None, command=None, **environment):
        """The findings, with what all of them must have."""
        command = command or [TORCHADA]
        result = start(*command, "doctor", "--format=json", *words, **environment)
        # Of what is wrong with LD_PRELOAD the loader speaks when it starts the doctor itself.
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
        """A folder with copies: of a fixture under the name after the colon."""
        folder = self.folder()
        for name, source in files.items():
            shutil.copy(source, os.path.join(folder, name))
        return folder

    def decoys(self, source="decoy12.so", name="libcudart.so.12"):
        folder = self.folder()
        shutil.copy(fixture(source), os.path.join(folder, name))
        return folder

    def musa(self, tree="5.1"):
        """A copy of a stand-in's tree."""
        root = os.path.join(self.folder(), "musa")
        shutil.copytree(os.path.realpath(os.path.join(HOST, tree)), root, symlinks=True)
        return root

    def truncated(self, path):
        with open(path, "rb") as file:
            start_of = file.read(3000)
        os.unlink(path)
        with open(path, "wb") as file:
            file.write(start_of)


class Program(DoctorTest):

    def test_in_order(self):
        findings = self.examine("--", fixture("wants12"), status=OK, **in_order())
        self.assertEqual(["stand-in"], [found["id"] for found in findings])
        text = self.done(start(TORCHADA, "doctor", "--", fixture("wants12"), **in_order())).stdout
        self.assertRegex(text, r"\Anote: this is the CPU stand-in: no GPU is used \[stand-in\]\n")
        self.assertRegex(text, r"(?m)^libcudart\.so\.12 +\S+ \(torchada's\)$")
        self.assertRegex(text, r"(?m)^devices +1$")

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
        self.first("program-32-bit", "--", path, value="32 bits", **in_order())

    def test_static_runtime(self):
        self.first("static-cudart", "--", fixture("static_runtime"), value="libcuda.so.1",
                   **in_order())

    def test_no_loader(self):
        self.first("program-static", "--", fixture("no_loader"), **in_order())


class RealStatic(DoctorTest):
    """What nvcc links by default."""

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
        """PyTorch's wheels: the program is Python, the path is in a library of a package."""
        site = self.folder()
        torch = os.path.join(site, "torch", "lib")
        os.makedirs(os.path.join(torch, "nvidia"))
        shutil.copy(fixture("decoy12.so"), os.path.join(torch, "nvidia", "libcudart.so.12"))
        # What is looked at is its dynamic section.
        shutil.copy(fixture("wants12_rpath"), os.path.join(torch, "libtorch_global_deps.so"))
        self.first("dt-rpath", "--", PYTHON, value=torch, **in_order(PYTHONPATH=site))
        findings = self.examine("--run", "--", PYTHON, status=OK, PYTHONPATH=site)
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_runpath(self):
        program = self.program_with_decoy("wants12_runpath")
        self.first("nvidia-first", "--", program, value="nvidia/libcudart.so.12",
                   **in_order(LD_LIBRARY_PATH=None))
        # LD_LIBRARY_PATH goes before DT_RUNPATH.
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
                   command=[self.installation(support.real_tables(), lib)],
                   **in_order(LD_LIBRARY_PATH=lib))

    def test_installation_damaged(self):
        lib = os.path.join(self.folder(), "lib")
        shutil.copytree(LIB, lib)
        self.truncated(os.path.join(lib, "libcublas.so.13"))
        self.first("library-damaged", "--", fixture("wants12"), value="libcublas.so.13",
                   command=[self.installation(support.real_tables(), lib)],
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
        self.warned("override", fixture("decoy_musa.so"),
                    TORCHADA_OVERRIDE=fixture("decoy_musa.so"))
        self.warned("override-wrong", "/opt/gone/o.so", TORCHADA_OVERRIDE="/opt/gone/o.so")
        self.warned("strict", "1", TORCHADA_STRICT="1")
        self.warned("log-off", "off", severity="note", TORCHADA_LOG="off")

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
        """A libmusart that crashes or hangs takes nothing with it."""
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
    """A MUSA that is not the stand-in, as posed by tests/command/posed.c."""

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
        # MUSA has a device, so nothing that it needs is missing.
        self.assertEqual({"note"}, {found["severity"] for found in findings[1:]})

    def test_no_device(self):
        findings = self.examine("--", fixture("wants12"), status=NO,
                                **self.with_driver(POSED_STATUS="100"))
        found = next(found for found in findings if found["id"] == "no-devices")
        self.assertTrue(find(found, "cudaErrorNoDevice (100)"), found)


class Process(DoctorTest):

    def process(self, *libraries, **environment):
        """A Python that has opened these, and waits."""
        code = "import ctypes, sys\n" + "".join("ctypes.CDLL(%r)\n" % name for name in libraries)
        child = subprocess.Popen(  # pylint: disable=consider-using-with
            [PYTHON, "-c", code + "print('ready', flush=True)\nsys.stdin.read()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **environment})
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.stdin.close)
        self.assertEqual(b"ready\n", child.stdout.readline())
        return "--pid=%d" % child.pid

    def test_in_order(self):
        own = os.path.join(LIB, "libcudart.so.12")
        findings = self.examine(self.process(own, **in_order()), status=OK)
        self.assertEqual(["stand-in"], [found["id"] for found in findings])

    def test_two_runtimes(self):
        old = os.path.join(HOST, "4.3", "lib", "libmusart.so.4")
        new = os.path.join(MUSA, "lib", "libmusart.so.5")
        findings = self.first("musa-runtime-twice", self.process(
            os.path.join(LIB, "libcudart.so.12"), old, new), value="libmusart.so.4")
        self.assertTrue(find(findings[0], "libmusart.so.5"), findings[0])

    def test_real_library(self):
        decoy = os.path.join(self.decoys(), "libcudart.so.12")
        self.first("nvidia-first", self.process(decoy, **in_order()), value=decoy)
        decoy = os.path.join(self.decoys("decoy13.so", "libcudart.so.13"), "libcudart.so.13")
        self.first("nvidia-also", self.process(os.path.join(LIB, "libcudart.so.12"), decoy,
                                               **in_order()), value=decoy)

    def test_two_majors(self):
        self.first("two-majors", self.process(os.path.join(LIB, "libcudart.so.12"),
                                              os.path.join(LIB, "libcudart.so.13"), **in_order()),
                   severity="warning", value="libcudart.so.13")

    def test_replaced(self):
        folder = self.decoys(source=os.path.join(LIB, "libcudart.so.12"))
        path = os.path.join(folder, "libcudart.so.12")
        process = self.process(path, **in_order())
        os.unlink(path)
        self.first("library-replaced", process, severity="warning", value=path)

    def test_program_deleted(self):
        path = os.path.join(self.folder(), "waits")
        shutil.copy("/bin/sleep", path)
        child = subprocess.Popen([path, "100"])  # pylint: disable=consider-using-with
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        while os.readlink("/proc/%d/exe" % child.pid) != path:
            time.sleep(0.01)
        os.unlink(path)
        self.first("not-loaded", "--pid=%d" % child.pid, severity="note")

    def test_no_musa(self):
        self.first("musa-missing", self.process(os.path.join(LIB, "libcudart.so.12")))

    def test_nothing_loaded(self):
        self.first("not-loaded", self.process(), severity="note", value="")

    def test_refused(self):
        dead = subprocess.Popen(["/bin/true"])  # pylint: disable=consider-using-with
        dead.wait()
        for pid, status, text in ((str(dead.pid), FAILED, "there is no process"),
                                  ("0", USAGE, "--pid is the number"), ("-3", USAGE, "--pid is"),
                                  ("x", USAGE, "--pid"), ("99999999999", USAGE, "--pid"),
                                  ("2147483647", FAILED, "there is no process")):
            result = self.done(start(TORCHADA, "doctor", "--pid=" + pid), status)
            self.assertEqual("", result.stdout)
            self.assertIn(text, result.stderr)

    def test_zombie(self):
        child = subprocess.Popen(["/bin/true"])  # pylint: disable=consider-using-with
        while open("/proc/%d/stat" % child.pid, encoding="ascii").read().split()[2] != "Z":
            time.sleep(0.01)
        result = self.done(start(TORCHADA, "doctor", "--pid=%d" % child.pid), FAILED)
        child.wait()
        self.assertIn("/proc/%d" % child.pid if "/proc" in result.stderr else "has ended",
                      result.stderr)


class Root(DoctorTest):
    """A container's file system; nothing of this machine's counts."""

    def tree(self):
        root = self.folder()
        for name in ("opt/torchada", "usr/local", "usr/lib/x86_64-linux-gnu", "usr/bin", "etc",
                     "dev", "app"):
            os.makedirs(os.path.join(root, name))
        os.symlink("usr/lib", os.path.join(root, "lib"))
        shutil.copytree(LIB, os.path.join(root, "opt/torchada/lib"))
        shutil.copytree(os.path.realpath(MUSA), os.path.join(root, "usr/local/musa-5.1"),
                        symlinks=True)
        os.symlink("/usr/local/musa-5.1", os.path.join(root, "usr/local/musa"))
        shutil.copy(os.path.realpath("/lib/x86_64-linux-gnu/libc.so.6"),
                    os.path.join(root, "usr/lib/x86_64-linux-gnu/libc.so.6"))
        for name in ("wants12", "wants12_rpath"):
            shutil.copy(fixture(name), os.path.join(root, "app"))
        with open(os.path.join(root, "etc/ld.so.conf"), "w", encoding="utf-8") as file:
            file.write("# ours\ninclude /etc/conf.d/*.conf\n")
        os.mkdir(os.path.join(root, "etc/conf.d"))
        with open(os.path.join(root, "etc/conf.d/torchada.conf"), "w", encoding="utf-8") as file:
            file.write("/opt/torchada/lib\n")
        return root

    def in_tree(self, fault, root, *command, **keys):
        words = ["--root=" + root] + (["--", *command] if command else [])
        return self.first(fault, *words, **keys)

    def test_in_order(self):
        self.in_tree("stand-in", self.tree(), "/app/wants12", severity="note",
                     value="/usr/local/musa/lib/libmusart.so.5")
        root = self.tree()
        shutil.copy(fixture("wants12"), os.path.join(root, "usr/bin/program"))
        with open(os.path.join(root, "app/script"), "w", encoding="utf-8") as file:
            file.write("#!/usr/bin/env program\n")
        os.chmod(os.path.join(root, "app/script"), 0o755)
        self.in_tree("stand-in", root, "/app/script", severity="note")
        # This machine's variables are not the container's.
        self.in_tree("stand-in", root, "program", severity="note", TORCHADA_MUSA_PATH="/opt/gone",
                     LD_LIBRARY_PATH="/opt/gone")

    def test_not_found(self):
        root = self.tree()
        os.unlink(os.path.join(root, "etc/ld.so.conf"))
        self.in_tree("library-not-found", root, "/app/wants12", value="/app/wants12")

    def test_real_library(self):
        root = self.tree()
        os.mkdir(os.path.join(root, "app/nvidia"))
        shutil.copy(fixture("decoy12.so"), os.path.join(root, "app/nvidia/libcudart.so.12"))
        self.in_tree("dt-rpath", root, "/app/wants12_rpath", value="/app/nvidia/libcudart.so.12")
        with open(os.path.join(root, "etc/ld.so.conf"), "w", encoding="utf-8") as file:
            file.write("/app/nvidia\n/opt/torchada/lib\n")
        self.in_tree("nvidia-first", root, "/app/wants12", value="/app/nvidia/libcudart.so.12")

    def test_not_installed(self):
        root = self.tree()
        shutil.rmtree(os.path.join(root, "opt/torchada"))
        self.in_tree("installation-missing", root)

    def test_no_musa(self):
        root = self.tree()
        os.unlink(os.path.join(root, "usr/local/musa"))
        self.in_tree("musa-missing", root)

    def test_program_missing(self):
        self.in_tree("program-missing", self.tree(), "/app/nothing")

    def test_links_stay_inside(self):
        """Links out of the tree, up, and around lead nowhere else."""
        root = self.tree()
        os.symlink("/../../../app/wants12", os.path.join(root, "app/up"))
        self.in_tree("stand-in", root, "/app/up", severity="note")
        os.symlink("loop", os.path.join(root, "app/loop"))
        self.in_tree("program-missing", root, "/app/loop")
        os.symlink(TORCHADA, os.path.join(root, "app/out"))
        self.in_tree("program-missing", root, "/app/out")

    def test_version_behind_a_link(self):
        """An absolute link to version.json is the container's, not this machine's."""
        root, outside = self.tree(), self.folder()
        place = os.path.join(root, "usr/local/musa-5.1/version.json")
        shutil.copy(os.path.join(HOST, "4.3", "version.json"), outside)
        os.makedirs(root + outside)
        shutil.move(place, root + outside)
        os.symlink(os.path.join(outside, "version.json"), place)
        self.in_tree("stand-in", root, "/app/wants12", severity="note")
        text = start(TORCHADA, "doctor", "--root=" + root, "--", "/app/wants12").stdout
        self.assertRegex(text, r"(?m)^SDK +5\.1")

    def test_what_cannot_be_opened(self):
        """Nobody writes into these pipes; opening one would wait for ever."""
        root = self.tree()
        os.mkfifo(os.path.join(root, "usr/lib/x86_64-linux-gnu/libcudart.so.12"))
        os.unlink(os.path.join(root, "etc/ld.so.conf"))
        os.mkfifo(os.path.join(root, "etc/ld.so.conf"))
        self.in_tree("library-damaged", root, "/app/wants12", value="no regular file")

    def posed(self):
        root = self.tree()
        lib = os.path.join(root, "usr/local/musa-5.1/lib")
        os.unlink(os.path.join(root, "usr/local/musa-5.1/version.json"))
        for name in os.listdir(lib):
            if name.startswith("libmusart"):
                os.unlink(os.path.join(lib, name))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.5"), lib)
        return root

    def test_driver(self):
        """It comes with the container's start, so that it is no error here."""
        root = self.posed()
        self.in_tree("driver-library-missing", root, "/app/wants12", severity="warning")
        shutil.copy(fixture("decoy_musa.so"),
                    os.path.join(root, "usr/lib/x86_64-linux-gnu/libmusa.so.1"))
        self.in_tree("driver-node-missing", root, "/app/wants12", severity="warning")


class Frame(DoctorTest):

    def test_usage(self):
        for words, text in ((["--root=/nonexistent/folder"], "--root"),
                            (["--root=/etc/passwd"], "--root"), (["--root=/", "--pid=1"], "--pid"),
                            (["--pid=1", "--", "/bin/true"], "--pid"), (["--run"], "--run"),
                            (["word"], "two dashes"), (["--timeout=0"], "--timeout"),
                            (["--format=xml"], "--format"), (["--nothing"], "unknown option")):
            result = self.done(start(TORCHADA, "doctor", *words), USAGE)
            self.assertEqual("", result.stdout)
            self.assertIn(text, result.stderr)

    def test_closed_output(self):
        for words in (["doctor"], ["doctor", "--format=json", "--", PYTHON]):
            result = subprocess.run(["/bin/sh", "-c", 'exec "$@" >&-', "sh", TORCHADA, *words],
                                    capture_output=True, text=True, env={**os.environ, **in_order()},
                                    check=False, timeout=100)
            self.assertEqual(FAILED, result.returncode, result.stderr)
            self.assertIn("cannot write to standard output", result.stderr)

    def test_control_characters(self):
        """What others put into variables and names stays text."""
        evil = "/opt/\x1b[31mgone\nerror: x"
        result = start(TORCHADA, "doctor", "--", fixture("wants12"),
                       **in_order(LD_LIBRARY_PATH=evil + ":" + LIB))
        self.assertIn("/opt/?[31mgone?error", result.stdout)
        self.assertNotIn("\x1b", result.stdout)
        self.assertFalse([line for line in result.stdout.split("\n") if line.startswith("error")])

    def test_program_is_not_started(self):
        folder = self.folder()
        script = os.path.join(folder, "script")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ntouch %s/started\n" % folder)
        os.chmod(script, 0o755)
        self.examine("--", script, **in_order())
        self.assertEqual(["script"], os.listdir(folder))


class Privileged(DoctorTest):
    """Permissions, as another user than root; setuid programs."""

    def as_nobody(self, *words, **environment):
        def become():
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

        if os.geteuid() != 0:
            become = None  # Whoever this is, permissions count for him.
        ended = subprocess.run([TORCHADA, "doctor", "--format=json", *words], capture_output=True,
                               text=True, preexec_fn=become, env={**os.environ, **environment},
                               check=False, timeout=100)
        return support.Result(words, ended)

    def named(self, fault, value, result):
        self.assertEqual(NO, result.status, str(result))
        found = result.json()["findings"][0]
        self.assertEqual(fault, found["id"], str(result))
        self.assertTrue(find(found, value), found)

    def test_musa_unreadable(self):
        root = self.musa()
        os.chmod(os.path.dirname(root), 0o755)
        os.chmod(os.path.realpath(os.path.join(root, "lib", "libmusart.so.5")), 0o000)
        self.named("musa-unreadable", root,
                   self.as_nobody("--", fixture("wants12"), **in_order(TORCHADA_MUSA_PATH=root)))

    def test_node_unreadable(self):
        root = Root.posed(self)
        os.chmod(root, 0o755)
        shutil.copy(fixture("decoy_musa.so"),
                    os.path.join(root, "usr/lib/x86_64-linux-gnu/libmusa.so.1"))
        node = os.path.join(root, "dev/mtgpu.0")
        with open(node, "w", encoding="ascii"):
            pass
        os.chmod(node, 0o600 if os.geteuid() == 0 else 0o000)
        self.named("driver-node-unreadable", "/dev/mtgpu.0", self.as_nobody("--root=" + root))

    tree = Root.tree

    def test_library_unreadable(self):
        root = self.tree()
        os.chmod(root, 0o755)
        os.chmod(os.path.join(root, "opt/torchada/lib/libcudart.so.12"), 0o000)
        self.named("library-unreadable", "libcudart.so.12",
                   self.as_nobody("--root=" + root, "--", "/app/wants12"))

    def test_process_of_another(self):
        result = self.as_nobody("--pid=1")
        self.done(result, FAILED)
        self.assertEqual("", result.stdout)
        self.assertRegex(result.stderr, r"/proc/1/\S+: Permission denied \(be the user of the "
                         r"process, or root\)")

    def test_setuid(self):
        path = os.path.join(self.folder(), "program")
        shutil.copy(fixture("wants12"), path)
        os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o4755)
        self.first("program-setuid", "--", path, value="setuid", **in_order())
        os.chmod(path, 0o755)
        self.assertEqual("stand-in", self.examine("--", path, **in_order())[0]["id"])


def why_skipped():
    if sys.argv[1:] == ["RealStatic"] and not os.access("/usr/local/cuda/bin/nvcc", os.X_OK):
        return "no nvcc: programs with NVIDIA's own static runtime were not tested"
    if sys.argv[1:] == ["Privileged"] and os.geteuid() != 0:
        return "not root: permissions and setuid programs were not tested"
    return None


if __name__ == "__main__":
    REASON = why_skipped()
    if REASON:
        print("SKIPPED:", REASON)
        sys.exit(SKIPPED)
    support.main()
