#!/usr/bin/env python3
"""Without MUSA, one line on stderr says so and names the call, whatever a program calls first.

first_line.py STAGE; the calls below go through hand-written adapters, and so do all functions of
the runtime that the tables call emulated.
"""

import json
import subprocess
import sys

STAGE = sys.argv[1]
# Library, function, its arguments in Python, its result.
CALLS = [
    ("libnccl.so.2", "ncclCommInitRankConfig", "ctypes.byref(handle), 1, *[0] * 16, 0, None", 1),
    ("libnccl.so.2", "ncclCommInitRankScalable", "ctypes.byref(handle), 1, 0, 1, None, None", 1),
    ("libnccl.so.2", "ncclCommSplit", "ctypes.byref(handle), 0, 0, ctypes.byref(handle), None", 1),
    ("libcurand.so.10", "curandCreateGeneratorHost", "ctypes.byref(handle), 100", 203),
    *(("libcurand.so.10", function, "*[None] * 4", 101)
      for function in ("curandGenerate", "curandGenerateLongLong", "curandGenerateUniform",
                       "curandGenerateUniformDouble", "curandGenerateNormal", "curandGenerateNormalDouble",
                       "curandSetStream", "curandSetGeneratorOffset", "curandSetPseudoRandomGeneratorSeed",
                       "curandDestroyGenerator", "curandGenerateSeeds", "curandSetGeneratorOrdering")),
    ("libcudart.so.12", "cudaGetDriverEntryPoint", "b'cuInit', ctypes.byref(handle), 0, None", 35),
]
PROGRAM = """
import ctypes
handle = ctypes.c_void_p()
function = ctypes.CDLL("{stage}/lib/{library}").{function}
for _ in range(2):
    assert function({arguments}) == {status}
"""

# They say what failed before, or return no status.
SAY_NOTHING = ("cudaGetLastError", "cudaPeekAtLastError", "cudaCreateChannelDesc")
# What generated code calls before main.
GENERATED = "__cuda"
# Prints the status, because some of them need no MUSA.
RUNTIME_PROGRAM = """
import ctypes
print(ctypes.CDLL("{stage}/lib/{library}").{function}(*[None] * 16))
"""
NO_DRIVER = "35"


def run(program):
    return subprocess.run([sys.executable, "-S", "-c", program], env={"TORCHADA_MUSA_PATH": "/nonexistent"},
                          capture_output=True, text=True, check=False)


def says_so(stderr, library, function):
    lines = stderr.splitlines()
    return len(lines) == 1 and lines[0].startswith(f"torchada: {library}: no MUSA found") and \
        f"first call: {function};" in lines[0]


failures = 0
for library, function, arguments, status in CALLS:
    program = PROGRAM.format(stage=STAGE, library=library, function=function, arguments=arguments, status=status)
    done = run(program)
    if done.returncode or not says_so(done.stderr, library, function):
        failures += 1
        print(f"{function}: exit status {done.returncode}, said {done.stderr!r}")

refused = 0
with open(f"{STAGE}/../generated/tables.json", encoding="utf-8") as file:
    libraries = json.load(file)["libraries"]
for library, function in ((library["soname"], symbol["name"])
                          for library in libraries if library["name"] == "cudart"
                          for symbol in library["symbols"] if symbol["decision"] == "emulated"):
    if function.startswith(GENERATED) or function in SAY_NOTHING:
        continue
    done = run(RUNTIME_PROGRAM.format(stage=STAGE, library=library, function=function))
    if done.stdout.strip() != NO_DRIVER:
        continue
    refused += 1
    if not says_so(done.stderr, library, function.replace("_ptsz", "")):
        failures += 1
        print(f"{library} {function}: said {done.stderr!r}")
if refused < 10:
    failures += 1
    print(f"only {refused} functions of the runtime needed MUSA, expected at least 10")
sys.exit(1 if failures else 0)
