"""torchada-kernels --kernel= and --variable=: parts of a source, from what clang made of it once.

  wanted_test.py torchada-kernels HEADERS"""
import os
import subprocess
import sys
import tempfile
import unittest

HEADERS = sys.argv.pop()
COMPILER = sys.argv.pop()

FAILED, MISSING = 1, 4

SOURCE = """#include "value.h"
__device__ int counter;
__constant__ int factor;
__device__ const int fixed = VALUE;
static __device__ int hidden;
namespace { __device__ int inner; }
__device__ int next() { static int last; return ++last; }

extern "C" __global__ void plain(int* p) { *p = VALUE; }
__global__ void reads(int* p) { *p = *(&fixed + *p); }
__global__ void counts(int* p) { *p = atomicAdd(&counter, 1); }
__global__ void scales(int* p) { *p *= factor; }
__global__ void hides(int* p) { *p = hidden++; }
__global__ void numbers(int* p) { *p = next(); }
static __global__ void own(int* p) { *p = 2; }
namespace { __global__ void unnamed(int* p) { *p = 3 + inner; } }
template <typename F> __global__ void call(F f, int* p) { *p = f(); }
static void starts() { call<<<1, 1>>>([] __device__ { return 5; }, (int*)nullptr); }
int main() { own<<<1, 1>>>(nullptr); unnamed<<<1, 1>>>(nullptr); starts(); }
"""
ALL = {"plain", "_Z5readsPi", "_Z6countsPi", "_Z6scalesPi", "_Z5hidesPi", "_Z7numbersPi", "_ZL3ownPi@some_cu",
       "_ZN12_GLOBAL__N_17unnamedEPi@some_cu", "_Z4callIZL6startsvEUlvE_EvT_Pi@some_cu"}
VARIABLES = {"counter", "factor", "_ZL5fixed@some_cu", "_ZL6hidden@some_cu", "_ZN12_GLOBAL__N_15innerE@some_cu",
             "_ZZ4nextvE4last"}


class Wanted(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.where = folder.name
        self.cache = os.path.join(self.where, "cache")
        self.image = os.path.join(self.where, "image")
        self.file("value.h", "#define VALUE 7\n")
        self.source = self.file("some.cu", SOURCE)
        self.compiled = self.file("compiled", "")
        self.clang = self.file("clang", '#!/bin/sh\ncase "$*" in *" -emit-llvm "*) echo x >> %s; esac\n'
                               'exec clang++-19 "$@"\n' % self.compiled)
        os.chmod(self.clang, 0o755)

    def file(self, name, text):
        path = os.path.join(self.where, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def run_compiler(self, *words, source=None):
        """Status, what it says, and how often clang was started for a source."""
        self.file("compiled", "")
        ended = subprocess.run([COMPILER, "--headers=" + HEADERS, "--cache=" + self.cache, *words, "--",
                                source or self.source], stderr=subprocess.PIPE, text=True, check=False, timeout=300,
                               env={**os.environ, "TMPDIR": self.where, "TORCHADA_CLANG": self.clang})
        with open(self.compiled, encoding="utf-8") as lines:
            return ended.returncode, ended.stderr, len(lines.readlines())

    def made(self, *words, front_ends=0, says=""):
        """The kernels and variables of the image."""
        self.assertEqual((0, says, front_ends), self.run_compiler("--output=" + self.image, *words))
        strings = subprocess.run(["strings", "-a", self.image], stdout=subprocess.PIPE, text=True, check=True)
        return (ALL | VARIABLES) & set(strings.stdout.split())

    def report(self, *words):
        path = os.path.join(self.where, "report")
        self.assertEqual(0, self.run_compiler("--output=" + self.image, "--report=" + path, *words)[0])
        with open(path, encoding="utf-8") as lines:
            return lines.read().splitlines()

    def read_once(self):
        self.assertEqual((0, "", 1), self.run_compiler("--front-end-only"))
        self.assertEqual((0, "", 0), self.run_compiler("--front-end-only"))
        self.assertFalse(os.path.exists(self.image))

    def test_clang_is_started_once(self):
        self.read_once()
        self.assertEqual({"plain"}, self.made("--kernel=plain"))
        self.assertEqual({"plain", "_Z5readsPi", "_ZL5fixed@some_cu"},
                         self.made("--kernel=_Z5readsPi", "--kernel=plain", "--cpu-level=baseline"))
        self.assertEqual(ALL | VARIABLES, self.made())
        self.assertEqual(ALL | VARIABLES, self.made())
        self.file("value.h", "#define VALUE 8\n")
        self.assertEqual({"plain"}, self.made("--kernel=plain", front_ends=1))
        self.assertEqual({"plain"}, self.made("--kernel=plain"))
        self.assertEqual({"plain"}, self.made("--kernel=plain", "-DOTHER", front_ends=1))

    def test_names_of_nvcc(self):
        unnamed = "_GLOBAL__N__fbaae8a4_7_some_cu_1a2b3c4d"
        internal = "_INTERNAL_fbaae8a4_7_some_cu_1a2b3c4d"
        for name, made in (("_Z3ownPi", {"_ZL3ownPi@some_cu"}),
                           ("_ZN%d%s7unnamedEPi" % (len(unnamed), unnamed),
                            {"_ZN12_GLOBAL__N_17unnamedEPi@some_cu", "_ZN12_GLOBAL__N_15innerE@some_cu"}),
                           ("_Z4callIZN%d%s6startsEvEUlvE_EvT_Pi" % (len(internal), internal),
                            {"_Z4callIZL6startsvEUlvE_EvT_Pi@some_cu"}),
                           ("_ZL3ownPi", {"_ZL3ownPi@some_cu"})):
            with self.subTest(name):
                self.assertEqual(made, self.made("--kernel=" + name, front_ends=int(name == "_Z3ownPi")))
        self.assertEqual({"_ZL6hidden@some_cu"}, self.made("--variable=hidden"))
        self.assertEqual({"_ZL5fixed@some_cu", "counter"}, self.made("--variable=fixed", "--variable=counter"))

    def test_what_the_source_has_not(self):
        self.read_once()
        for word, text in (("--kernel=_Z7missingv", "no kernel _Z7missingv"),
                           ("--variable=missing", "no variable missing"), ("--kernel=counter", "no kernel counter"),
                           ("--variable=plain", "no variable plain"), ("--kernel=next", "no kernel next"),
                           ("--kernel=", "no kernel ")):
            self.assertEqual((MISSING, "%s: error: %s\n" % (self.source, text), 0),
                             self.run_compiler("--output=" + self.image, "--kernel=plain", word))
        self.assertFalse(os.path.exists(self.image))

    def test_whole_if_variables(self):
        """A variable must be one, so the kernels that could share it are in one image."""
        self.read_once()
        for word, kernels, variables in (
                ("--kernel=plain", {"plain"}, set()), ("--kernel=_Z5readsPi", {"_Z5readsPi"}, {"_ZL5fixed@some_cu"}),
                ("--kernel=_Z6countsPi", {"_Z6countsPi"}, {"counter"}),
                ("--kernel=_Z6scalesPi", {"_Z6scalesPi"}, {"factor"}),
                ("--kernel=_Z5hidesPi", {"_Z5hidesPi"}, {"_ZL6hidden@some_cu"}),
                ("--kernel=_Z7numbersPi", {"_Z7numbersPi"}, {"_ZZ4nextvE4last"}),
                ("--variable=counter", set(), {"counter"}), ("--variable=fixed", set(), {"_ZL5fixed@some_cu"})):
            with self.subTest(word):
                self.assertEqual(kernels | variables, self.made(word))
                has_state = variables - {"_ZL5fixed@some_cu"}
                self.assertEqual(ALL | VARIABLES if has_state else kernels | variables,
                                 self.made(word, "--whole-if-variables"))

    def test_report(self):
        """The files that were read, also from the cache, and whether all of the source was made."""
        files = sorted("file " + path for path in (self.source, os.path.join(self.where, "value.h")))
        for words, whole in ((["--front-end-only"], []), (["--kernel=plain"], []), ([], ["whole"]),
                             (["--kernel=_Z6countsPi"], []),
                             (["--kernel=_Z6countsPi", "--whole-if-variables"], ["whole"])):
            told = [line for line in self.report(*words) if not line.startswith("file /usr/")]
            self.assertEqual(files + whole, sorted(told))

    def test_errors_and_warnings(self):
        wrong = self.file("wrong.cu", "__global__ void k() { missing(); }\n")
        for count in (1, 1):
            status, says, front_ends = self.run_compiler("--front-end-only", source=wrong)
            self.assertEqual((FAILED, count), (status, front_ends))
            self.assertIn("wrong.cu:1:23: error: ", says)
        self.assertEqual(2, self.run_compiler("--kernel=k")[0])  # Where to?
        warned = self.file("warp.cu", "__global__ void k(int* p) { *p = threadIdx.x % 32; }\n")
        for front_ends in (1, 0):
            status, says, started = self.run_compiler("--output=" + self.image, "--kernel=_Z1kPi", source=warned)
            self.assertEqual((0, front_ends), (status, started))
            self.assertRegex(says, r"\A[^\n]*warp.cu:1: warning: this takes a warp for 32 threads[^\n]*\n\Z")
        result = self.run_compiler("--output=" + self.image, "--kernel=_Z1kPi", "-w", source=warned)
        self.assertEqual((0, "", 1), result)

    def test_damage(self):
        self.read_once()
        entry, = os.listdir(self.cache)
        os.truncate(os.path.join(self.cache, entry), 1000)
        says = "torchada: --cache: %s is not used: it is damaged\n" % entry
        status, said, front_ends = self.run_compiler("--output=" + self.image, "--kernel=plain")
        self.assertEqual((0, 1), (status, front_ends))
        self.assertTrue(said.endswith(says.split(": ", 1)[1]), said)
        self.assertEqual({"plain"}, self.made("--kernel=plain"))


unittest.main()
