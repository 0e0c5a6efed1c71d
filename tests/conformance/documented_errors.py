#!/usr/bin/env python3
"""Compares the tables of documented errors with the comments of a CUDA toolkit's headers.

  documented_errors.py HEADERS [--left FILE] SOURCE...

Each error that a header lists for a function with a row must have a row, or a line `FUNCTION ERROR reason` in FILE;
`*` stands for every function. Rows and lines that no header knows are reported too. Exit status 0 if all agree, 1 if
not, 77 without the headers.
"""
import argparse
import re
import sys
from pathlib import Path

SKIPPED = 77
COMMENT = re.compile(r"/\*\*((?:(?!\*/).)*)\*/((?:(?!/\*)[^;{])*?)\b(cu\w+)\s*\([^;]*?\)\s*;", re.DOTALL)
RETURNS = re.compile(r"\\returns?\b(.*?)(?:\n[ *]*\n|\\note|\\sa\b|\\param|\Z)", re.DOTALL)
# The documentation's name for one that is not an enumerator.
ALIASES = {"cudaErrorOutOfMemory": "cudaErrorMemoryAllocation"}
NAME = r"cudaError\w+|CUDA_ERROR_\w+"


def plain(function):
    return re.sub(r"_v\d+$", "", function)


def documented(folder):
    """{function: errors}, by the names without a version."""
    found = {}
    for header in ("cuda_runtime_api.h", "cuda.h"):
        text = (folder / header).read_text(encoding="utf-8", errors="replace")
        for comment, _, function in COMMENT.findall(text):
            listed = RETURNS.search(comment)
            if listed:
                errors = {ALIASES.get(error, error) for error in re.findall(NAME, listed[1])}
                found.setdefault(plain(function), set()).update(errors)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headers", type=Path)
    parser.add_argument("--left", type=Path, required=True)
    parser.add_argument("sources", type=Path, nargs="+")
    arguments = parser.parse_args()
    if not (arguments.headers / "cuda_runtime_api.h").exists():
        print(f"SKIPPED: no CUDA toolkit in {arguments.headers}")
        return SKIPPED

    wanted = documented(arguments.headers)
    rows = set()
    for source in arguments.sources:
        text = source.read_text(encoding="utf-8")
        rows |= {(plain(function), error)
                 for function, error in re.findall(rf'\{{"(cu\w+)",\s*({NAME}),', text)}
        # Good calls, without cuInit and without a context: they have no errors of their own.
        for table, error in (("kAnywhere", "CUDA_ERROR_NOT_INITIALIZED"), ("kInContext", "CUDA_ERROR_NOT_INITIALIZED"),
                             ("kInContext", "CUDA_ERROR_INVALID_CONTEXT")):
            calls = text.partition(f"{table} = {{")[2].partition("\n};")[0]
            rows |= {(function, error) for function in map(plain, re.findall(r'\{"(cu\w+)",', calls))
                     if error in wanted.get(function, ())}
    left = {}
    for number, line in enumerate(arguments.left.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            function, error, reason = line.split(maxsplit=2)
            left[function, error] = (number, reason)

    wrong, used = [], set()
    functions = {function for function, _ in rows}
    for function in sorted(functions):
        for error in sorted(wanted.get(function, ())):
            entry = next((key for key in ((function, error), ("*", error)) if key in left), None)
            if (function, error) in rows:
                continue
            if entry is None:
                wrong.append(f"{function}: no row for {error}, which is documented")
            used.add(entry)
        for error in sorted(error for name, error in rows if name == function):
            if error not in wanted.get(function, ()):
                wrong.append(f"{function}: {error} is not documented")
    wrong += [f"{arguments.left}:{left[key][0]}: not needed" for key in left if key not in used]
    print("\n".join(wrong) if wrong else f"{len(functions)} functions, {len(rows)} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
