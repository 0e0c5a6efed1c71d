"""torchada check: verdicts and device code, on programs made by these tests."""
import os
import subprocess

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support
from checked import CANNOT, RUNTIME, CheckTest, names_with
from compiled import build, calls, posed
from support import FAILED, NO, OK, TORCHADA, torchada


class Verdicts(CheckTest):

    def program(self, *names, words=None, folder=None):
        return build(folder or self.folder(), "program", *(words or RUNTIME), source=calls(*names))

    def test_runs(self):
        path = self.program("cudaMalloc", "cudaFree", "cudaGetErrorString")
        report = self.one(OK, path)
        self.assertEqual(("runs", "ELF", path), (report["verdict"], report["kind"],
                                                 report["path"]))
        library, = report["libraries"]
        self.assertEqual(("libcudart.so.12", [12], True),
                         (library["soname"], library["majors"], library["listed"]))
        self.assertEqual([("cudaFree", "libcudart.so.12"),
                          ("cudaGetErrorString", "libcudart.so.12"),
                          ("cudaMalloc", "libcudart.so.12")],
                         [(item["name"], item["version"]) for item in library["symbols"]])
        text = self.done(torchada("check", path)).stdout
        self.assertIn("program: runs\n  libcudart.so.12: ", text)
        self.assertIn("1 file, 1 with CUDA; overall: runs\n", text)
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
        self.assertIn("it uses 4 symbols whose counterpart in MUSA is only assumed", report["reasons"][0])

    def test_unsupported(self):
        names = names_with("unsupported", 12, decision="unsupported")[:2]
        report = self.one(NO, self.program("cudaMalloc", *names))
        self.assertEqual("partly", report["verdict"])
        self.assertEqual(["it uses 2 functions that return \"not supported\""],
                         report["reasons"])
        text = torchada("check", self.program("cudaMalloc", *names)).stdout
        self.assertRegex(text, r"unsupported: %s@libcudart.so.12: \S+" % names[0])

    def test_own_command_has_no_static_runtime(self):
        """The command contains the marks of the static runtime, but is not linked with it."""
        command = os.path.join(support.STAGE, "libexec", "torchada")
        self.assertFalse(self.check(NO, "--all", command)["reports"][0]["static_runtime"])

    def test_missing_symbol(self):
        folder = self.folder()
        posed(folder, "libcudart.so.12", "libcudart.so.12", "cudaMalloc", "cudaNothingSuch")
        path = self.program("cudaMalloc", "cudaNothingSuch", folder=folder,
                            words=["-L" + folder, "-l:libcudart.so.12"])
        report = self.one(CANNOT, path)
        self.assertEqual("cannot", report["verdict"])
        self.assertIn("1 symbol that libcudart.so.12 does not export, for example cudaNothingSuch",
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
        self.assertEqual(["it needs libcudart.so.10.1, from a CUDA major version that torchada "
                          "does not provide"], report["reasons"])

    def test_other_library(self):
        folder = self.folder()
        # Of a release that the loader of no machine finds.
        for soname, what in (("libcudnn_graph.so.97", "cuDNN"),
                             ("libcufftw.so.97", "cuFFT"),
                             ("libnvrtc-builtins.so.97.9", "compiling"), ("libnppial.so.97", "NPP"),
                             ("libnvJitLink.so.97", "linking"),
                             ("libcusparse.so.97", "cuSPARSE"), ("libcusolver.so.97", "cuSOLVER")):
            posed(folder, soname, "node", "someFunction")
            path = self.program("someFunction", folder=folder, words=["-L" + folder,
                                                                      "-l:" + soname])
            report = self.one(CANNOT, path)
            other, = report["other_libraries"]
            self.assertEqual((soname, True), (other["name"], other["listed"]))
            self.assertIn(what, other["what"])
            self.assertTrue(other["advice"])
            self.assertEqual([soname + ": " + other["advice"]], report["remedies"])

    def test_other_library_that_the_loader_finds(self):
        """By LD_LIBRARY_PATH and by ld.so.conf: the program starts, so it may work in part."""
        folder, places = self.folder(), self.folder()
        place = self.write(folder, "libcusparse.so.97", elf_maker.elf([], soname="libcusparse.so.97"))
        path = self.write(self.folder(), "program", elf_maker.elf(["libcusparse.so.97"]))
        command = [TORCHADA, "check", "--format=json", path]
        configuration = self.write(places, "ld.so.conf", f"include {places}/s*.conf\n")
        self.write(places, "sparse.conf", folder + "\n")
        mounted = f"mount --bind {configuration} /etc/ld.so.conf && exec " + " ".join(command)
        for words, environment in ((command, {"LD_LIBRARY_PATH": "/nowhere:" + folder}),
                                   (["unshare", "-rm", "sh", "-c", mounted], {})):
            result = support.start(*words, **environment)
            if "unshare" in result.stderr:
                self.skipTest(result.stderr)
            self.assertEqual(NO, result.status, str(result))
            report, = result.json()["reports"]
            other, = report["other_libraries"]
            self.assertEqual((place, "partly"), (other["found"], report["verdict"]))
            self.assertIn(place + " loads in its place, and finds no driver", report["reasons"][0])
        self.assertEqual("cannot", self.one(CANNOT, path)["verdict"])

    def test_no_business_of_cuda(self):
        folder = self.folder()
        for soname in ("libcudart_not.so.1", "libnppx.so.1", "libcudagraph.so", "libnvrtcx.so.1"):
            posed(folder, soname, "node", "someFunction")
            path = self.program("someFunction", folder=folder, words=["-L" + folder,
                                                                      "-l:" + soname])
            self.assertEqual([], self.check(OK, path)["reports"], soname)

    def test_nothing(self):
        everything = self.check(OK, "/bin/sh")
        self.assertEqual(("nothing", 1, []),
                         (everything["verdict"], everything["files"], everything["reports"]))
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
        """With names as auditwheel, PyTorch's build and torchvision's make them."""
        for name in ("libcudart-1a2b3c4d.so.12.4.127", "libcudart.1a2b3c4d.so.12"):
            folder = self.folder()
            posed(folder, name, "libcudart.so.12", "cudaMalloc")
            report = self.one(OK, self.program("cudaMalloc", folder=folder,
                                               words=["-L" + folder, "-l:" + name]))
            library, = report["libraries"]
            self.assertEqual((name, "libcudart.so.12"), (library["asked"], library["soname"]))
            self.assertEqual(["cudaMalloc"], [item["name"] for item in library["symbols"]])
            self.assertIn("torchada run, which also finds renamed libraries", report["remedies"][0])

    def test_opened_at_run_time(self):
        source = ("#include <stdio.h>\nint main(int n, char** v) {\n"
                  "  const char* names[] = {\"%s\", \"not libcublas.so here\"};\n"
                  "  return puts(names[n - 1]); }\n")
        folder = self.folder()
        for name, verdict, status in (("libcublas.so.12", "runs", OK),
                                      ("/usr/local/cuda/lib64/libnccl.so.2", "runs", OK),
                                      ("libnvrtc.so.12", "runs", OK),
                                      ("libcudnn.so.97", "partly", NO),
                                      ("libnvJitLink.so", "partly", NO)):
            report = self.one(status, build(folder, "program", source=source % name))
            self.assertEqual(([name], verdict), (report["opens"], report["verdict"]))
            absolute = [text for text in report["remedies"] if "by its full path" in text]
            self.assertEqual(name.startswith("/"), bool(absolute), report["remedies"])
        path = build(folder, "program", source=source % "libmatrix.so.1")
        self.assertEqual([], self.check(OK, path)["reports"])

    def test_replaced(self):
        for name in ("libcudart.so.12", "libnccl.so.2", "libcublas.so.13"):
            report = self.one(OK, os.path.join(support.STAGE, "lib", name))
            self.assertEqual("replaced", report["verdict"])

    def test_object_files(self):
        """An object file has no versions, so the option gives the major, or else the newest default
        applies."""
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
        self.write(folder, "driver", elf_maker.elf(["libcudnn.so.97"]))
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
        """Cut at any place: check must report the part before the cut, and the damage."""
        whole = elf_maker.fat_binary(elf_maker.image(2, 80, b"x" * 24),
                                     elf_maker.image(1, 90, b"y" * 24, options=b"-a"))
        folder = self.folder()
        for length in range(1, len(whole)):
            self.write(folder, "%03d.so" % length,
                       elf_maker.elf(["libcudart.so.12"], fatbin=whole[:length]))
        damage = self.damage(folder)
        self.assertEqual([length >= 16 for length in range(1, len(whole))], damage)

    def test_wrong_numbers(self):
        """Impossible sizes count as damage. A wrong offset of the flags does not."""
        whole = elf_maker.fat_binary(elf_maker.image(1, 90, b"y" * 24, options=b"-a"))
        folder = self.folder()
        places = (6, 8, 20, 24, 36, 80)
        for at in places:
            wrong = whole[:at] + b"\xff\xff" + whole[at + 2:]
            self.write(folder, "%03d.so" % at, elf_maker.elf(["libcudart.so.12"], fatbin=wrong))
        self.assertEqual([True, True, True, True, False, False], self.damage(folder))

    def damage(self, folder):
        result = torchada("check", "--format=json", folder)
        reports = sorted(result.json()["reports"], key=lambda report: report["path"])
        return [bool(report["device_code"]["damage"]) for report in reports]

    def test_nvidias_own(self):
        """In a directory the device code of NVIDIA's own libraries is not read. What decides is."""
        fatbin = elf_maker.fat_binary() + elf_maker.fat_binary(elf_maker.image(2, 80, b"x" * 40))
        static = (b"\0libcuda.so.1\0" + b"some text\0" * 200000 +
                  b"\0cudaErrorCudartUnloading\0/cudart.shm.\0")
        folder = self.folder()
        for name, soname, rodata, expected in (
                ("libcublas.so.12", "libcublas.so.12", b"", "replaced"),
                ("libcusolver.so.11", "libcusolver.so.11", b"", "kernels"),
                ("libcusparse.so.12", "libcusparse.so.12", static, "cannot"),
                ("libuser.so", "libuser.so", static, "cannot")):
            path = self.write(folder, name, elf_maker.elf(
                ["libc.so.6"], soname=soname, rodata=rodata, fatbin=fatbin))
            status = {"replaced": OK, "kernels": NO, "cannot": CANNOT}[expected]
            alone, found = self.one(status, path), self.one(status, folder)
            os.unlink(path)
            self.assertEqual(2, alone["device_code"]["fat_binaries"])
            skipped = name != "libuser.so"
            self.assertEqual((skipped, None if skipped else 2),
                             (found["device_code"]["skipped"], found["device_code"]["fat_binaries"]))
            self.assertEqual([expected] * 2, [alone["verdict"], found["verdict"]])
            self.assertEqual(rodata != b"", found["static_runtime"])
            for key in ("reasons", "static_runtime", "soname"):
                self.assertEqual(alone[key], found[key])
            self.assertTrue(found["device_code"]["launches"])

    def test_nvidias_own_is_not_listed(self):
        folder = self.folder()
        self.write(folder, "libcusolver.so.11", elf_maker.elf(
            [], soname="libcusolver.so.11",
            fatbin=elf_maker.fat_binary(elf_maker.image(2, 80, b"x" * 40))))
        self.assertIn("device code: not listed; name the file to list it",
                      torchada("check", folder).stdout)

    def test_no_fat_binary(self):
        device = self.report(OK, b"nothing of the kind" * 100)["device_code"]
        self.assertEqual((0, []), (device["fat_binaries"], device["images"]))


if __name__ == "__main__":
    support.main()
