#!/usr/bin/env python3
"""Without MUSA, one line on stderr says so and names the call, whatever a program calls first.

first_line.py STAGE; the calls below go through hand-written adapters.
"""

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

failures = 0
for library, function, arguments, status in CALLS:
    program = PROGRAM.format(stage=STAGE, library=library, function=function, arguments=arguments, status=status)
    done = subprocess.run([sys.executable, "-c", program], env={"TORCHADA_MUSA_PATH": "/nonexistent"},
                          capture_output=True, text=True, check=False)
    wanted = f"torchada: {library}: no MUSA found"
    lines = done.stderr.splitlines()
    is_right = len(lines) == 1 and lines[0].startswith(wanted) and f"first call: {function};" in lines[0]
    if done.returncode or not is_right:
        failures += 1
        print(f"{function}: exit status {done.returncode}, said {done.stderr!r}")
sys.exit(1 if failures else 0)
