#!/usr/bin/env python3
"""Compares the exported symbols of a library with a golden list, or with the real library.

symbols_check.py LIBRARY --golden FILE   exactly the names, nodes, default marks and bindings of FILE
symbols_check.py LIBRARY --real FILE     everything the real library FILE exports, the same way
Exit status: 0 equal, 1 different (each difference on a line), 2 bad usage, 77 skipped (no FILE).
"""

import argparse
import os
import subprocess
import sys

SKIPPED = 77


def exports(library):
    """{(name with node, binding)} as nm prints them; nodes themselves (type A) are not exports."""
    out = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library],
                         check=True, capture_output=True, text=True).stdout
    found = set()
    for line in out.splitlines():
        _, kind, name = line.split()
        if kind != "A":
            found.add((name, kind))
    return found


def golden(path):
    found = set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            kind, name = line.split()
            found.add((name, kind))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--golden")
    parser.add_argument("--real")
    parser.add_argument("--count", type=int, help="number of exports that the real library must have")
    args = parser.parse_args()
    if (args.golden is None) == (args.real is None):
        parser.error("one of --golden and --real")
    if args.real and not os.path.exists(args.real):
        print(f"SKIPPED: {args.real} is not here (no CUDA toolkit): the comparison with the real "
              "library did not run")
        return SKIPPED
    ours = exports(args.library)
    expected = golden(args.golden) if args.golden else exports(args.real)
    failures = [f"missing: {kind} {name}" for name, kind in sorted(expected - ours)]
    if args.golden:
        failures += [f"not expected: {kind} {name}" for name, kind in sorted(ours - expected)]
    if args.count is not None and len(expected) != args.count:
        failures.append(f"the real library exports {len(expected)} symbols, not {args.count}")
    for failure in failures:
        print(f"{args.library}: {failure}")
    print(f"{args.library}: {len(ours)} exports, {len(expected)} expected, {len(failures)} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
