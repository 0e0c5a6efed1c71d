#!/usr/bin/env python3
"""Runs tests of the BLAS libraries under each set of OpenBLAS's kernels that this CPU can execute.

every_core.py --test BINARY... [--filter GTEST_FILTER]

OPENBLAS_CORETYPE selects the kernels, and with OPENBLAS_VERBOSE=2 OpenBLAS says which it took. The flags in
/proc/cpuinfo decide when the test runs, because it may have been built on another machine.
Exit code: 0 all passed, 1 some failed or none ran, 77 no choice of kernels, and those that OpenBLAS takes passed.
"""

import argparse
import os
import platform
import re
import signal
import subprocess
import sys

AVX512 = "avx512f avx512cd avx512bw avx512dq avx512vl"
# What the kernels of each need: driver/others/dynamic.c and kernel/x86_64/KERNEL.* of
# https://github.com/OpenMathLib/OpenBLAS
CORES = {
    "Prescott": "pni",
    "Core2": "ssse3",
    "Penryn": "sse4_1",
    "Dunnington": "sse4_1",
    "Nehalem": "sse4_2",
    "Atom": "ssse3",
    "Nano": "ssse3",
    "Opteron": "3dnow",
    "Opteron_SSE3": "3dnow pni",
    "Barcelona": "sse4a",
    "Bobcat": "sse4a ssse3",
    "Bulldozer": "avx fma4",
    "Piledriver": "avx fma4 fma",
    "Steamroller": "avx fma4 fma",
    "Excavator": "avx2 fma4 fma",
    "Sandybridge": "avx",
    "Haswell": "avx2 fma",
    "Zen": "avx2 fma",
    "SkylakeX": AVX512,
    "Cooperlake": AVX512 + " avx512_bf16",
    "SapphireRapids": AVX512 + " avx512_bf16 avx512_fp16 amx_tile",
}
THREADS = (1, 2, 4)  # must make no difference: the libraries compute on one


def cpu_flags():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("flags"):
                return set(line.split(":")[1].split())
    return set()


def run(binary, arguments, core, threads):
    environment = dict(os.environ, OPENBLAS_VERBOSE="2", OPENBLAS_NUM_THREADS=str(threads))
    environment.pop("OPENBLAS_CORETYPE", None)
    if core:
        environment["OPENBLAS_CORETYPE"] = core
    result = subprocess.run([binary, "--gtest_brief=1", *arguments], env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return result.returncode, result.stdout


def core_taken(binary, core):
    """What OpenBLAS calls the kernels it took, or None if it has no choice."""
    _, output = run(binary, ["--gtest_filter=-*"], core, 1)
    found = re.search(r"^Core: (\S+)$", output, re.MULTILINE)
    return found[1] if found else None


def problem(binary, arguments, core, threads):
    """None, or what went wrong."""
    status, output = run(binary, arguments, core, threads)
    ran = re.search(r"^\[==========\] (\d+) tests? ", output, re.MULTILINE)
    if status == 0 and ran and int(ran[1]) > 0:
        return None
    if status >= 0:
        return f"exit code {status}\n{output[-4000:]}"
    # Killed, in a test that is not known with --gtest_brief.
    _, output = run(binary, ["--gtest_brief=0", *arguments], core, threads)
    names = re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)
    return f"{signal.Signals(-status).name} in {names[-1] if names else 'no test'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--test", action="append", required=True, metavar="BINARY")
    parser.add_argument("--filter", action="append", default=[], help="of googletest, for the binary of the same place")
    options = parser.parse_args()
    filters = options.filter + ["*"] * (len(options.test) - len(options.filter))
    tests = [(binary, [f"--gtest_filter={names}"]) for binary, names in zip(options.test, filters)]

    no_choice = None
    if core_taken(options.test[0], None) is None:
        no_choice = "this OpenBLAS was built for one CPU, without DYNAMIC_ARCH"
    elif platform.machine() != "x86_64":
        no_choice = f"this test knows no names of kernels for {platform.machine()}"
    if no_choice:
        print(f"ONLY THE KERNELS THAT OpenBLAS CHOOSES ARE TESTED: {no_choice}.")
        failures = [failure for binary, arguments in tests if (failure := problem(binary, arguments, None, 1))]
        print("\n".join(failures) or "They passed.")
        return 1 if failures else 77

    flags = cpu_flags()
    passed, failed = [], []
    for core, needed in CORES.items():
        missing = [flag for flag in needed.split() if flag not in flags]
        if missing:
            print(f"{core}: NOT RUN, this CPU lacks {' '.join(missing)}")
            continue
        taken = core_taken(options.test[0], core)
        if taken != core:
            print(f"{core}: NOT RUN, this OpenBLAS has no such kernels and took {taken}'s")
            continue
        threads = THREADS[(len(passed) + len(failed)) % len(THREADS)]
        failures = [failure for binary, arguments in tests if (failure := problem(binary, arguments, core, threads))]
        (failed if failures else passed).append(core)
        outcome = "\n".join(["FAILED", *failures]) if failures else "passed"
        print(f"{core}, OPENBLAS_NUM_THREADS={threads}: {outcome}")
    print(f"{len(passed)} passed, {len(failed)} failed" + (f": {' '.join(failed)}" if failed else ""))
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
