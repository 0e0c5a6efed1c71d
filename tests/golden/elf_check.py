#!/usr/bin/env python3
"""Checks that replacement libraries keep the ELF invariants of the design.

elf_check.py LIBRARY...   exit status 0, or 1 with one line for each violation.
"""

import os
import re
import subprocess
import sys

NEWEST_GLIBC = (2, 17)
ALLOWED_NEEDED = {"libc.so.6", "libdl.so.2", "libpthread.so.0"}
TRAMPOLINE_SPACING = 16
# The loader looks up each name in all libraries of the program whenever it loads the library. See
# stubs/system/own_libc.cpp.
MOST_IMPORTS = 24


def readelf(option, library):
    return subprocess.run(["readelf", "-W", option, library], check=True, capture_output=True,
                          text=True).stdout


def check_dynamic(library, name):
    text = readelf("-d", library)
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))
    allowed = set(ALLOWED_NEEDED)
    runpath = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", text)
    if name.startswith("libcublas.so."):
        lt = name.replace("libcublas", "libcublasLt")
        allowed.add(lt)
        if lt not in needed:
            yield f"does not need {lt}"
        if runpath != ["$ORIGIN"] or "(RPATH)" in text:
            yield f"RUNPATH is {runpath}, not $ORIGIN"
    elif runpath:
        yield f"has a run path: {runpath}"
    if needed - allowed:
        yield f"needs {sorted(needed - allowed)}"
    if f"[{name}]" not in "".join(re.findall(r"\(SONAME\).*", text)):
        yield "SONAME is not the file name"
    if "TEXTREL" in text:
        yield "has text relocations"
    if "NODELETE" not in text:
        yield "can be unloaded"


def check_versions(library):
    for version in set(re.findall(r"Name: GLIBC_([0-9.]+)", readelf("-V", library))):
        if tuple(int(part) for part in version.split("."))[:2] > NEWEST_GLIBC:
            yield f"needs GLIBC_{version}"


def check_segments(library):
    text = readelf("-l", library)
    for line in text.splitlines():
        # Type Offset VirtAddr PhysAddr FileSiz MemSiz Flg Align, where Flg is like "R E".
        match = re.match(r"\s*(LOAD|GNU_STACK|TLS)((?:\s+0x[0-9a-f]+){5}) ([RWE ]{3}) ", line)
        if not match:
            continue
        kind, numbers, flags = match.groups()
        if kind == "LOAD" and "W" in flags and "E" in flags:
            yield "has a segment that is writable and executable"
        if kind == "GNU_STACK" and "E" in flags:
            yield "asks for an executable stack"
        if kind == "TLS":
            yield f"has {int(numbers.split()[4], 16)} bytes of thread state in a PT_TLS segment"
    if "STATIC_TLS" in readelf("-d", library):
        yield "needs static TLS"
    if "GNU_STACK" not in text:
        yield "says nothing about the stack, which makes it executable"
    if "GNU_RELRO" not in text:
        yield "has no RELRO segment"


def check_properties(library):
    text = readelf("-n", library)
    if not re.search(r"x86 feature: IBT, SHSTK", text):
        yield "lost the CET property (IBT, SHSTK)"


def check_symbols(library):
    text = readelf("--dyn-syms", library)
    seen = {}
    imports = []
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 8 and words[6] == "UND":
            imports.append(words[7])
        if len(words) < 8 or words[3] != "FUNC" or words[6] == "UND":
            continue
        seen.setdefault(int(words[1], 16), words[7])
    if os.path.basename(library).startswith("lib") and len(imports) > MOST_IMPORTS:
        yield f"imports {len(imports)} names, more than {MOST_IMPORTS}: {' '.join(sorted(imports))}"
    addresses = sorted(seen)
    for address in addresses:
        if address % TRAMPOLINE_SPACING:
            yield f"{seen[address]} is not aligned"
    for first, second in zip(addresses, addresses[1:]):
        if second - first < TRAMPOLINE_SPACING:
            yield f"{seen[first]} and {seen[second]} are closer than {TRAMPOLINE_SPACING} bytes"


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    failures = 0
    for library in sys.argv[1:]:
        name = library.rsplit("/", 1)[-1]
        findings = [*check_dynamic(library, name), *check_versions(library),
                    *check_segments(library), *check_properties(library), *check_symbols(library)]
        for finding in findings:
            print(f"{name}: {finding}")
        failures += len(findings)
    print(f"{len(sys.argv) - 1} libraries, {failures} violations")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
