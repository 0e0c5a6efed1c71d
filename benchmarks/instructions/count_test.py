#!/usr/bin/env python3
"""How many instructions of the replacement libraries a call costs: count_test.py PROGRAM LIMITS LIBRARIES [--print]

PROGRAM (program.cpp) is run in valgrind's callgrind; what it counts in files below the folder LIBRARIES is ours.
Instructions are the same on every machine, unlike times. Exit status 0, 1 with a line for each call above its limit,
77 where there is no valgrind. --print writes LIMITS anew as CSV.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CALLS = 1000
SKIPPED = 77


def read_limits(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {row["call"]: int(row["at most"]) for row in csv.DictReader(lines)}


def counted(profile, folder):
    """Instructions in files below `folder`, without those of functions that they call elsewhere."""
    total, inside, is_inclusive = 0, False, False
    for line in profile.read_text(encoding="utf-8").splitlines():
        if line.startswith("ob="):
            inside = line[3:].startswith(folder + "/")
        elif line.startswith("calls="):
            is_inclusive = True  # The next line is the cost of the callee.
        elif re.match(r"[+\-*\d]", line):
            if inside and not is_inclusive:
                total += int(line.split()[1])
            is_inclusive = False
    return total


def count(program, libraries):
    """{name of the call: instructions}"""
    with tempfile.TemporaryDirectory(prefix="torchada-instructions-") as folder:
        out = os.path.join(folder, "out")
        ended = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--dump-before=instructions_mark",
             "--compress-strings=no", "--compress-pos=no", program],
            capture_output=True, text=True, check=False)
        if ended.returncode:
            sys.exit(f"{program} under valgrind: status {ended.returncode}\n{ended.stderr}")
        names = ended.stdout.splitlines()
        # Each mark ends a part of the profile: for each call one part before the loop, then the
        # loop.
        result = {}
        for number, name in enumerate(names):
            instructions = counted(Path(f"{out}.{2 * number + 2}"), libraries)
            result[name] = instructions / CALLS
        return result


def save(found, limits):
    """Writes results for benchmarks/run.py: see benchmarks/results.h."""
    path = os.environ.get("BENCHMARK_RESULTS")
    if not path:
        return
    with open(path, "a", encoding="utf-8") as out:
        for name, each in found.items():
            line = {
                "name": name, "quantity": "instructions of ours", "unit": "instructions", "median": each, "low": each,
                "high": each, "samples": 1
            }
            if name in limits:
                line["at_most"] = limits[name]
            out.write(json.dumps(line) + "\n")


def main():
    arguments = [word for word in sys.argv[1:] if word != "--print"]
    if len(arguments) != 3:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("SKIPPED: valgrind is not installed (packaging/install-build-deps.sh --full)")
        return SKIPPED
    program, limits, libraries = arguments[0], read_limits(Path(arguments[1])), os.path.realpath(arguments[2])
    found = count(program, libraries)
    if "--print" in sys.argv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["call", "at most"])
        writer.writerows([name, round(each)] for name, each in found.items())
        return 0
    save(found, limits)
    failed = 0
    for name, each in found.items():
        exact = name.startswith("direct")
        verdict = ""
        if name not in limits:
            verdict = "has no limit in " + arguments[1]
        elif each != round(each):
            verdict = "is not the same for every call"
        elif exact and each != 2:
            verdict = "is not the two instructions of a trampoline"
        elif each > limits[name]:
            verdict = f"is more than {limits[name]}"
        elif each == 0:
            verdict = "was not counted"
        print(f"{each:8.2f}  {name}{': ' + verdict if verdict else ''}")
        failed += bool(verdict)
    for name in sorted(set(limits) - set(found)):
        print(f"{name}: is in {arguments[1]} and is not called")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
