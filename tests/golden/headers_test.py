#!/usr/bin/env python3
"""Every function that a public header of the toolkit declares is exported by our libraries, as far as NVIDIA's are.

 headers_test.py STAGE INCLUDE EXCEPTIONS CXX STEM:PREFIX...

All headers in INCLUDE are read, not those that mappings/ knows. A function is ours to export if its name begins with
one of the prefixes. EXCEPTIONS: lines of FUNCTION, HEADER and REASON, for what no library of NVIDIA's exports either.
Exit status: 0 all are there, 1 some are not, 77 skipped (no toolkit).
"""
import csv
import functools
import glob
import os
import re
import subprocess
import sys
import tempfile
from concurrent import futures

SKIPPED = 77

# What is included of interfaces that the machine need not have: functions are found by their names alone.
STAND_INS = ("GL/gl.h", "EGL/egl.h", "EGL/eglext.h", "vdpau/vdpau.h")

# Headers choose names by these macros: each version of a function, and those for the thread's own stream.
MACROS = ((), ("__CUDA_API_VERSION_INTERNAL", "NVML_NO_UNVERSIONED_FUNC_DEFS"), ("CUDA_API_PER_THREAD_DEFAULT_STREAM",))

# Not functions that a program calls in a library: code in the header itself, and code for the device.
ELSEWHERE = re.compile(r"^\s*(?:typedef|using|template)\b|\b(?:static|inline|__inline__|__device__|__global__)\b")


def declarations(text):
    """The text of each declaration outside braces, where extern "C" counts as no brace."""
    depth, start = 0, 0
    for found in re.finditer(r'extern\s+"C(?:\+\+)?"\s*\{|[{};]', text):
        token = found.group()
        if token.startswith("extern"):
            if depth == 0:
                start = found.end()
        elif token == "{":
            depth += 1
        elif token == "}":
            if depth <= 1:
                start = found.end()
            depth = max(0, depth - 1)
        elif depth == 0:
            yield text[start:found.start()]
            start = found.end()


real_path = functools.lru_cache(maxsize=None)(os.path.realpath)


def own_text(preprocessed, header):
    """What the header itself says, without what it includes."""
    pieces = re.split(r'^# \d+ "(.*?)".*\n', preprocessed, flags=re.M)
    return "".join(text for file, text in zip(pieces[1::2], pieces[2::2]) if real_path(file) == real_path(header))


def functions(header, cxx, folders, prefixes):
    """Names of the functions that the header declares, or None if it cannot be preprocessed."""
    name = re.compile(r"\b((?:%s)\w+)\s*\(" % "|".join(prefixes))
    found, read = set(), False
    for macros in MACROS:
        options = ["-D" + macro for macro in macros] + ["-I" + folder for folder in folders]
        result = subprocess.run([cxx, "-E", "-x", "c++", *options, header], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            continue
        read = True
        for text in declarations(own_text(result.stdout, header)):
            text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", text)
            # A type may come in parentheses before the name of the function: its own come last.
            match = None if ELSEWHERE.search(text) else name.search(text)
            if match and not text[:match.start()].count("("):
                found.add(match.group(1))
    return found if read else None


def exports(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()}


def main(stage, include, exceptions, cxx, *prefixes):
    if not os.path.isdir(include):
        print(f"SKIPPED: {include} is not here (no CUDA toolkit): the headers were not compared with our libraries")
        return SKIPPED
    headers = sorted(glob.glob(os.path.join(include, "*.h")))
    ours = set()
    for library in glob.glob(os.path.join(stage, "lib", "**", "lib*.so*"), recursive=True):
        ours |= exports(library)
    with open(exceptions, encoding="utf-8") as file:
        known = {row["function"]: row for row in csv.DictReader(file)}
    with tempfile.TemporaryDirectory() as stand_ins:
        for header in STAND_INS:
            path = os.path.join(stand_ins, header)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w", encoding="utf-8").close()
        folders = (stand_ins, include, os.path.join(include, "cccl"))
        with futures.ThreadPoolExecutor(2) as pool:
            sets = list(pool.map(lambda header: functions(header, cxx, folders, prefixes), headers))
    failures, count, used = [], 0, set()
    for header, names in zip(headers, sets):
        short = os.path.basename(header)
        if names is None:
            print(f"{short}: not read, it cannot be preprocessed alone")
        for name in sorted(names or ()):
            count += 1
            if name in ours:
                continue
            if name in known:
                used.add(name)
            else:
                failures.append(f"{short} declares {name}, which no library of ours exports")
    failures += [f"{name}: listed, but exported or not declared" for name in sorted(set(known) - used)]
    for failure in failures:
        print(failure)
    print(f"{count} functions in {len(headers)} headers, {len(used)} exceptions, {len(failures)} failures")
    if count < 1500:
        print("so few functions: the headers were not read")
    return 1 if failures or count < 1500 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
