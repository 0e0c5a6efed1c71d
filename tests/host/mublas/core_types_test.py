#!/usr/bin/env python3
"""Runs the tests of muBLAS with each of OpenBLAS's kernels that this machine can run.

  core_types_test.py PROGRAM [ARGUMENT...]     PROGRAM: the test program, with its arguments

OpenBLAS picks its kernels by the CPU, and defects were in the kernels of one CPU only. OPENBLAS_CORETYPE
chooses others. The test names each core type that it leaves out, with the CPU flag that is missing.
Fails if a run fails, or if OpenBLAS does not use the kernels it was asked for.
"""
import os
import re
import subprocess
import sys

# Core types of OpenBLAS on x86-64 and the CPU flags (as /proc/cpuinfo writes them) of their kernels:
# driver/others/dynamic.c and Makefile.x86_64 of OpenBLAS 0.3.21.
SSE3 = ["pni", "ssse3"]
AVX2 = ["avx2", "fma"]
AVX512 = AVX2 + ["avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"]
CORE_TYPES = {
    "Prescott": ["pni"],
    "Core2": SSE3,
    "Nehalem": SSE3 + ["sse4_1", "sse4_2"],
    "Barcelona": ["pni"],
    "Sandybridge": ["avx"],
    "Bulldozer": ["avx", "fma4"],
    "Piledriver": ["avx", "fma4", "fma"],
    "Excavator": AVX2 + ["fma4"],
    "Haswell": AVX2,
    "Zen": AVX2,
    "SkylakeX": AVX512,
    "Cooperlake": AVX512 + ["avx512_bf16"],
}
THREADS = ["1", "2", "4"]


def flags_of_this_machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return set(re.search(r"^flags\s*: (.*)$", file.read(), re.MULTILINE).group(1).split())


def run(words, core_type, threads):
    """What is wrong with one run; empty if all is right."""
    environment = {**os.environ, "OPENBLAS_CORETYPE": core_type, "OPENBLAS_VERBOSE": "2",
                   "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
    ended = subprocess.run([*words, "--gtest_brief=1"], env=environment, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    used = re.search(r"^Core: (\S+)", ended.stdout, re.MULTILINE)
    if not used:
        return "OpenBLAS does not say which kernels it uses: is it built without DYNAMIC_ARCH?"
    if used.group(1).lower() != core_type.lower():
        return f"OpenBLAS uses the kernels of {used.group(1)} instead"
    if ended.returncode != 0:
        return f"status {ended.returncode}:\n{ended.stdout[-4000:]}"
    if not re.search(r"^\[==========\] [1-9]\d* tests? from ", ended.stdout, re.MULTILINE):
        return "no test ran"
    return ""


def main():
    words = sys.argv[1:]
    if not words:
        sys.exit(__doc__)
    flags, done, failed = flags_of_this_machine(), 0, 0
    for core_type, needed in CORE_TYPES.items():
        missing = [flag for flag in needed if flag not in flags]
        if missing:
            print(f"{core_type}: not run, this CPU lacks {', '.join(missing)}", flush=True)
            continue
        # Each number of threads is tried, and every core type with one of them.
        threads = THREADS[done % len(THREADS)]
        done += 1
        trouble = run(words, core_type, threads)
        failed += bool(trouble)
        print(f"{core_type}, {threads} threads: {trouble or 'passed'}", flush=True)
    if done == 0:
        print("no core type could be run: the table of CPU flags does not fit this machine")
    return 1 if failed or done == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
