"""Each device function of the toolkit's headers is declared, or refused by name, in the stand-in's, with its types.

device_functions_test.py CLANG HEADERS NVCC. Names and types are read from the installed headers, which are C++."""
import os
import re
import subprocess
import sys
import unittest

import toolkit

CLANG, HEADERS, NVCC = sys.argv[1:4]
# What the stand-in has under names of its own; with the runtime, those of the toolkit.
INCLUDED = ("cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_pipeline_primitives.h", "cuda_awbarrier_primitives.h")
# What headers keep for themselves, and the runtime's API for kernels that launch others, which is refused as a whole.
APART = re.compile(r"__(internal|nv|nvvm|float_simpl|cuda)|cuda[A-Z]|__[a-z0-9]+Atomic[A-Z]|"
                   r"\w+_(impl|internal|helper)$|__(cmath_power|alignof)$")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
DEVICE = re.compile(r"__attribute__\s*\(\(device\)\)")
WORDS = re.compile(r"\b(static|inline|__inline__|__forceinline__|extern|constexpr|enum|struct)\b")
TYPES = ("int", "unsigned", "signed", "long", "short", "char", "float", "double", "bool", "void", "size_t", "const")


def preprocessed():
    """The lines of the toolkit's headers alone."""
    folder = toolkit.headers(NVCC)
    source = "".join("#include <%s>\n" % name for name in INCLUDED)
    run = subprocess.run([CLANG, "-x", "c++", "-std=c++17", "-E", "-Wno-everything", "-D__CUDACC__", "-D__NVCC__",
                          "-D__CUDA_ARCH__=900", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-isystem",
                          folder, "-"], input=source, capture_output=True, text=True, check=True)
    kept, own = [], False
    for line in run.stdout.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = os.path.realpath(marker.group(1)).startswith(folder + "/")
        elif own and not line.startswith("#"):
            kept.append(line)
    return "\n".join(kept)


def statements(text):
    """Declarations outside of namespaces and classes."""
    statement, at = "", 0
    while at < len(text):
        c = text[at]
        at += 1
        if c == "{" and not re.search(r'extern\s*"C"\s*\Z', statement):
            depth = 1
            while depth:
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
        if c in "{};":
            yield " ".join(statement.split())
            statement = ""
        else:
            statement += c


def type_of(parameter):
    """The type of "const int x = 1"."""
    parameter = parameter.partition("=")[0].strip()
    named = re.match(r"(.*[\s*&])([A-Za-z_]\w*)$", parameter)
    if named and named.group(2) not in TYPES and named.group(1).strip() != "const":
        parameter = named.group(1)
    return parameter.strip()


def functions():
    """(name, result, types), without types for templates."""
    found = set()
    for statement in statements(preprocessed()):
        if not DEVICE.search(statement):
            continue
        template = statement.startswith("template")
        plain = ATTRIBUTE.sub(" ", re.sub(r"noexcept( \(true\))?|throw\(\)", "", statement)).replace('extern "C"', "")
        match = re.match(r"(.*?[\s*&])([A-Za-z_]\w*)\s*\((.*)\)[^()]*\Z", plain)
        if not match or APART.match(match.group(2)) or re.search("operator|long double", plain):
            continue
        result, name, parameters = match.groups()
        types = [type_of(one) for one in parameters.split(",") if one.strip() not in ("", "void", "...")]
        found.add((name, "", ()) if template else (name, " ".join(WORDS.sub("", result).split()), tuple(types)))
    return sorted(found)


def wrong_uses(found):
    """What clang says of a line for each function."""
    lines = ["#include <%s>" % name for name in INCLUDED[1:]]
    lines += ["template <typename T> __device__ T make();", "template <typename A, typename B> struct Same {};",
              "template <typename A> struct Same<A, A> { typedef int type; };"]
    first = len(lines) + 1
    for number, (name, result, types) in enumerate(found):
        call = "%s(%s)" % (name, ", ".join("make<%s>()" % one for one in types))
        lines.append("__device__ void call%d() { %s; typename Same<decltype(%s), %s>::type same; }" % (
            number, call, call, result) if result else "namespace n%d { using ::%s; }" % (number, name))
    run = subprocess.run([CLANG, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70",
                          "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-fsyntax-only", "-Wno-everything",
                          "-std=c++17", "-ferror-limit=0", "-fno-caret-diagnostics", "-DTORCHADA_WARP_SIZE=32", "-I",
                          HEADERS, "-include", os.path.join(HEADERS, "torchada_device.h"), "-"],
                         input="\n".join(lines), capture_output=True, text=True, check=False)
    wrong = {}
    for line, message in re.findall(r"<stdin>:(\d+):\d+: error: (.*)", run.stderr):
        if int(line) < first:
            raise AssertionError(run.stderr)
        wrong.setdefault(found[int(line) - first], message)
    return wrong


class DeviceFunctions(unittest.TestCase):

    def test_each_is_declared(self):
        found = functions()
        # Fewer: the headers were not understood.
        self.assertGreater(len(found), 1500)
        for name in ("__clz", "__fmaf_ieee_rn", "__barrier_sync_count", "tex2D", "__hfma2", "atomicAdd_block"):
            self.assertIn(name, {function[0] for function in found})
        wrong = wrong_uses(found)
        self.assertFalse(wrong, "\n".join("%s %s(%s): %s" % (result, name, ", ".join(types), message)
                                          for (name, result, types), message in wrong.items()))
        print("%d device functions of the toolkit's headers are declared" % len(found), flush=True)

    def test_what_is_missing_is_seen(self):
        missing, other = ("__no_such_function", "int", ("int",)), ("__clz", "float", ("int",))
        self.assertEqual([missing, other], list(wrong_uses([missing, ("__clz", "int", ("int",)), other])))


if __name__ == "__main__":
    if not os.access(NVCC, os.X_OK):
        print("SKIPPED: no toolkit here, so the device functions of its headers were NOT compared")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
