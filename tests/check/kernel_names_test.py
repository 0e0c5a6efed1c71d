"""torchada kernels list and check, and torchada check --kernels: on programs in C that register
kernels by hand, and on programs that nvcc builds (loudly skipped without a toolkit). The names are
compared with those that the programs ask for when they run on the CPU stand-in."""
import os
import re
import shutil
import struct
import subprocess
import unittest

import support_path  # noqa: F401  pylint: disable=unused-import
import support
from checked import CANNOT, RUNTIME, CheckTest
from compiled import build
from support import FAILED, HOST, NO, OK, STAGE, USAGE, torchada

NVCC = os.path.join(os.environ.get("CHECK_CUDA", ""), "bin", "nvcc")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernel_libraries", "image.c")
UNNAMED = "_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main7unnamedEPi"
# Registered name: how it is listed. Of image.c, SECOND has _Z6secondPi, both have _Z3addPii and, with
# internal linkage, _Z4bothPi.
KERNELS = {
    "_Z3addPii": "add(int*, int)",
    "_Z4bothPi": "both(int*)",
    "_Z6hiddenPi": "hidden(int*)",
    "__nv_static_25__a3bee275_4_a_cu_584f8776__Z5shapePj": "shape(unsigned int*)",
    UNNAMED: "(anonymous namespace)::unnamed(int*)",
    "_Z6secondPi": "second(int*)",
    "_Z7nowherePi": "nowhere(int*)",
    "_ZN2ns5scaleIfEEvPT_S1_": "ns::scale<float>(float*, float)",
}
# What each registers, and then launches.
PROGRAM = """
#include <stdio.h>
struct dim3 { unsigned x, y, z; };
struct wrapper { int magic, version; const void *code, *unused; };
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
int cudaLaunchKernel(const void*, struct dim3, struct dim3, void**, unsigned long, void*);
int cudaMalloc(void**, unsigned long);
%(more)s
static const double numbers[] = {1.5, 12.25, 8.0};
static struct wrapper wrapper = {0x466243b1, 1, &wrapper, 0};
static char hosts[16];
int main(int count, char** words) {
  const struct dim3 one = {1, 1, 1};
  void** const module = __cudaRegisterFatBinary(&wrapper);
  void* memory = 0;
  int zero = (int)numbers[count > 5];
  void* arguments[] = {&memory, &zero};
%(registered)s
  __cudaRegisterFatBinaryEnd(module);
  if (cudaMalloc(&memory, 4096) != 0) return 3;
  for (int i = 0; i < %(count)d; ++i) cudaLaunchKernel(hosts + i, one, one, arguments, 0, 0);
  return 0;
}
"""
# Texts of other kinds: variables, a type, and what is not mangled.
OTHERS = ('const char* others[] = {"_ZN2ns5limitE", "_ZTVN10__cxxabiv117__class_type_infoE", "_Zebra", '
          '"_ZN30_INTERNAL_fbaae8a4_4_a_cu_main2ns5tableE", "__nv_static_table"};\n')

NO_LAUNCH = "#define cudaLaunchKernel(...) 0\n"


def program(names, more=OTHERS):
    lines = ['  __cudaRegisterFunction(module, hosts + %d, 0, "%s", -1, 0, 0, 0, 0, 0);' % item
             for item in enumerate(names)]
    return PROGRAM % {"more": more, "registered": "\n".join(lines), "count": len(names)}


def stub(name, parameters, prefix="_Z"):
    """A definition of the host stub that nvcc 13 makes for a kernel with that name in C++."""
    identifier = "__device_stub_" + name
    return "void %s%d%s%s(void) {}\n" % (prefix, len(identifier), identifier, parameters)


class KernelsTest(CheckTest):

    def setUp(self):
        self.where = self.folder()

    def image(self, number):
        return self.image_of("%d.image" % number, SOURCE, "-DIMAGE=%d" % number)

    def image_of(self, name, source, *definitions):
        path = os.path.join(self.where, name)
        subprocess.run(["cc", "-shared", "-fPIC", "-nostartfiles", "-fvisibility=hidden", *definitions, "-o", path,
                        "-I" + os.path.join(HOST, "kernels", "include"), source], check=True, timeout=100)
        subprocess.run([os.path.join(HOST, "kernels", "torchada-kernels"), "--seal=" + path], check=True, timeout=100)
        return path

    def program(self, names=KERNELS, *words, more=OTHERS):
        return build(self.where, "program", *RUNTIME, *words, source=program(names, more))

    def stripped(self, path):
        out = path + ".stripped"
        subprocess.run(["strip", "-o", out, path], check=True)
        return out

    def kernels(self, status, *words, **environment):
        result = torchada("kernels", words[0], "--format=json", *words[1:], **environment)
        self.assertEqual(status, result.status, str(result))
        return result.json()

    def listed(self, *words, **environment):
        """Of one program: {name: signature}, and the notes."""
        file, = self.kernels(OK, "list", *words, **environment)["files"]
        return {item["name"]: item["signature"] for item in file["kernels"]}, file["gaps"]

    def asked_for(self, path, *words):
        """The names that a run refuses, as its lines show them, and {name: library} of those that it finds."""
        result = torchada("run", "--backend=host", *words, "--", path, TORCHADA_LOG="debug")
        self.assertEqual(OK, result.status, str(result))
        return (set(re.findall(r": kernel (.+?) (?:has no MUSA image|is in none of)", result.stderr)),
                dict(re.findall(r": (\S+) is taken from (\S+)\n", result.stderr)))


class Listed(KernelsTest):

    def test_names(self):
        path = self.program()
        for each in (path, self.stripped(path)):
            names, gaps = self.listed(each)
            self.assertEqual(KERNELS, names)
            self.assertRegex(gaps[0], r'extern "C" may be missing')

    def test_other_layouts(self):
        """The first text may follow a number without a zero between them."""
        path = self.program(["_Z3addPii"], "-fPIE", "-pie", "-O2")
        self.assertEqual({"_Z3addPii"}, set(self.listed(path)[0]))
        path = os.path.join(self.where, "object.o")
        subprocess.run(["cc", "-c", "-x", "c", "-o", path, "-"], check=True, text=True,
                       input=program(["_Z3addPii", "_Z6secondPi"]) +
                       '__asm__(".section .rodata\\n.double 12.25\\n.string \\"_Z5firstPi\\"\\n");')
        self.assertEqual({"_Z3addPii", "_Z6secondPi", "_Z5firstPi"}, set(self.listed(path)[0]))

    def test_as_run(self):
        path = self.program()
        refused, taken = self.asked_for(path)
        self.assertEqual((set(KERNELS), {}), (refused, taken))
        libraries = self.image(1) + ":" + self.image(2)
        refused, taken = self.asked_for(path, "--kernels=" + libraries)
        file, = self.kernels(OK, "list", "--kernels=" + libraries, path)["files"]
        found = {item["name"]: item["library"] for item in file["kernels"]}
        self.assertEqual(refused, {name for name, library in found.items() if library is None})
        self.assertEqual(taken, {name: library for name, library in found.items() if library})
        self.assertEqual({"_Z4bothPi", "_Z7nowherePi", "_ZN2ns5scaleIfEEvPT_S1_"}, refused)
        self.assertEqual(3, file["missing"])
        by_name = {item["name"]: item for item in file["kernels"]}
        self.assertEqual(self.image(2), by_name["_Z3addPii"]["also_in"])
        self.assertEqual(self.image(1) + " and " + self.image(2), by_name["_Z4bothPi"]["doubtful"])

    def test_text(self):
        path = self.program(["_Z3addPii", "_Z4bothPi", "_Z7nowherePi"])
        first, second = self.image(1), self.image(2)
        text = torchada("kernels", "list", path, TORCHADA_KERNELS=first + ":" + second).stdout
        self.assertEqual([path + ": 3 kernels, 2 missing",
                          "  add(int*, int): %s; also in %s" % (first, second),
                          "  both(int*): missing: %s and %s have it with internal linkage, so that neither is used"
                          % (first, second), "  nowhere(int*): missing"], text.splitlines()[:4])
        self.assertIn("  note: kernels that are declared", text)

    def test_extern_c(self):
        """Their names are those of no function in C++, but their stubs' are."""
        relocatable = "__nv_static_25__a3bee275_4_a_cu_584f8776__Z6hiddenPi"
        stubs = (stub("_Z5plainPi", "Pi") + stub("_Z3addPii", "Pii") + stub("_Z6hiddenPi", "Pi", "_ZL") +
                 stub("_Z5applyIZ4mainEUnvdl0_PFivE4main1_EvT_Pi", "Pi", "_ZL") +
                 "void _Z20__device_stub__olderi(void) {}\n"         # nvcc before 13
                 "void _Z9__device_stub__Z7add_onePiPi(void) {}\n"   # Lengths that cannot be.
                 "void _Z99__device_stub__Z7add_onePiPi(void) {}\n")
        path = self.program(["plain", "older", "_Z3addPii", relocatable], more=stubs)
        self.assertEqual(({"plain": "plain(int*)", "older": "older(int)", "_Z3addPii": "add(int*, int)",
                           relocatable: "hidden(int*)"}, []), self.listed(path))
        names, gaps = self.listed(self.stripped(path))
        self.assertEqual(({"_Z3addPii", relocatable}, 1), (set(names), len(gaps)))

    def test_extern_c_of_an_image(self):
        """A text that an image has as a kernel's name is one."""
        source = os.path.join(self.where, "plain.cu")
        image = os.path.join(self.where, "plain.image")
        with open(source, "w", encoding="utf-8") as out:
            out.write('extern "C" __global__ void plain(int* p) { *p = 1; }\n'
                      "static __global__ void hidden(int* p) { *p = 2; }\n"
                      "template <typename T> __global__ void scale(T* p, T f) { *p *= f; }\n"
                      "void f(float* p) { scale<float><<<1, 1>>>(p, 2); hidden<<<1, 1>>>(nullptr); }\n")
        self.done(torchada("kernels", "build", "--backend=host", "-o", image, source))
        names = ["plain", "_Z6hiddenPi", "_Z5scaleIfEvPT_S0_"]
        path = self.stripped(self.program(names))
        file, = self.kernels(OK, "list", "--kernels=" + image, path)["files"]
        self.assertEqual({name: image for name in names}, {item["name"]: item["library"] for item in file["kernels"]})
        refused, taken = self.asked_for(path, "--kernels=" + image)
        self.assertEqual((set(), set(names)), (refused, set(taken)))

    def test_none(self):
        path = build(self.where, "none", *RUNTIME, source="void cudaMalloc(void); int main(void) { cudaMalloc(); }")
        self.assertEqual(({}, []), self.listed(path))
        self.assertEqual(path + ": registers no kernel\n", self.done(torchada("kernels", "list", path)).stdout)
        os.remove(path)
        self.write(self.where, "a.cu", "__global__ void k() {}\n")
        self.assertEqual("no file registers a kernel\n", self.done(torchada("kernels", "list", self.where)).stdout)

    def test_unknown(self):
        """A program whose kernels have other names, one without names of sections, one that loads code."""
        path = self.stripped(self.program(["plain"]))
        self.assertRegex(self.listed(path)[1][0], "cannot be read from the file: run it")
        path = build(self.where, "loads", *RUNTIME, "-L" + os.path.join(STAGE, "lib", "driver"), "-l:libcuda.so.1",
                     source="void cuModuleLoadData(void); int main(void) { cuModuleLoadData(); }")
        self.assertRegex(self.listed(path)[1][0], "at run time, with cuModuleLoadData")
        source = self.write(self.where, "a.cu", "__global__ void k() {}\n")
        self.assertRegex(self.listed(source)[1][0], "it is a source")

    def test_folders_and_wheels(self):
        path = self.program()
        shutil.make_archive(os.path.join(self.where, "wheel"), "zip", self.where, "program")
        wheel = os.path.join(self.where, "w-1.0-py3-none-linux_x86_64.whl")
        os.rename(os.path.join(self.where, "wheel.zip"), wheel)
        files = self.kernels(OK, "list", self.where)["files"]
        self.assertEqual([path, wheel + "!program"], [file["path"] for file in files])
        self.assertEqual(files[0]["kernels"], files[1]["kernels"])

    def test_large_member(self):
        """Of a large file in an archive, only parts are kept."""
        path = self.program(KERNELS, "-Wl,--build-id=none",
                            more=OTHERS + "char filler[40 << 20] = {1};\n"
                            + stub("_Z5plainPi", "Pi"))
        self.assertGreater(os.path.getsize(path), 40 << 20)
        subprocess.run(["ar", "rcs", path + ".a", path], check=True)
        self.assertEqual(self.listed(path), self.listed(path + ".a"))


def musa(path):
    """Turns a shared library into what MUSA's compiler makes, as far as the symbols go."""
    with open(path, "r+b") as file:
        file.seek(18)
        file.write(struct.pack("<H", 253))
    return path


class Images(KernelsTest):

    def musa_image(self, name, *words):
        source = ("int _Z3addPii(void) { return 1; }\nint table[4] = {1};\n"
                  "static int local(void) { return 2; }\nint _Z6secondPi(void) { return local(); }\n"
                  "extern int _Z7nowherePi(void);\nint (*const use)(void) = _Z7nowherePi;\n")
        return musa(build(self.where, name, "-shared", "-fPIC", "-nostdlib", *words, source=source))

    def counted(self, path):
        library, = self.kernels(OK, "list", "--kernels=" + path, "/bin/true")["libraries"]
        return library["kernels"], library["fault"]

    def test_of_musa(self):
        path = self.musa_image("object.image")
        self.assertEqual((2, ""), self.counted(path))
        self.assertEqual((2, ""), self.counted(self.musa_image("stripped.image", "-s")))
        program_path = self.program(["_Z3addPii", "_Z6secondPi", "_Z7nowherePi"])
        file, = self.kernels(NO, "check", program_path, path)["files"]
        self.assertEqual(["_Z7nowherePi"], [item["name"] for item in file["kernels"]])

    def test_bundle(self):
        """clang's bundle of the host's part and those of several architectures, anywhere in the file."""
        with open(self.musa_image("one"), "rb") as one, open(self.image(1), "rb") as host:
            parts = [b"__CLANG_OFFLOAD_BUNDLE__" + b"\0" * 77, host.read(), b"\0" * 3, one.read()]
        self.assertEqual((2, ""), self.counted(self.write(self.where, "bundle", b"".join(parts))))

    def test_faults(self):
        with open(self.musa_image("whole"), "rb") as file:
            whole = file.read()
        with open(self.image(1), "rb") as file:
            host = file.read()
        old = os.path.join(self.where, "old.image")
        subprocess.run(["objcopy", "--rename-section", ".torchada.kernels=.other", self.image(1), old], check=True)
        for contents, fault in ((b"text", "no device code"), (b"", "no device code"), (whole[:1000], "truncated"),
                                (host[:1000], "truncated"), (b"\x7fELF", "not an ELF file"),
                                (open("/bin/true", "rb").read(), "no device code")):
            path = self.write(self.where, "bad.image", contents)
            count, said = self.counted(path)
            self.assertEqual(0, count)
            self.assertIn(fault, said)
            result = torchada("kernels", "check", self.program(["_Z3addPii"]), path)
            self.assertEqual(NO, result.status)
            self.assertIn("torchada: %s: which kernels it has is not known: " % path, result.stderr)
        self.assertIn("make it again", self.counted(old)[1])

    def test_damaged_anywhere(self):
        """No byte of an image makes the reader fail."""
        with open(self.musa_image("whole"), "rb") as file:
            whole = file.read()
        path = os.path.join(self.where, "many")
        os.mkdir(path)
        for at in range(16, len(whole), max(1, len(whole) // 300)):
            self.write(path, "%d" % at, whole[:at] + b"\xff" * 8 + whole[at + 8:])
        libraries = self.kernels(OK, "list", "--kernels=" + path, "/bin/true")["libraries"]
        self.assertGreater(len(libraries), 250)

    def test_folder(self):
        folder = os.path.join(self.where, "images")
        os.mkdir(folder)
        for name, number in (("b", 1), ("a", 2), (".hidden", 1)):
            os.rename(self.image(number), os.path.join(folder, name))
        libraries = self.kernels(OK, "list", "--kernels=" + folder, "/bin/true")["libraries"]
        self.assertEqual([(folder + "/a", 3), (folder + "/b", 10)],
                         [(library["path"], library["kernels"]) for library in libraries])


class Checked(KernelsTest):
    """kernels check, and check --kernels."""

    STUB = stub("_Z3addPii", "Pii")

    def test_complete(self):
        path = self.program(["_Z3addPii", "_Z6secondPi"], more=self.STUB)
        first, second = self.image(1), self.image(2)
        self.assertEqual(path + ": 2 kernels, all in kernel libraries\n",
                         self.done(torchada("kernels", "check", path, second)).stdout)
        result = torchada("kernels", "check", path, first)
        self.assertEqual((NO, path + ": 2 kernels, 1 missing\n  second(int*): missing\n", ""),
                         (result.status, result.stdout, result.stderr))
        self.done(torchada("kernels", "check", path, first, second))

    def test_in_part(self):
        path = self.stripped(self.program(["_Z3addPii"]))
        file, = self.kernels(NO, "check", path, self.image(1))["files"]
        self.assertEqual((0, [], 1), (file["missing"], file["kernels"], len(file["gaps"])))

    def test_static_runtime(self):
        static = (b"\0libcuda.so.1\0cudaErrorCudartUnloading\0/cudart.shm.\0")
        path = build(self.where, "static", source=(
            "const char text[] = \"%s\";\n"
            "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.long 0xBA55ED50, 0x100001, 64, 0\\n"
            ".short 2, 0x101\\n.long 64, 0, 0, 0, 0, 0, 80, 0,0,0,0,0,0,0,0\\n.text\");\n"
            "void* dlopen(const char*, int);\nint main(void) { return dlopen(text, 1) != 0; }\n"
            % static.replace(b"\0", b"\\0").decode()))
        file, = self.kernels(CANNOT, "check", path, self.image(1))["files"]
        self.assertIn("nvcc -cudart shared", file["gaps"][0])
        self.assertEqual(1, len(self.listed(path)[1]))

    def verdict(self, status, path, *libraries):
        return self.one(status, "--kernels=" + ":".join(libraries), path)

    def test_verdict(self):
        path = self.program(["_Z3addPii", "_Z6secondPi"],
                            more=self.STUB + NO_LAUNCH)
        first, second = self.image(1), self.image(2)
        self.assertEqual("kernels", self.one(NO, path)["verdict"])
        report = self.verdict(OK, path, second)
        self.assertEqual(("runs", [], ""),
                         (report["verdict"], report["reasons"], report["device_code"]["kernels_unknown"]))
        self.assertEqual([second] * 2, [item["library"] for item in report["device_code"]["kernels"]])
        standings = {symbol["standing"] for library in report["libraries"] for symbol in library["symbols"]}
        self.assertLessEqual(standings, {"supported", "emulated"}, "a line denies the verdict")
        report = self.verdict(NO, path, first)
        self.assertEqual(("kernels", ["1 of its kernels is in no kernel library: second(int*)"]),
                         (report["verdict"], report["reasons"]))
        text = torchada("check", "--kernels=" + first, path).stdout
        self.assertIn("  kernels: 2, of which 1 in kernel libraries\n    missing: second(int*)\n", text)
        report = self.verdict(NO, self.stripped(path), second)
        self.assertEqual("unexamined", report["verdict"])
        self.assertIn('extern "C"', report["reasons"][0])

    def test_verdict_of_a_launching_program(self):
        """What else the program calls counts as ever."""
        path = self.program(["_Z3addPii"], more=self.STUB)
        report = self.verdict(NO, path, self.image(1))
        self.assertEqual(("assumed", ["it uses 1 symbol whose counterpart in MUSA is only assumed"]),
                         (report["verdict"], report["reasons"]))
        path = build(self.where, "thirteen", "-L" + os.path.join(STAGE, "lib", "cu13"), "-l:libcudart.so.13",
                     "-Wl,--allow-shlib-undefined",
                     source=program(["_Z3addPii"], self.STUB + "#define cudaLaunchKernel __cudaLaunchKernel\n"
                                    "int cudaLaunchKernel(const void*, struct dim3, struct dim3, void**, "
                                    "unsigned long, void*);\n"))
        self.assertEqual("runs", self.verdict(OK, path, self.image(1))["verdict"])

    def test_verdict_with_an_unknown_image(self):
        path = self.program(["_Z3addPii", "_Z6secondPi"],
                            more=self.STUB + NO_LAUNCH)
        bad = self.write(self.where, "bad.image", "text")
        result = torchada("check", "--kernels=%s:%s" % (bad, self.image(1)), "--format=json", path)
        self.assertEqual(NO, result.status)
        self.assertIn("bad.image: which kernels it has is not known", result.stderr)
        report, = result.json()["reports"]
        self.assertEqual("unexamined", report["verdict"])
        self.assertIn("the kernels of %s are not known" % bad, report["reasons"][0])
        result = torchada("check", "--kernels=%s:%s" % (bad, self.image(2)), path)
        self.assertEqual(OK, result.status)

    def test_verdict_on_loaded_code(self):
        path = build(self.where, "loads", *RUNTIME, "-L" + os.path.join(STAGE, "lib", "driver"), "-l:libcuda.so.1",
                     source="void cuModuleLoadData(void); int main(void) { cuModuleLoadData(); }")
        self.assertEqual("kernels", self.one(NO, path)["verdict"])
        report = self.verdict(NO, path, self.image(1))
        self.assertEqual("unexamined", report["verdict"])
        self.assertIn("does not tell which kernels it asks for", report["reasons"][0])

    def test_verdict_on_a_library(self):
        """A program's kernels may be in a library that it needs."""
        build(self.where, "libk.so", "-shared", "-fPIC", *RUNTIME, source=program(
            ["_Z6secondPi"], stub("_Z6secondPi", "Pi") + NO_LAUNCH).replace("int main(", "int run("))
        path = build(self.where, "user", "-L" + self.where, "-l:libk.so", "-Wl,-rpath," + self.where,
                     "-Wl,--allow-shlib-undefined", source="int run(int, char**); int main(void) { return run(0, 0); }")
        self.assertEqual("kernels", self.verdict(NO, path, self.image(1))["verdict"])
        self.assertEqual("runs", self.verdict(OK, path, self.image(2))["verdict"])


class BadInputs(KernelsTest):

    def test_usage(self):
        path, image = self.program(["_Z3addPii"]), self.image(1)
        for words, message in (
                (("kernels", "list"), "no program given"), (("kernels", "check"), "expected a program"),
                (("kernels", "check", path), "expected a program"),
                (("kernels", "check", path, "/nonexistent"), "/nonexistent does not exist"),
                (("kernels", "list", "--kernels=/nonexistent", path), "--kernels: /nonexistent does not exist"),
                (("kernels", "list", "--kernels=:", path), "names no kernel library"),
                (("kernels", "list", "-o", "x", path), "--output is not an option of kernels list"),
                (("kernels", "check", "--kernels=" + image, path, image), "is not an option of kernels check"),
                (("kernels", "build", "--format=json", path), "--format is not an option of kernels build"),
                (("check", "--kernels=/nonexistent", path), "/nonexistent does not exist"),
                (("check", "--kernels=:", path), "names no kernel library")):
            self.assertIn(message, self.done(torchada(*words), USAGE).stderr)
        result = torchada("kernels", "list", path, TORCHADA_KERNELS="/nonexistent")
        self.assertIn("TORCHADA_KERNELS: /nonexistent does not exist", self.done(result, USAGE).stderr)

    def test_programs(self):
        path = self.program(["_Z3addPii"])
        with open(path, "rb") as file:
            whole = file.read()
        image = self.image(1)
        for name, reason in (
                ("/nonexistent", "No such file"),
                (self.write(self.where, "text", "text"), "not an ELF file"),
                (self.write(self.where, "empty", ""), "empty file"),
                (self.write(self.where, "header", b"\x7fELF"), "ELF"),
                (self.write(self.where, "cut", whole[:len(whole) // 2]), "truncated"),
                (self.write(self.where, "bad.whl", "text"), "not an ELF file")):
            for words in (("list", name), ("check", name, image)):
                file, = self.kernels(FAILED, *words)["files"]
                self.assertEqual((name, []), (file["path"], file["kernels"]))
                self.assertIn(reason, file["gaps"][0])

    def test_closed_output(self):
        path = self.program(["_Z3addPii"])
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = subprocess.run([support.TORCHADA, "kernels", "list", path], stdout=full, stderr=subprocess.PIPE,
                                   check=False)
        self.assertEqual(FAILED, ended.returncode)


CUDA_SOURCE = """
struct Box { int i; };
template <typename T> __global__ void scale(T* p, T f) { *p *= f; }
template <class F> __global__ void apply(F f, int* p) { *p = f(1); }
__global__ void unbox(float* p, const Box b) { *p = b.i; }
extern "C" __global__ void plain(int* p) { *p = 1; }
static __global__ void hidden(int* p) { *p = 2; }
namespace ns {
__global__ void two(int a, double* p) { *p = a; }
static __global__ void hidden(int* p) { *p = 3; }
}
namespace { __global__ void unnamed(int* p) { *p = 4; } template <int N> __global__ void numbered() {} }
__device__ int value;
static __constant__ int limit;
int main() {
  scale<<<1, 1>>>((int*)nullptr, 1);
  scale<<<1, 1>>>((float*)nullptr, 1.f);
  apply<<<1, 1>>>([] __device__(int i) { return i + 1; }, (int*)nullptr);
  unbox<<<1, 1>>>(nullptr, Box{});
  plain<<<1, 1>>>(nullptr);
  hidden<<<1, 1>>>(nullptr);
  ns::two<<<1, 1>>>(1, nullptr);
  ns::hidden<<<1, 1>>>(nullptr);
  unnamed<<<1, 1>>>(nullptr);
  numbered<3><<<1, 1>>>();
  int n = 0;
  cudaMemcpyToSymbol(value, &n, 4);
  cudaMemcpyToSymbol(limit, &n, 4);
}
"""


# Two sources with code of the same names, as in of_sources.c.
SAME_SOURCE = """
#include <cstdio>
struct Value { int is; };
namespace {
__global__ void unnamed(int* out) { *out = 0; }
}
static __global__ void same(int* out) { *out = 0; }
void launch_%s(int* memory) {
  same<<<1, 1>>>(memory);
  std::printf("%%s ", cudaGetErrorName(cudaGetLastError()));
  unnamed<<<1, 1>>>(memory);
  std::printf("%%s ", cudaGetErrorName(cudaGetLastError()));
}
"""
SAME_MAIN = """
void launch_a(int*);
void launch_b(int*);
int main() {
  int* memory = nullptr;
  if (cudaMalloc(&memory, 4) != cudaSuccess) return 2;
  launch_a(memory);
  launch_b(memory);
  return 0;
}
"""


class OfSources(KernelsTest):
    """Kernels with internal linkage, which are served by their own sources alone."""

    SAME = "_Z4samePi"
    UNNAMED_B = "_ZN36_GLOBAL__N__959edb7c_4_b_cu_012345677unnamedEPi"

    def setUp(self):
        super().setUp()
        source = os.path.join(os.path.dirname(SOURCE), "of_sources.c")
        self.of_b = self.image_of("b.image", source, "-DOF_B")
        self.of_both = self.image_of("both.image", source, "-DOF_A", "-DOF_B")

    def found(self, path, image):
        file, = self.kernels(OK, "list", "--kernels=" + image, path)["files"]
        return {item["name"]: item["library"] for item in file["kernels"]}, file["missing"]

    def host_code(self, *sources):
        """Host code of these sources with the stub of the same kernel, as nvcc names its file."""
        for source in sources:
            path = os.path.join(self.where, "tmpxft_000033e2_00000000-6_%s.cudafe1.cpp" % source)
            with open(path, "w", encoding="utf-8") as out:
                out.write("__attribute__((used)) static " + stub(self.SAME, "Pi", "_ZL"))
            subprocess.run(["cc", "-x", "c", "-c", "-o", path + ".o", path], check=True)
            yield path + ".o"

    def test_told(self):
        path = self.program([self.SAME, UNNAMED, self.UNNAMED_B], *self.host_code("a", "b"))
        both = {self.SAME: self.of_both, UNNAMED: self.of_both, self.UNNAMED_B: self.of_both}
        self.assertEqual((both, 0), self.found(path, self.of_both))
        one = {self.SAME: None, UNNAMED: None, self.UNNAMED_B: self.of_b}
        self.assertEqual((one, 2), self.found(path, self.of_b))
        # Without the stubs nothing shows that another source has it, too.
        one[self.SAME] = self.of_b
        self.assertEqual((one, 1), self.found(self.stripped(path), self.of_b))

    def test_not_told(self):
        """By none of the names: one source's may be the image's, of two neither is known."""
        path = self.program([self.SAME], *self.host_code("other"))
        self.assertEqual(({self.SAME: self.of_b}, 0), self.found(path, self.of_b))
        self.assertEqual(({self.SAME: None}, 1), self.found(path, self.of_both))
        path = self.program([self.SAME], *self.host_code("one", "two"))
        self.assertEqual(({self.SAME: None}, 1), self.found(path, self.of_b))

    def test_in_two(self):
        path = self.program([self.SAME])
        text = torchada("kernels", "list", "--kernels=" + self.of_both, path).stdout
        self.assertIn("  same(int*): missing: two sources in %s have it with internal linkage, so that neither is "
                      "used\n" % self.of_both, text)


@unittest.skipUnless(os.path.exists(NVCC), "no CUDA toolkit: kernels that nvcc registers NOT checked")
class Nvcc(KernelsTest):

    def as_shown(self, names):
        """As the lines about launches name them: these programs have a C++ library."""
        return {signature if name.startswith("_Z") else name for name, signature in names.items()}

    def test_as_run(self):
        """The file tells every name that the program asks for, stripped or not, but those of extern "C"."""
        source = self.write(self.where, "source.cu", CUDA_SOURCE)
        for words in ((), ("-O3",), ("-rdc=true",), ("-Xfatbin", "-compress-all"),
                      ("-O3", "-Xcompiler", "-ffunction-sections", "-Xlinker", "--gc-sections")):
            path = os.path.join(self.where, "program")
            subprocess.run([NVCC, "-cudart", "shared", "-extended-lambda", "-arch=sm_80", *words, "-o", path, source],
                           check=True, timeout=300, env={**os.environ, "HOME": self.where})
            refused, _ = self.asked_for(path)
            self.assertEqual(10, len(refused), refused)
            names, gaps = self.listed(path)
            self.assertEqual((refused, []), (self.as_shown(names), gaps), words)
            self.assertEqual("plain(int*)", names["plain"])
            self.assertIn("unbox(float*, Box)", names.values())
            names, gaps = self.listed(self.stripped(path))
            self.assertEqual((refused - {"plain"}, 1), (self.as_shown(names), len(gaps)), words)
            self.assertEqual("kernels", self.one(NO, path)["verdict"])

    def test_sources(self):
        """Two sources with kernels of the same names, and images of both or of one."""
        sources = [self.write(self.where, name + ".cu", SAME_SOURCE % name + (SAME_MAIN if name == "a" else ""))
                   for name in "ab"]
        image = os.path.join(os.path.dirname(SOURCE), "of_sources.c")
        both = self.image_of("both.image", image, "-DOF_A", "-DOF_B")
        of_b = self.image_of("b.image", image, "-DOF_B")
        for words in ((), ("-rdc=true",)):
            path = os.path.join(self.where, "program")
            subprocess.run([NVCC, "-cudart", "shared", "-arch=sm_80", *words, "-o", path, *sources], check=True,
                           timeout=300, env={**os.environ, "HOME": self.where})
            for libraries, wanted in ((both, 4 * ["cudaSuccess"]),
                                      (of_b, 2 * ["cudaErrorNoKernelImageForDevice"] + 2 * ["cudaSuccess"])):
                ended = torchada("run", "--backend=host", "--kernels=" + libraries, "--", path)
                self.assertEqual((OK, wanted), (ended.status, ended.stdout.split()), str(ended))
                status = OK if libraries == both else NO
                file, = self.kernels(status, "check", path, libraries)["files"]
                # Without -rdc=true the name of the static kernels is one.
                self.assertEqual(0 if libraries == both else 2, file["missing"], words)

    def test_static(self):
        source = self.write(self.where, "source.cu", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
        path = os.path.join(self.where, "program")
        subprocess.run([NVCC, "-o", path, source], check=True, timeout=300, env={**os.environ, "HOME": self.where})
        self.kernels(CANNOT, "check", path, self.image(1))


if __name__ == "__main__":
    support.main()
