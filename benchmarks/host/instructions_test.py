#!/usr/bin/env python3
"""How many instructions a short call of the CPU stand-in costs, counted by valgrind's callgrind.

  instructions_test.py PROGRAM    PROGRAM: torchada_short_calls or torchada_device_code_benchmarks
  instructions_test.py torchada_single_calls LIBMUSART [OTHER]    also prints those of another release's runtime

Instructions are the same on every machine, unlike times. Those of OpenBLAS are not, so what the same product
takes without the stand-in is subtracted. From a launch through CUDA, what MUSA's driver takes for it is. Exit
status 0, 1 if a call costs more than MOST, 77 where there is no valgrind.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Measured 2026-11-23 with gcc 12.2: 560, 1990, 202, 1576, and 210 to 700, of which malloc's part varies. The rest
# allows for other compilers.
MOST = {
    "torchada_short_calls": {"enqueue of an empty operation": 720, "sgemm, n = 16, more than OpenBLAS": 2400,
                             "attributes of a pointer": 250, "copy of 256 bytes to the device": 1850},
    "torchada_device_code_benchmarks": {"launch of a kernel, more than MUSA's driver": 1000},
    # A quarter more than measured on 2026-11-24 with gcc 12.2 (benchmarks/README.md has the numbers).
    "torchada_single_calls": {
        "setDevice": 92, "getDevice": 82, "deviceGetAttribute": 340, "getDeviceProperties": 560, "memGetInfo": 103,
        "eventCreate and eventDestroy": 960, "eventQuery": 370, "streamCreate and streamDestroy": 2100,
        "streamQuery, nothing to wait for": 410, "deviceSynchronize, nothing to wait for": 850,
        "attributes of a pointer into device memory": 250, "attributes of a pointer of the program": 190,
        "malloc and free of 256 bytes": 8000, "memset of 256 bytes": 1360, "memcpy of 256 bytes to the device": 1860,
        "memcpy of 256 bytes to the host": 1850, "launchHostFunc": 700, "memsetAsync of 256 bytes": 1330,
        "memcpyAsync of 256 bytes within the device": 1730, "eventRecord": 1590,
        "mallocAsync and freeAsync of 256 bytes": 4470,
    },
}
CALLS = 1000
SKIPPED = 77


def counts(program, *arguments):
    """[(name, instructions of a call)]"""
    with tempfile.TemporaryDirectory(prefix="torchada-short-calls-") as folder:
        out = os.path.join(folder, "out")
        ended = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--dump-before=instructions_mark",
             program, *arguments, "--count"],
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive",
                 "TORCHADA_HOST_ACCOUNT": "none"}, capture_output=True, text=True, check=False)
        if ended.returncode:
            sys.exit(f"{program} under valgrind: status {ended.returncode}\n{ended.stderr}")

        def part(number):
            text = Path(f"{out}.{number}").read_text(encoding="utf-8")
            return int(re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE).group(1))

        # Each name has four marks, and each mark ends a part: the second is the stand-in's, the fourth OpenBLAS's.
        return [(name, (part(4 * number + 2) - part(4 * number + 4)) / CALLS)
                for number, name in enumerate(ended.stdout.splitlines())]


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("SKIPPED: valgrind is not installed (packaging/install-build-deps.sh --full)")
        return SKIPPED
    most = MOST[os.path.basename(sys.argv[1])]
    found = counts(*sys.argv[1:3])
    others = dict(counts(sys.argv[1], sys.argv[3])) if len(sys.argv) == 4 else {}
    for name, each in found:
        other = f"; {others[name]:.1f} there, ratio {others[name] / each:.2f}" if others else ""
        print(f"{each:8.1f}  {name}, at most {most[name]}{other}")
    if sorted(most) != sorted(name for name, _ in found):
        print(f"{sys.argv[1]} counts other calls than {', '.join(most)}")
        return 1
    return 1 if any(each > most[name] for name, each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
