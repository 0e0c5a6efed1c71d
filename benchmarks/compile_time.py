#!/usr/bin/env python3
"""Compiles the project from nothing, without ccache, and says how much processor time that takes.

  compile_time.py [--source DIR] [--target NAME ...]

Builds in a temporary folder, one target after the other: each figure is what its target needs beyond the
targets before it. Seconds of all compilers and linkers together (user and system), and seconds on the clock.
With BENCHMARK_RESULTS set, results are also appended to that file, one JSON object a line.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
# What a newcomer waits for, in this order.
TARGETS = ["quickstart", "installed_files", "all"]


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(*command):
    """(seconds of processors, seconds on the clock) of a command."""
    processors, clock = processor_seconds(), time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ended.returncode:
        sys.exit("\n".join([*ended.stdout.splitlines()[-20:], f"compile_time.py: {command} ended with an error"]))
    return processor_seconds() - processors, time.monotonic() - clock


def rows(name, processors, clock):
    for quantity, value in (("processor time", processors), ("clock", clock)):
        yield {"name": name, "quantity": quantity, "unit": "s", "median": value, "low": value, "high": value,
               "samples": 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, default=SOURCE, help="the sources (default: of this script)")
    parser.add_argument("--target", action="append", metavar="NAME", help=f"default: {', '.join(TARGETS)}")
    options = parser.parse_args()
    results = os.environ.get("BENCHMARK_RESULTS", os.devnull)
    with tempfile.TemporaryDirectory(prefix="torchada-compile-") as build, open(results, "a", encoding="utf-8") as out:
        timed("cmake", "-S", str(options.source), "-B", build, "-G", "Ninja", "-DTORCHADA_CCACHE=OFF")
        for target in options.target or TARGETS:
            processors, clock = timed("cmake", "--build", build, "--target", target)
            print(f"{target:16} {processors:7.1f} s of processors  {clock:7.1f} s on the clock", flush=True)
            for row in rows(target, processors, clock):
                print(json.dumps(row), file=out)


if __name__ == "__main__":
    main()
