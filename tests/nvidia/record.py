#!/usr/bin/env python3
"""Runs the conformance programs on NVIDIA's own libraries and writes what they say.

 record.py [--into DIR] [--jobs N] [--kernels DIR] PROGRAMS

PROGRAMS: the folder build/tests/conformance. It is for a machine with one of NVIDIA's GPUs. LD_LIBRARY_PATH must name
the folders of the libraries of CUDA 13 and of NCCL, and of libcuda.so.1 unless the loader knows it:

 LD_LIBRARY_PATH=/usr/local/cuda/lib64:NCCL tests/nvidia/record.py build/tests/conformance

It writes outcomes.csv and entry_points.csv (README.md explains them) to DIR, this folder if none is named. A test keeps
the reason that this folder's outcomes.csv gives while its outcome is the same. Exit status: 0 if every test that did
not pass has a reason, 1 if not, 2 if something is missing."""
import argparse
import concurrent.futures
import csv
import ctypes
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "mutation"))
from return_zero import tests_listed  # noqa: E402

RECORDED = os.path.join(HERE, "outcomes.csv")
TABLE = os.path.join(HERE, "..", "..", "mappings", "cuda", "entry_points.yaml")
PROGRAMS = ("conformance_13", "documented_errors_13", "conformance_driver", "documented_errors_driver")
SECONDS = 30
# More managed memory than there is can hang a GPU, not only the program.
LEFT_OUT = {"cudaMallocManaged_has_its_documented_errors", "cuMemAllocManaged_has_its_documented_errors"}
NOT_FOUND, NEWER = 1, 2  # Answers of cuGetProcAddress_v2


def fail(message):
    print("record.py: " + message, file=sys.stderr)
    sys.exit(2)


def tests_of(path):
    listed = subprocess.run([path, "--gtest_list_tests"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    if listed.returncode != 0:
        fail("%s does not start:\n%s" % (path, listed.stdout))
    return tests_listed(listed.stdout)


def outcome_of(command):
    """(passed, failed, crashed or hung; what it said)"""
    try:
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
                               text=True, errors="replace")
    except subprocess.TimeoutExpired as late:
        return "hung", (late.stdout or b"").decode(errors="replace")
    if ended.returncode < 0 or ended.returncode > 125:
        return "crashed", ended.stdout
    return ("passed" if ended.returncode == 0 else "failed"), ended.stdout


def run(commands, jobs, log):
    """{test: outcome}. Those that did not pass get a second chance with less beside them."""
    out, said = {}, {}
    for width in (jobs, max(1, jobs // 4)):
        again = [test for test in commands if out.get(test) != "passed"]
        with concurrent.futures.ThreadPoolExecutor(width) as pool:
            for test, (outcome, text) in zip(again, pool.map(outcome_of, [commands[test] for test in again])):
                out[test], said[test] = outcome, text
        print("%d of %d passed" % (list(out.values()).count("passed"), len(out)), flush=True)
    with open(log, "w", encoding="utf-8") as file:
        for test, outcome in out.items():
            if outcome != "passed":
                file.write("== %s %s: %s\n%s\n" % (*test, outcome, said[test][-6000:]))
    return out


def write_outcomes(path, outcomes):
    """Returns the tests without a reason."""
    reasons = {}
    if os.path.exists(RECORDED):
        with open(RECORDED, encoding="utf-8") as file:
            reasons = {(row["program"], row["test"], row["outcome"]): row["why"] for row in csv.DictReader(file)}
    missing = []
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("program", "test", "outcome", "why"))
        for test, outcome in outcomes.items():
            why = "" if outcome == "passed" else reasons.get((*test, outcome), "")
            if outcome != "passed" and not why:
                missing.append(test)
            rows.writerow((*test, outcome, why))
    return missing


def write_entry_points(path):
    """What the driver answers for each name that the table has, from 10 before the first version that it knows."""
    with open(TABLE, encoding="utf-8") as file:
        text = file.read()
    names = re.findall(r"^  (cu\w+):$", text, re.MULTILINE)
    driver = ctypes.CDLL("libcuda.so.1")
    newest = ctypes.c_int(0)
    driver.cuDriverGetVersion(ctypes.byref(newest))
    versions = {int(version) for version in re.findall(r"version: (\d+)", text)}
    versions = sorted({each for known in versions for each in (known - 10, known) if each <= newest.value})
    symbols = {}
    for symbol in set(re.findall(r"symbol: (\w+)", text)):
        if hasattr(driver, symbol):
            symbols[ctypes.cast(getattr(driver, symbol), ctypes.c_void_p).value] = symbol
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("name", "flags", "version", "function"))
        for name in names:
            for flags in (0, 1, 2):
                before = None
                for version in versions:
                    function, answer = ctypes.c_void_p(0), ctypes.c_int(-1)
                    driver.cuGetProcAddress_v2(name.encode(), ctypes.byref(function), version,
                                               ctypes.c_uint64(flags), ctypes.byref(answer))
                    if answer.value == NOT_FOUND:
                        break
                    found = "newer" if answer.value == NEWER else symbols.get(function.value, "another")
                    if found != before:
                        rows.writerow((name, flags, version, found))
                    before = found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", default=HERE, help="where to write (this folder)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many tests at once")
    parser.add_argument("--kernels", help="a folder of programs that nvcc has built (build/tests/kernels/nvcc)")
    parser.add_argument("programs", help="build/tests/conformance")
    options = parser.parse_args()
    commands, left_out = {}, {}
    for program in PROGRAMS:
        path = os.path.join(options.programs, program)
        if not os.path.exists(path):
            fail(path + " is missing: build the tests first")
        for test in tests_of(path):
            if test.split(".")[-1] in LEFT_OUT:
                left_out[program, test] = "not run"
            else:
                commands[program, test] = [path, "--gtest_filter=" + test]
    for name in sorted(os.listdir(options.kernels) if options.kernels else []):
        commands["kernels", name] = [os.path.join(options.kernels, name)]
    outcomes = run(commands, options.jobs, os.path.join(options.into, "failures.log"))
    missing = write_outcomes(os.path.join(options.into, "outcomes.csv"), {**outcomes, **left_out})
    write_entry_points(os.path.join(options.into, "entry_points.csv"))
    for test in missing:
        print("no reason: %s %s" % test)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
