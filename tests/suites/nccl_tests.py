#!/usr/bin/env python3
"""NVIDIA's nccl-tests: 11 programs, each with and without a check of what was received, with every type and operation,
from a graph, and with two threads. Two ranks.

 nccl_tests.py STAGE WORK [PROGRAM...]

Needs nvcc. What is checked is computed by kernels of nccl-tests, for which torchada makes an image."""
import os
import re
import sys

from suite import NVCC, Suite, called

SIZES = ("-b", "8", "-e", "128K", "-f", "16", "-n", "1", "-w", "1")
WAYS = {"checked": "-c 1 -g 2 -o all -d all", "unchecked": "-c 0 -g 2", "graph": "-c 1 -g 2 -G 2",
        "threads": "-c 1 -t 2 -g 1"}


def built(suite):
    """The programs, and the image of the kernels that check."""
    sources, build = suite.sources(), os.path.join(suite.work, "build")
    status, said = called(["make", "-j", str(os.cpu_count()), "-C", sources, "BUILDDIR=" + build, "NVCC=" + NVCC,
                           "NVCC_GENCODE=-gencode=arch=compute_80,code=sm_80 -cudart shared"], 3600)
    if status:
        sys.exit(f"{suite.name}: not built:\n{said[-3000:]}")
    image = os.path.join(suite.work, "verifiable.image")
    status, said = suite.image(image, [os.path.join(sources, "verifiable", "verifiable.cu")])
    if status:
        sys.exit(f"{suite.name}: no image:\n{said[-3000:]}")
    return {name[:-5]: os.path.join(build, name) for name in sorted(os.listdir(build)) if name.endswith("_perf")}, image


def failure(status, said):
    """What was wrong, or "". A row ends with how many numbers were wrong: 0, or N/A if none was looked at."""
    if status != 0 or "Out of bounds values : 0 OK" not in said:
        return f"status {status}: {said[-300:]}"
    rows = [line.split() for line in said.splitlines() if re.match(r"\s+\d+\s+\d+\s", line)]
    wrong = [row for row in rows if {row[-5], row[-1]} - {"0", "N/A"}]
    return f"wrong: {wrong[0]}" if wrong else "" if rows else "no rows"


def main():
    suite = Suite("nccl-tests", __doc__)
    programs, image = built(suite)
    outcomes = {}
    for name in suite.chosen(programs):
        for way, arguments in WAYS.items():
            status, said = suite.run([programs[name], *SIZES, *arguments.split()], kernels=image,
                                     environment={"TORCHADA_HOST_DEVICES": "2"})
            outcomes[f"{name} {way}"] = failure(status, said)
            print(f"{name} {way}: {outcomes[name + ' ' + way] or 'right'}", flush=True)
    return suite.judge(outcomes)


sys.exit(main())
