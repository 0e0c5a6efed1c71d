#!/usr/bin/env python3
"""How many instructions the first call of a further function costs, against a dlsym of its target.

  first_call_test.py PROGRAM LIBRARY BACKEND    PROGRAM: benchmark_first_use

Both are counted by valgrind's callgrind: everything that the call runs, in the C library too. The process
has a large environment, because a walk through it at every call would be the largest part of the cost. It is
the same environment everywhere: of the caller's variables only KEPT is taken over, since each one counts.
Exit status 0, 1 if the ratio is above MOST, 77 where there is no valgrind.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MOST = 0.8  # 0.77 with gcc 12.2.
# The very first call, which opens the backend, with this environment.
MOST_FIRST = 60000  # 57,600 with gcc 12.2.
SKIPPED = 77
KEPT = ("PATH", "TORCHADA_MUSA_PATH", "TORCHADA_LOG")
VARIABLES = {f"VARIABLE_{number}": "value" for number in range(200)}


def instructions(program, library, functions, part):
    """Those between two marks of PROGRAM: part 2 are the look-ups, part 3 the very first call, part 4 the others."""
    with tempfile.TemporaryDirectory(prefix="torchada-first-call-") as folder:
        out = os.path.join(folder, "out")
        ended = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--dump-before=first_use_mark",
             program, library, functions, ""],
            env={name: os.environ[name] for name in KEPT if name in os.environ} | VARIABLES,
            capture_output=True, check=False)
        if ended.returncode:
            sys.exit(f"{program} {library} under valgrind: status {ended.returncode}\n{ended.stderr.decode()}")
        total = re.search(r"^(?:totals|summary): (\d+)", Path(f"{out}.{part}").read_text(encoding="utf-8"),
                          re.MULTILINE)
        return int(total.group(1))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("SKIPPED: valgrind is not installed (packaging/install-build-deps.sh --full)")
        return SKIPPED
    program, library, backend = sys.argv[1:]
    calls = instructions(program, library, "cudart", 4)
    look_ups = instructions(program, backend, "targets", 2)
    ratio = calls / look_ups
    print(f"first calls: {calls} instructions, dlsym of their targets: {look_ups}, ratio {ratio:.2f}")
    first = instructions(program, library, "cudart", 3)
    print(f"the very first call, which opens the backend: {first} instructions")
    path = os.environ.get("BENCHMARK_RESULTS")  # For benchmarks/run.py: see benchmarks/results.h.
    if path:
        with open(path, "a", encoding="utf-8") as out:
            out.write(json.dumps({
                "name": "first call", "quantity": "instructions against dlsym", "unit": "ratio", "median": ratio,
                "low": ratio, "high": ratio, "samples": 1, "at_most": MOST
            }) + "\n")
    if ratio > MOST:
        print(f"the ratio is above {MOST}")
    if first > MOST_FIRST:
        print(f"the very first call takes more than {MOST_FIRST}")
    return 1 if ratio > MOST or first > MOST_FIRST else 0


if __name__ == "__main__":
    sys.exit(main())
