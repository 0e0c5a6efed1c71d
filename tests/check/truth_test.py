"""Compares torchada check with nm, readelf and cuobjdump, on NVIDIA's real libraries and on
programs that nvcc builds. Skipped, with a message, without a toolkit (CHECK_CUDA) or cuobjdump
(CHECK_CUOBJDUMP)."""
import collections
import os
import re
import subprocess
import sys
import unittest

import support_path  # noqa: F401  pylint: disable=unused-import
import support
from support import torchada

CUDA = os.environ.get("CHECK_CUDA", "")
CUOBJDUMP = os.environ.get("CHECK_CUOBJDUMP", "")
NVCC = os.path.join(CUDA, "bin", "nvcc")

KERNELS = """
#include <cstdio>
__global__ void add_one(int* p) { p[threadIdx.x] += 1; }
extern "C" __global__ void plainly_named(int* p) { *p = 0; }
namespace n { template <class T> __global__ void scale(T* p, T f) { p[threadIdx.x] *= f; } }
int main(int count, char**) {
  int* p = nullptr;
  cudaMalloc(&p, 64);
  if (count > 5) {
    add_one<<<1, 16>>>(p);
    plainly_named<<<1, 1>>>(p);
    n::scale<float><<<1, 1>>>((float*)p, 2.f);
  }
  return std::puts("done") < 0;
}
"""
NO_KERNELS = "int main() { int n = 0; return cudaGetDeviceCount(&n) == 0; }\n"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True,
                          timeout=600).stdout


def dynamic(path):
    """What readelf reports: NEEDED, SONAME, RPATH, RUNPATH."""
    out = collections.defaultdict(list)
    for kind, value in re.findall(r"\((\w+)\)\s+(?:Shared library|Library \w+): \[(.*)\]",
                                  output("readelf", "-dW", path)):
        out[kind].append(value)
    return out


def imports(path):
    """What nm reports: (name, node) of every undefined symbol."""
    out = set()
    for line in output("nm", "-D", path).splitlines():
        found = re.match(r"\s+[Uw] ([^@\s]+)(?:@@?(\S+))?$", line)
        if found:
            out.add((found.group(1), found.group(2) or ""))
    return out


def images(path):
    """What cuobjdump lists: the number of images of each architecture. It reports an ELF image made
    for sm_100f as sm_100, and so does comparable()."""
    out = collections.Counter()
    for option in ("-lelf", "-lptx"):
        ended = subprocess.run([CUOBJDUMP, "-all", option, path], capture_output=True, text=True,
                               check=False, timeout=600)
        for kind, number in re.findall(r"^(ELF|PTX) file +\d+: .*\.sm_(\d+[a-z]?)\.(?:cubin|ptx)$",
                                       ended.stdout, re.M):
            out[kind, ("sm_" if kind == "ELF" else "compute_") + number] += 1
    return out


def comparable(device_images):
    """What check lists, in the form of images()."""
    out = collections.Counter()
    for item in device_images:
        architecture = item["architecture"]
        if item["kind"] == "ELF" and architecture.endswith("f"):
            architecture = architecture[:-1]
        if item["kind"] in ("ELF", "PTX"):
            out[item["kind"], architecture] += item["count"]
    return out


class Truth(support.CommandTest):

    OURS = {symbol["name"] for library in support.real_tables()["libraries"]
            for symbol in library["symbols"]}
    NODES = {library["soname"] for library in support.real_tables()["libraries"]}

    def report(self, path, *words):
        result = torchada("check", "--all", "--format=json", *words, path)
        self.assertEqual("", result.stderr)
        report, = result.json()["reports"]
        return report

    def compare(self, path):
        report = self.report(path)
        truth = dynamic(path)
        self.assertEqual(truth["SONAME"], [report["soname"]] if report["soname"] else [], path)
        self.assertEqual(truth["RPATH"], [report["rpath"]] if report["rpath"] else [], path)
        self.assertEqual(truth["RUNPATH"], [report["runpath"]] if report["runpath"] else [], path)
        listed = [item["asked"] for item in report["libraries"] if item["listed"]]
        listed += [item["name"] for item in report["other_libraries"] if item["listed"]]
        self.assertLessEqual(set(listed), set(truth["NEEDED"]), path)
        self.assertEqual({name for name in truth["NEEDED"] if name in self.NODES},
                         set(listed) & self.NODES, path)
        symbols = [symbol for library in report["libraries"] for symbol in library["symbols"]]
        told = {(symbol["name"], symbol["version"]) for symbol in symbols if not symbol["looked_up"]}
        wanted = {(name, node) for name, node in imports(path)
                  if node in self.NODES or (not node and name in self.OURS)}
        self.assertEqual(wanted, told, path)
        with open(path, "rb") as file:
            contents = file.read()
        self.assertEqual([], [symbol["name"] for symbol in symbols if symbol["looked_up"] and
                              symbol["name"].encode() + b"\0" not in contents], path)
        return report


class Nvcc(Truth):

    def nvcc(self, *words, source=KERNELS):
        folder = self.folder()
        with open(os.path.join(folder, "source.cu"), "w", encoding="utf-8") as out:
            out.write(source)
        subprocess.run([NVCC, "-o", os.path.join(folder, "program"), *words,
                        os.path.join(folder, "source.cu")], check=True, timeout=300,
                       env={**os.environ, "HOME": folder})
        return os.path.join(folder, "program")


@unittest.skipUnless(os.path.exists(NVCC), "no CUDA toolkit: nvcc-built programs NOT checked")
class Built(Nvcc):

    def test_shared(self):
        path = self.nvcc("-cudart", "shared", "-gencode", "arch=compute_80,code=sm_80",
                         "-gencode", "arch=compute_90,code=[sm_90,compute_90]")
        report = self.compare(path)
        self.assertEqual("kernels", report["verdict"])
        self.assertFalse(report["static_runtime"])
        found = {(item["kind"], item["architecture"]) for item in report["device_code"]["images"]}
        self.assertEqual({("ELF", "sm_80"), ("ELF", "sm_90"), ("PTX", "compute_90")}, found)

    def test_letters(self):
        path = self.nvcc("-cudart", "shared", "-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]",
                         "-gencode", "arch=compute_100f,code=sm_100f",
                         "-gencode", "arch=compute_90,code=sm_90")
        found = {(item["kind"], item["architecture"])
                 for item in self.report(path)["device_code"]["images"]}
        self.assertEqual({("ELF", "sm_90a"), ("PTX", "compute_90a"), ("ELF", "sm_100f"),
                          ("ELF", "sm_90")}, found)

    def test_compressed(self):
        path = self.nvcc("-cudart", "shared", "-arch=sm_80", "-Xfatbin", "-compress-all")
        device = self.report(path)["device_code"]
        self.assertTrue(any(item["compressed"] for item in device["images"]), device)

    def test_static(self):
        """Also for a file reduced to its code and data."""
        path = self.nvcc("-cudart", "static")
        for _ in range(2):
            report = self.compare(path)
            self.assertEqual(("cannot", True, []), (report["verdict"], report["static_runtime"],
                                                    report["libraries"]))
            self.assertIn("nvcc -cudart shared", report["remedies"][0])
            output("strip", path)

    def test_static_without_kernels(self):
        path = self.nvcc("-cudart", "static", source=NO_KERNELS)
        output("strip", path)
        self.assertEqual(("cannot", True), (self.compare(path)["verdict"],
                                            self.compare(path)["static_runtime"]))

    def test_no_kernels(self):
        path = self.nvcc("-cudart", "shared", "-arch=sm_80", source=NO_KERNELS)
        report = self.compare(path)
        self.assertEqual(("runs", False), (report["verdict"], report["device_code"]["launches"]))

    def test_rpath(self):
        path = self.nvcc("-cudart", "shared", "-Xlinker", "--disable-new-dtags", "-Xlinker",
                         "-rpath=/opt/x")
        self.assertEqual("/opt/x", self.compare(path)["rpath"])

    def test_relocatable(self):
        path = self.nvcc("-cudart", "shared", "-arch=sm_80", "-rdc=true")
        self.assertEqual("kernels", self.compare(path)["verdict"])
        flags = {item["flags"] for item in self.report(path)["device_code"]["images"]}
        self.assertIn("--compile-only", flags)


@unittest.skipUnless(os.path.exists(NVCC) and CUOBJDUMP,
                     "no toolkit or no cuobjdump: architectures of programs NOT compared")
class BuiltImages(Nvcc):

    def test_images(self):
        for words in (["-arch=sm_80"], ["-arch=sm_90", "-rdc=true"],
                      ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", "-gencode",
                       "arch=compute_100f,code=[sm_100f,compute_100f]"],
                      ["-gencode", "arch=compute_80,code=sm_80", "-gencode",
                       "arch=compute_90,code=[sm_90,compute_90]"]):
            path = self.nvcc("-cudart", "shared", *words)
            told = comparable(self.report(path)["device_code"]["images"])
            self.assertEqual(images(path), told, words)


def libraries():
    """The toolkit's real libraries, each once."""
    folder = os.path.join(CUDA, "lib64")
    out = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        path = os.path.realpath(os.path.join(folder, name))
        if ".so" in name and os.path.isfile(path):
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    out[path] = True
    return list(out)


@unittest.skipUnless(libraries(), "no CUDA toolkit: NVIDIA's libraries NOT compared")
class Real(Truth):

    def test_names(self):
        compared = 0
        for path in libraries():
            self.compare(path)
            compared += 1
        print("compared with nm and readelf: %d libraries" % compared)
        self.assertGreater(compared, 3)


@unittest.skipUnless(libraries() and CUOBJDUMP,
                     "no toolkit or no cuobjdump: architectures of libraries NOT compared")
class RealImages(Truth):

    def test_images(self):
        """Only libraries that cuobjdump reads in seconds."""
        compared = 0
        for path in libraries():
            if os.path.getsize(path) > 120 << 20:
                continue
            told = comparable(self.report(path)["device_code"]["images"])
            wanted = images(path)
            self.assertEqual(wanted, told, path)
            compared += bool(wanted)
        print("compared with cuobjdump: %d libraries with device code" % compared)


if __name__ == "__main__":
    suites = unittest.TestLoader().loadTestsFromNames(sys.argv[1:], sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suites)
    if not result.wasSuccessful() or not result.testsRun:
        sys.exit(1)
    if result.skipped:
        print("SKIPPED: " + "; ".join(sorted({reason for _, reason in result.skipped})))
        sys.exit(support.SKIPPED)
