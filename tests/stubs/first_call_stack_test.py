#!/usr/bin/env python3
"""How much stack the first call needs: at most 4 KiB more than dlopen alone, so that it works on a thread
with a stack of 20 KiB.

  first_call_stack_test.py PROGRAM PROBE ROOT [STAGE]

PROGRAM: first_call_stack. PROBE: the probe library, whose plain backend lies below ROOT. STAGE: the staged
installation with the CPU stand-in. Exit status 0, or 1 with a line for each violation.
"""
import os
import subprocess
import sys

OURS = 4096
SMALL = 20 << 10
# Functions of the probe library: served, refused, missing in the backend, of a library that is not there.
PROBED = {"probe_errno": 21, "probe_refused": None, "probe_absent": None, "probe_sibling": None}
# Of the CUDA runtime.
CUDA = {"cudaGetDeviceCount": 0, "cudaFree": None, "cudaGetErrorString": None,
        "cudaGetDeviceProperties": None}


def run(program, *words, **environment):
    """(bytes of stack, what was returned); None if the program was killed or failed."""
    ended = subprocess.run([program, *words], env={**os.environ, **environment}, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, check=False)
    numbers = ended.stdout.split()
    return (int(numbers[0]), int(numbers[1])) if ended.returncode == 0 and len(numbers) == 2 else None


def check(program, library, functions, backend, environment):
    alone = run(program, "open", backend)
    if not alone:
        return [f"{backend} cannot be opened"]
    problems = []
    print(f"dlopen of {os.path.basename(backend)} alone: {alone[0]} bytes")
    for function, expected in functions.items():
        used = run(program, "call", library, function, **environment)
        small = run(program, "call", library, function, str(SMALL), **environment)
        if not used:
            problems.append(f"{function}: the program failed")
            continue
        print(f"first call of {function}: {used[0]} bytes, {used[0] - alone[0]:+d}; on {SMALL} bytes: "
              f"{'works' if small else 'FAILS'}")
        if used[0] > alone[0] + OURS:
            problems.append(f"{function} needs {used[0] - alone[0]} bytes more than dlopen, not {OURS} at most")
        if not small:
            problems.append(f"{function} does not work on a stack of {SMALL} bytes")
        if expected is not None and (used[1] != expected or (small and small[1] != expected)):
            problems.append(f"{function} returned {used[1]} and {small and small[1]}, not {expected}")
    return problems


def main():
    program, probe, root = sys.argv[1:4]
    problems = []
    for log in ("off", "debug"):
        print(f"TORCHADA_LOG={log}")
        problems += check(program, probe, PROBED, os.path.join(root, "lib", "libback.so.2"),
                          {"TORCHADA_PROBE_ROOT": root, "TORCHADA_LOG": log})
    print("without MUSA")
    problems += check(program, probe, {"probe_errno": None}, os.path.join(root, "lib", "libback.so.2"),
                      {"TORCHADA_PROBE_ROOT": "/nonexistent"})
    if len(sys.argv) > 4:
        stage = sys.argv[4]
        stand_in = os.path.join(stage, "host", "current")
        print("the CPU stand-in")
        problems += check(program, os.path.join(stage, "lib", "libcudart.so.12"), CUDA,
                          os.path.join(stand_in, "lib", "libmusart.so"), {"TORCHADA_MUSA_PATH": stand_in})
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
