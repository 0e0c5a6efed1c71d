"""torchada check: verdicts, outputs and exit statuses, on files that are made here."""
import io
import os
import re
import subprocess
import tarfile
import zipfile

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support
from compiled import build, calls, ours, posed
from support import FAILED, NO, OK, TORCHADA, USAGE, real_tables, start, torchada

CANNOT = 4
RUNTIME = ours("libcudart.so.12")


def names_with(standing, abi, library="cudart", decision=None):
    """Names of the tables that stand so: which ones they are is not this test's business."""
    found, = [item for item in real_tables()["libraries"]
              if (item["library"], item["abi"]) == (library, abi)]
    return [symbol["name"] for symbol in found["symbols"] if symbol["standing"] == standing
            and decision in (None, symbol["decision"])]


class CheckTest(support.CommandTest):

    def check(self, status, *words, **environment):
        result = torchada("check", "--format=json", *words, **environment)
        self.assertEqual(status, result.status, str(result))
        self.assertEqual("", result.stderr, str(result))
        return result.json()

    def one(self, status, *words):
        reports = self.check(status, *words)["reports"]
        self.assertEqual(1, len(reports), reports)
        return reports[0]

    def write(self, folder, name, contents):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(contents if isinstance(contents, bytes) else contents.encode())
        return path


class Verdicts(CheckTest):

    def program(self, *names, words=None, folder=None):
        return build(folder or self.folder(), "program", *(words or RUNTIME), source=calls(*names))

    def test_runs(self):
        path = self.program("cudaMalloc", "cudaFree", "cudaGetErrorString")
        report = self.one(OK, path)
        self.assertEqual(("runs", "ELF", path), (report["verdict"], report["kind"],
                                                 report["path"]))
        library, = report["libraries"]
        self.assertEqual(("libcudart.so.12", 12, True),
                         (library["soname"], library["abi"], library["listed"]))
        self.assertEqual([("cudaFree", "libcudart.so.12"), ("cudaGetErrorString",
                                                             "libcudart.so.12"),
                          ("cudaMalloc", "libcudart.so.12")],
                         [(item["name"], item["version"]) for item in library["symbols"]])
        text = self.done(torchada("check", path)).stdout
        self.assertIn("program: runs\n  libcudart.so.12: ", text)
        self.assertIn("1 file, 1 with CUDA; the whole: runs\n", text)
        self.assertNotIn("cudaMalloc", text)
        self.assertIn("supported: cudaMalloc@libcudart.so.12",
                      self.done(torchada("check", "--symbols", path)).stdout)

    def test_standing_is_that_of_explain(self):
        names = ["cudaMalloc", "cudaLaunchKernel", "cudaMemcpyToSymbol", "cudaGetDeviceCount",
                 *names_with("assumed", 12)[:3], *names_with("unsupported", 12)[:3]]
        library, = self.one(NO, self.program(*names))["libraries"]
        self.assertEqual(sorted(set(names)), [item["name"] for item in library["symbols"]])
        for item in library["symbols"]:
            functions = torchada("explain", "--format=json", item["name"]).json()[0]
            function, = [one for one in functions["cuda_functions"]
                         if "libcudart.so.12" in one["libraries"]]
            self.assertEqual(function["standing"], item["standing"], item["name"])

    def test_assumed(self):
        names = names_with("assumed", 12)[:4]
        self.assertEqual(4, len(names))
        report = self.one(NO, self.program("cudaMalloc", *names))
        self.assertEqual("assumed", report["verdict"])
        self.assertIn("it needs 4 symbols that are only assumed", report["reasons"][0])

    def test_unsupported(self):
        names = names_with("unsupported", 12, decision="unsupported")[:2]
        report = self.one(NO, self.program("cudaMalloc", *names))
        self.assertEqual("partly", report["verdict"])
        self.assertEqual(["it refers to 2 functions that answer \"not supported\""],
                         report["reasons"])
        text = torchada("check", self.program("cudaMalloc", *names)).stdout
        self.assertRegex(text, r"unsupported: %s@libcudart.so.12: \S+" % names[0])

    def test_missing_symbol(self):
        folder = self.folder()
        posed(folder, "libcudart.so.12", "libcudart.so.12", "cudaMalloc", "cudaNothingSuch")
        path = self.program("cudaMalloc", "cudaNothingSuch", folder=folder,
                            words=["-L" + folder, "-l:libcudart.so.12"])
        report = self.one(CANNOT, path)
        self.assertEqual("cannot", report["verdict"])
        self.assertIn("1 symbol that libcudart.so.12 does not have, as cudaNothingSuch",
                      report["reasons"][0])

    def test_weak_symbol_may_be_missing(self):
        folder = self.folder()
        posed(folder, "libcudart.so.12", "libcudart.so.12", "cudaMalloc", "cudaNothingSuch")
        path = build(folder, "program", "-L" + folder, "-l:libcudart.so.12",
                     source="void cudaMalloc(void); void cudaNothingSuch(void)"
                            "__attribute__((weak));\n"
                            "int main(void) { cudaMalloc(); if (cudaNothingSuch) "
                            "cudaNothingSuch(); return 0; }\n")
        library, = self.one(OK, path)["libraries"]
        self.assertEqual({"cudaMalloc": False, "cudaNothingSuch": True},
                         {item["name"]: item["weak"] for item in library["symbols"]})

    def test_unknown_major(self):
        folder = self.folder()
        posed(folder, "libcudart.so.10.1", "libcudart.so.10.1", "cudaMalloc")
        path = self.program("cudaMalloc", folder=folder,
                            words=["-L" + folder, "-l:libcudart.so.10.1"])
        report = self.one(CANNOT, path)
        self.assertEqual(["it needs libcudart.so.10.1, of a CUDA major that torchada does not "
                          "have"], report["reasons"])

    def test_other_library(self):
        folder = self.folder()
        for soname, what in (("libcuda.so.1", "driver"), ("libcudnn_graph.so.9", "cuDNN"),
                             ("libnvidia-ml.so.1", "NVML"), ("libcufft.so.11", "cuFFT"),
                             ("libnvrtc.so.12", "compiling"), ("libnppial.so.12", "NPP"),
                             ("libcupti.so.12", "CUPTI"), ("libnvJitLink.so.12", "linking"),
                             ("libcusparse.so.12", "cuSPARSE"), ("libcusolver.so.11", "cuSOLVER")):
            posed(folder, soname, "node", "someFunction")
            path = self.program("someFunction", folder=folder, words=["-L" + folder,
                                                                      "-l:" + soname])
            report = self.one(CANNOT, path)
            other, = report["other_libraries"]
            self.assertEqual((soname, True), (other["name"], other["listed"]))
            self.assertIn(what, other["what"])
            self.assertTrue(other["advice"])
            self.assertEqual([soname + ": " + other["advice"]], report["remedies"])

    def test_no_business_of_cuda(self):
        folder = self.folder()
        for soname in ("libcudart_not.so.1", "libnppx.so.1", "libcudagraph.so", "libnvrtcx.so.1"):
            posed(folder, soname, "node", "someFunction")
            path = self.program("someFunction", folder=folder, words=["-L" + folder,
                                                                      "-l:" + soname])
            self.assertEqual([], self.check(OK, path)["reports"], soname)

    def test_nothing(self):
        everything = self.check(OK, "/bin/sh")
        self.assertEqual(("nothing", 1, []), (everything["verdict"], everything["files"],
                                             everything["reports"]))
        self.assertEqual("nothing", self.one(OK, "--all", "/bin/sh")["verdict"])

    def test_search_path(self):
        path = self.program("cudaMalloc", words=[*RUNTIME, "-Wl,--disable-new-dtags",
                                                 "-Wl,-rpath,/opt/first"])
        report = self.one(OK, path)
        self.assertEqual(("/opt/first", ""), (report["rpath"], report["runpath"]))
        self.assertRegex(report["remedies"][0], r"DT_RPATH \(/opt/first\).*torchada run")
        path = self.program("cudaMalloc", words=[*RUNTIME, "-Wl,--enable-new-dtags",
                                                 "-Wl,-rpath,/opt/second"])
        report = self.one(OK, path)
        self.assertEqual(("", "/opt/second", []), (report["rpath"], report["runpath"],
                                                   report["remedies"]))

    def test_renamed(self):
        """As auditwheel and PyTorch's build do it."""
        folder = self.folder()
        name = "libcudart-1a2b3c4d.so.12.4.127"
        posed(folder, name, "libcudart.so.12", "cudaMalloc")
        report = self.one(OK, self.program("cudaMalloc", folder=folder,
                                           words=["-L" + folder, "-l:" + name]))
        library, = report["libraries"]
        self.assertEqual((name, "libcudart.so.12"), (library["asked"], library["soname"]))
        self.assertEqual(["cudaMalloc"], [item["name"] for item in library["symbols"]])
        self.assertIn("torchada run, which knows renamed libraries", report["remedies"][0])

    def test_opened_at_run_time(self):
        source = ("#include <stdio.h>\nint main(int n, char** v) {\n"
                  "  const char* names[] = {\"%s\", \"not libcublas.so here\"};\n"
                  "  return puts(names[n - 1]); }\n")
        folder = self.folder()
        for name, verdict, status in (("libcublas.so.12", "runs", OK),
                                      ("/usr/local/cuda/lib64/libnccl.so.2", "runs", OK),
                                      ("libcuda.so.1", "partly", NO),
                                      ("libnvrtc.so", "partly", NO)):
            report = self.one(status, build(folder, "program", source=source % name))
            self.assertEqual(([name], verdict), (report["opens"], report["verdict"]))
            absolute = [text for text in report["remedies"] if "with its path" in text]
            self.assertEqual(name.startswith("/"), bool(absolute), report["remedies"])
        path = build(folder, "program", source=source % "libmatrix.so.1")
        self.assertEqual([], self.check(OK, path)["reports"])

    def test_replaced(self):
        for name in ("libcudart.so.12", "libnccl.so.2", "libcublas.so.13"):
            report = self.one(OK, os.path.join(support.STAGE, "lib", name))
            self.assertEqual("replaced", report["verdict"])

    def test_object_files(self):
        """Nothing has a version yet: the major is what the option says, or the newest default."""
        folder = self.folder()
        build(folder, "one.o", "-c", source="void cudaMalloc(void); void f(void) { cudaMalloc(); }")
        build(folder, "two.o", "-c", source="int two(void) { return 2; }")
        archive = os.path.join(folder, "both.a")
        subprocess.run(["ar", "rcs", archive, os.path.join(folder, "one.o"),
                        os.path.join(folder, "two.o")], check=True)
        for words, soname in (([], "libcudart.so.12"), (["--abi=11"], "libcudart.so.11.0"),
                              (["--abi=13"], "libcudart.so.13")):
            report = self.one(OK, *words, archive)
            self.assertEqual(archive + "!one.o", report["path"])
            library, = report["libraries"]
            self.assertEqual((soname, False), (library["soname"], library["listed"]))

    def test_the_worst_counts(self):
        folder = self.folder()
        build(folder, "good", *RUNTIME, source=calls("cudaMalloc"))
        names = names_with("assumed", 12)[:1]
        build(folder, "assumed", *RUNTIME, source=calls(*names))
        everything = self.check(NO, folder)
        self.assertEqual(("assumed", {"assumed": 1, "runs": 1}),
                         (everything["verdict"], everything["counts"]))
        self.write(folder, "broken", b"\x7fELF")
        self.assertEqual("unreadable", self.check(FAILED, folder)["verdict"])
        self.write(folder, "driver", elf_maker.elf(["libcuda.so.1"]))
        self.assertEqual("cannot", self.check(CANNOT, folder)["verdict"])


class DeviceCode(CheckTest):

    def report(self, status, fatbin, *words):
        path = self.write(self.folder(), "lib.so", elf_maker.elf(["libcudart.so.12"],
                                                                 fatbin=fatbin))
        return self.one(status, *words, path)

    def test_images(self):
        report = self.report(NO, elf_maker.fat_binary(
            elf_maker.image(2, 80, b"x" * 40), elf_maker.image(2, 80, b"x" * 10, flags=0x8011),
            elf_maker.image(1, 90, b"ptx", options=b"-maxrregcount=96  ")) +
            elf_maker.fat_binary(elf_maker.image(2, 120, b"")) +
            elf_maker.fat_binary(elf_maker.image(2, 90, b"", flags=0x100011)) +
            elf_maker.fat_binary(elf_maker.image(7, 75, b"?")))
        device = report["device_code"]
        self.assertEqual((4, "", "kernels"), (device["fat_binaries"], device["damage"],
                                              report["verdict"]))
        self.assertEqual([("ELF", "sm_80", "", 2, 1), ("ELF", "sm_90a", "", 1, 0), ("ELF", "sm_120", "", 1, 0),
                          ("PTX", "compute_90", "-maxrregcount=96", 1, 0),
                          ("kind 7", "sm_75", "", 1, 0)],
                         [(item["kind"], item["architecture"], item["flags"], item["count"],
                           item["compressed"]) for item in device["images"]])

    def test_damage(self):
        """Cut anywhere: what comes before the cut is told, and that there is damage."""
        whole = elf_maker.fat_binary(elf_maker.image(2, 80, b"x" * 24),
                                     elf_maker.image(1, 90, b"y" * 24, options=b"-a"))
        folder = self.folder()
        for length in range(1, len(whole)):
            self.write(folder, "%03d.so" % length,
                       elf_maker.elf(["libcudart.so.12"], fatbin=whole[:length]))
        damage = self.damage(folder)
        self.assertEqual([length >= 16 for length in range(1, len(whole))], damage)

    def test_wrong_numbers(self):
        """Sizes that do not fit are damage; where flags begin is not."""
        whole = elf_maker.fat_binary(elf_maker.image(1, 90, b"y" * 24, options=b"-a"))
        folder = self.folder()
        places = (6, 8, 20, 24, 36, 80)
        for at in places:
            wrong = whole[:at] + b"\xff\xff" + whole[at + 2:]
            self.write(folder, "%03d.so" % at, elf_maker.elf(["libcudart.so.12"], fatbin=wrong))
        self.assertEqual([True, True, True, True, False, False], self.damage(folder))

    def damage(self, folder):
        result = torchada("check", "--format=json", folder)
        return [bool(report["device_code"]["damage"]) for report in result.json()["reports"]]

    def test_no_fat_binary(self):
        device = self.report(OK, b"nothing of the kind" * 100)["device_code"]
        self.assertEqual((0, []), (device["fat_binaries"], device["images"]))

    def test_names_of_host_stubs(self):
        """nvcc's own are compared elsewhere; these are named as it names them."""
        source = ("void _Z26__device_stub__Z7add_onePiPi(void) {}\n"
                  "void _Z25__device_stub__plain_namePi(void) {}\n"
                  "void _Z9__device_stub__Z7add_onePiPi(void) {}\n"
                  "void _Z99__device_stub__Z7add_onePiPi(void) {}\n"
                  "void __cudaRegisterFunction(void);\n"
                  "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.incbin \\\"%s\\\"\\n.text\");\n"
                  "int main(void) { __cudaRegisterFunction(); return 0; }\n")
        folder = self.folder()
        fatbin = self.write(folder, "image", elf_maker.fat_binary(
            elf_maker.image(2, 80, b"compressed", flags=0x8011)))
        path = build(folder, "program", *RUNTIME, source=source % fatbin)
        device = self.one(NO, "--kernels", path)["device_code"]
        self.assertEqual((["add_one(int*)", "plain_name"], "host symbols"),
                         (device["kernels"], device["kernels_from"]))
        self.assertEqual([], self.one(NO, path)["device_code"]["kernels"])
        subprocess.run(["strip", path], check=True)
        device = self.one(NO, "--kernels", path)["device_code"]
        self.assertEqual([], device["kernels"])
        self.assertIn("stripped", device["kernels_from"])


class Strange(CheckTest):

    def test_bad_usage(self):
        for words, pattern in (([], "nothing to check"), (["--jobs=0", "."], "--jobs is from 1"),
                               (["--jobs=100000", "."], "--jobs is from 1 to 256"),
                               (["--format=xml", "."], "--format is text or json"),
                               (["--abi=10", "."], "--abi is 11, 12 or 13"),
                               (["--nothing", "."], "unknown option")):
            result = self.done(torchada("check", *words), USAGE)
            self.assertRegex(result.stderr, pattern)

    def unreadable(self, path, reason):
        report = self.one(FAILED, path)
        self.assertEqual(("unreadable", path), (report["verdict"], report["path"]))
        self.assertRegex(report["reasons"][0], reason)
        self.assertIn("could not be examined", torchada("check", path).stdout)

    def test_named_files(self):
        folder = self.folder()
        self.unreadable(self.write(folder, "empty", b""), r"\Aempty file\Z")
        self.unreadable(os.path.join(folder, "missing"), "No such file")
        self.unreadable(self.write(folder, "text", "hello"), "no ELF file, archive or source")
        self.unreadable("/dev/null", "not a regular file")
        os.mkfifo(os.path.join(folder, "pipe"))
        self.unreadable(os.path.join(folder, "pipe"), "not a regular file")
        self.unreadable(self.write(folder, "elf", b"\x7fELF"), "ELF")

    def test_of_a_folder_only_what_is_meant(self):
        """Empty files and texts are in every package."""
        folder = self.folder()
        self.write(folder, "empty", b"")
        self.write(folder, "__init__.py", b"")
        self.write(folder, "README", b"cudaMalloc")
        os.mkfifo(os.path.join(folder, "pipe"))
        os.symlink("nowhere", os.path.join(folder, "dangling"))
        self.assertEqual("nothing", self.check(OK, folder)["verdict"])
        self.assertEqual([], self.check(OK, self.folder())["reports"])

    def test_unreadable_file(self):
        folder = self.folder()
        os.chmod(folder, 0o755)
        path = self.write(folder, "secret.so", elf_maker.elf(["libcudart.so.12"]))
        closed = os.path.join(folder, "closed")
        os.mkdir(closed)
        for name in (path, closed):
            os.chmod(name, 0)
        as_nobody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        ended = subprocess.run([TORCHADA, "check", "--format=json", folder], capture_output=True,
                               text=True, check=False, timeout=100, **as_nobody)
        self.assertEqual(FAILED, ended.returncode, ended.stderr)
        reasons = re.findall("Permission denied", ended.stdout)
        self.assertEqual(2, len(reasons), ended.stdout)
        os.chmod(closed, 0o700)

    def test_loop_of_links(self):
        folder = self.folder()
        below = os.path.join(folder, "a", "b")
        os.makedirs(below)
        self.write(below, "lib.so", elf_maker.elf(["libcudart.so.12"]))
        os.symlink(folder, os.path.join(below, "up"))
        os.symlink("self", os.path.join(folder, "self"))
        os.symlink("a/b/lib.so", os.path.join(folder, "link.so"))
        os.link(os.path.join(below, "lib.so"), os.path.join(folder, "hard.so"))
        everything = self.check(OK, folder, below, folder)
        self.assertEqual(1, len(everything["reports"]), everything)

    def test_deep_folders(self):
        """Deeper than a stack would like."""
        folder = self.folder()
        code = "import os\nfor _ in range(900):\n  os.mkdir('d')\n  os.chdir('d')\n"
        subprocess.run(["python3", "-c", code], cwd=folder, check=True)
        self.assertEqual("nothing", self.check(OK, folder)["verdict"])
        subprocess.run(["rm", "-rf", os.path.join(folder, "d")], check=True)

    def test_truncated_elf(self):
        """At every byte of the header, and at every boundary of headers and sections."""
        folder = self.folder()
        path = build(folder, "whole", *RUNTIME, source=calls("cudaMalloc"))
        with open(path, "rb") as file:
            whole = file.read()
        os.unlink(path)
        sections = int.from_bytes(whole[40:48], "little")
        count = int.from_bytes(whole[60:62], "little")
        cuts = set(range(1, 64)) | {sections + 64 * index for index in range(count)}
        cuts |= {64 + 56 * index for index in range(int.from_bytes(whole[56:58], "little") + 1)}
        for index in range(count):
            header = whole[sections + 64 * index:][:64]
            offset, size = (int.from_bytes(header[at:at + 8], "little") for at in (24, 32))
            cuts |= {offset, offset + size, offset + size // 2}
        cuts = {cut for cut in cuts if 4 <= cut < len(whole)}
        self.assertGreater(len(cuts), 100)
        for cut in cuts:
            self.write(folder, "cut%d" % cut, whole[:cut])
        everything = self.check(FAILED, folder)
        self.assertEqual({"unreadable": len(cuts)}, everything["counts"])
        for report in everything["reports"]:
            self.assertRegex(report["reasons"][0], "truncated|cannot be read|not an ELF|corrupt|"
                                                   "no section headers")

    def test_any_byte_wrong(self):
        """Each byte of a small file in turn: an answer or a refusal, never an end by a signal."""
        folder = self.folder()
        whole = elf_maker.elf(["libcudart.so.12", "libnccl.so.2"], rodata=b"\0libcublas.so.12\0",
                              fatbin=elf_maker.fat_binary(elf_maker.image(2, 80, b"x" * 8)))
        for at in range(4, len(whole)):
            for value in (0, 0x7f, 0xff):
                self.write(folder, "at%d.%d" % (at, value),
                           whole[:at] + bytes([value]) + whole[at + 1:])
        result = torchada("check", "--format=json", folder)
        self.assertIn(result.status, (FAILED, CANNOT), result.stderr[:2000])
        self.assertEqual(3 * (len(whole) - 4), result.json()["files"])

    def test_other_machines(self):
        folder = self.folder()
        for bits, big, machine in ((32, False, elf_maker.EM_386), (64, True, elf_maker.EM_PPC64),
                                   (32, True, elf_maker.EM_386),
                                   (64, False, elf_maker.EM_AARCH64)):
            contents = elf_maker.elf(["libcudart.so.12"], bits, big, machine)
            report = self.one(CANNOT, self.write(folder, "lib.so", contents))
            self.assertIn("it is for another machine than x86-64", report["reasons"])
            self.assertEqual(["libcudart.so.12"], [item["asked"] for item in report["libraries"]])
            contents = elf_maker.elf(["libc.so.6"], bits, big, machine)
            self.assertEqual("nothing", self.one(OK, "--all", self.write(folder, "lib.so",
                                                                         contents))["verdict"])

    def test_many_symbols(self):
        folder = self.folder()
        names = ["some_function_%d" % number for number in range(100000)]
        assembly = ".text\nf:\n" + "".join("call %s@PLT\n" % name for name in names)
        assembly += "call cudaMalloc@PLT\n.section .note.GNU-stack,\"\",@progbits\n"
        path = build(folder, "lib.so", "-shared", "-nostdlib", *RUNTIME, source=assembly,
                     language="assembler")
        library, = self.one(OK, path)["libraries"]
        self.assertEqual(["cudaMalloc"], [item["name"] for item in library["symbols"]])

    def test_names_that_are_no_text(self):
        folder = self.folder()
        name = os.path.join(os.fsencode(folder), b"lib\xff\xfe.so")
        with open(name, "wb") as out:
            out.write(elf_maker.elf(["libcudart.so.12"]))
        self.assertEqual("runs", self.one(OK, folder)["verdict"])
        self.assertEqual(OK, torchada("check", folder).status)

    def test_output_that_cannot_be_written(self):
        result = start("/bin/sh", "-c", "exec \"$0\" check /bin/sh >&-", TORCHADA)
        self.assertEqual(FAILED, result.status, str(result))
        result = start("/bin/sh", "-c", "exec \"$0\" check /bin/sh >/dev/full", TORCHADA)
        self.assertEqual(FAILED, result.status, str(result))

    def test_jobs_make_no_difference(self):
        folder = self.folder()
        for number in range(40):
            self.write(folder, "lib%d.so" % number, elf_maker.elf(["libcudart.so.12"]))
        wanted = self.check(OK, "--jobs=1", folder)
        self.assertEqual(40, len(wanted["reports"]))
        for _ in range(5):
            self.assertEqual(wanted, self.check(OK, "-j", "16", folder))

    def test_progress(self):
        """On a terminal, and gone at the end; never in a file."""
        folder = self.folder()
        for number in range(5):
            self.write(folder, "lib%d.so" % number, elf_maker.elf(["libcudart.so.12"]))
        leader, follower = os.openpty()
        ended = subprocess.run([TORCHADA, "check", folder], stdout=subprocess.PIPE,
                               stderr=follower, check=False, timeout=100,
                               env={**os.environ, "TERM": "xterm"})
        os.close(follower)
        shown = b""
        try:
            while not shown.endswith(b"\033[K"):
                shown += os.read(leader, 65536)
        except OSError:  # The end of a terminal.
            pass
        os.close(leader)
        self.assertEqual(0, ended.returncode)
        self.assertIn(b"of 5 files", shown)
        self.assertTrue(shown.endswith(b"\r\033[K"), shown)
        self.assertNotIn(b"\033", ended.stdout)


class Archives(CheckTest):

    LIBRARY = elf_maker.elf(["libcudart.so.12"])

    def wheel(self, members, name="some-1.0-py3-none-any.whl"):
        path = os.path.join(self.folder(), name)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for member, contents in members.items():
                out.writestr(member, contents)
        return path

    def test_wheel(self):
        path = self.wheel({"some/lib.so": self.LIBRARY, "some/use.py": "x.cudaMalloc()\n",
                           "some/data.bin": b"\0" * 1000, "some/\u00fc.so": self.LIBRARY})
        everything = self.check(OK, path)
        self.assertEqual({path + "!some/lib.so", path + "!some/use.py", path + "!some/\u00fc.so"},
                         {report["path"] for report in everything["reports"]})
        self.assertEqual({"runs": 3}, everything["counts"])

    def tar(self, mode, suffix):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:" + mode) as archive:
            for name, contents in (("./opt/lib.so", self.LIBRARY), ("./opt/other", b"x" * 9000)):
                entry = tarfile.TarInfo(name)
                entry.size = len(contents)
                archive.addfile(entry, io.BytesIO(contents))
        return self.write(self.folder(), "some" + suffix, out.getvalue())

    def test_tar(self):
        for mode, suffix in (("", ".tar"), ("gz", ".tar.gz"), ("gz", ".tgz"), ("xz", ".tar.xz"),
                             ("bz2", ".tar.bz2")):
            path = self.tar(mode, suffix)
            self.assertEqual(path + "!./opt/lib.so", self.one(OK, path)["path"])

    def test_debian_package(self):
        folder = self.folder()
        os.rename(self.tar("xz", ".tar.xz"), os.path.join(folder, "data.tar.xz"))
        path = os.path.join(folder, "some.deb")
        subprocess.run(["ar", "rc", path, os.path.join(folder, "data.tar.xz")], check=True)
        os.unlink(os.path.join(folder, "data.tar.xz"))
        self.assertEqual(path + "!data.tar.xz!./opt/lib.so", self.one(OK, path)["path"])

    def test_too_deep(self):
        contents = self.LIBRARY
        for number in range(6):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                archive.writestr("lib.so" if number == 0 else "inner.zip", contents)
            contents = out.getvalue()
        report = self.one(FAILED, self.write(self.folder(), "outer.zip", contents))
        self.assertIn("too deep", report["reasons"][0])

    def test_bad_wheel(self):
        folder = self.folder()
        self.write(folder, "bad.whl", b"this is no zip")
        report = self.one(FAILED, folder)
        self.assertEqual(("archive", ["not a zip archive"]), (report["kind"], report["reasons"]))
        with open(self.wheel({"a/lib.so": self.LIBRARY * 50, "b.so": self.LIBRARY}), "rb") as file:
            whole = file.read()
        for cut in (10, 40, len(whole) // 2):
            result = torchada("check", "--format=json", self.write(folder, "bad.whl", whole[:cut]))
            self.assertIn("unreadable", result.json()["counts"], cut)
            self.assertEqual(FAILED, result.status)
        at = whole.index(b"lib.so") + 20
        self.write(folder, "bad.whl", whole[:at] + b"\xff\xff\xff" + whole[at + 3:])
        self.assertEqual(FAILED, torchada("check", folder).status)

    def test_bomb(self):
        """An ELF file that unpacks to a thousand times its size is nobody's library."""
        path = self.wheel({"bomb.so": b"\x7fELF" + b"\0" * (100 << 20)})
        self.assertLess(os.path.getsize(path), 200000)
        report = self.one(FAILED, path)
        self.assertIn("unpacks to more than 200 times its size", report["reasons"][0])
        # What nobody looks at is not unpacked.
        path = self.wheel({"bomb.bin": b"\0" * (100 << 20), "lib.so": self.LIBRARY})
        self.assertEqual("runs", self.one(OK, path)["verdict"])


class Sources(CheckTest):

    def names(self, name, text, status=OK, *words):
        reports = self.check(status, *words, self.write(self.folder(), name, text))["reports"]
        if not reports:
            return {}
        return {symbol["name"]: symbol["lines"] for library in reports[0]["libraries"]
                for symbol in library["symbols"]}

    def test_c(self):
        text = ("// cudaMalloc in a comment\n/* cudaFree\n cudaFree */ int a = 1'000;\n"
                "cudaMemcpy(a); cudaMemcpy(b);\ncudaMemcpy(c);\n"
                "puts(\"cudaFree failed\"); dlsym(h, \"cudaFree\");\n"
                "const char* t = R\"x(cudaMalloc \" )\" cudaMalloc\n)x\"; cudaSetDevice(0);\n"
                "char q = '\"'; cudaGetDevice(&d); // \"\nmy_cudaMalloc(); cudaMallocX();\n"
                "\"a\\\" cudaMalloc\"; ncclGetVersion(&v);\n")
        self.assertEqual({"cudaMemcpy": [4, 5], "cudaFree": [6], "cudaSetDevice": [8],
                          "cudaGetDevice": [9], "ncclGetVersion": [11]}, self.names("a.cpp", text))

    def test_python(self):
        text = ("\"\"\"cudaMalloc\ncudaFree\"\"\"\n# cudaMemcpy\nlib.cudaMemset(p, 0, n)\n"
                "f = getattr(lib, \"cudaFree\")\nx = 'no cudaMalloc here'\nlib.cudaSetDevice(0)\n")
        self.assertEqual({"cudaMemset": [4], "cudaFree": [5], "cudaSetDevice": [7]},
                         self.names("a.py", text))

    def test_names_that_headers_replace(self):
        """cublas_v2.h makes cublasCreate cublasCreate_v2; Python and cublas.h mean what they say."""
        self.assertEqual({"cublasCreate_v2": [2]},
                         self.names("a.cu", "#include <cublas_v2.h>\ncublasCreate(&h);\n"))
        for name, text in (("a.c", "# include \"cublas.h\"\ncublasInit();\n"),
                           ("a.py", "\nlib.cublasInit()\n")):
            self.assertEqual({"cublasInit": [2]}, self.names(name, text))

    def test_kernels(self):
        path = self.write(self.folder(), "a.cu", "cudaMalloc(&p);\nadd<<<1, 2>>>(p);\n"
                                                 "// f<<<1,1>>>();\n<<<<<<< HEAD\n")
        report = self.one(NO, path)
        self.assertEqual(("kernels", [2]), (report["verdict"], report["launches"]))

    def test_what_is_no_text(self):
        for contents in (b"\0\xff" * 1000 + b" cudaMalloc ", b"\"unterminated\ncudaMalloc",
                         b"/* open\n", b"R\"(", b"\"\\", b"#include", b"'", b"1'", b"<<",
                         b"\"\"\"\n"):
            for name in ("a.cu", "a.py"):
                self.names(name, contents)
        self.assertEqual({"cudaMalloc": [2]}, self.names("a.c", b"\"unterminated\ncudaMalloc"))

    def test_major(self):
        text = "cudaThreadSynchronize();\n"
        self.assertEqual({}, self.names("a.c", text, OK, "--abi=13"))
        self.assertIn("cudaThreadSynchronize",
                      {symbol["name"] for library in torchada(
                          "check", "--format=json", "--abi=12",
                          self.write(self.folder(), "a.c", text)).json()["reports"][0]["libraries"]
                       for symbol in library["symbols"]})


if __name__ == "__main__":
    support.main()
