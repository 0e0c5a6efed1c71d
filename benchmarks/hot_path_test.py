#!/usr/bin/env python3
"""Checks that calls through replacement libraries cost exactly two instructions.

hot_path_test.py LIBRARY...   exit status 0, or 1 with one line for each violation.

Every exported function must be `endbr64; jmp *slot(%rip)` with a slot of its own, and the functions
must be 16 bytes apart. Unlike timings this is the same on every machine, so it is a test.
"""

import re
import subprocess
import sys

SPACING = 16
ENDBR_SIZE = 4
SLOT_SIZE = 8


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported_functions(library):
    """{address: [names]}; aliases share an address."""
    functions = {}
    for line in output_of("readelf", "-W", "--dyn-syms", library).splitlines():
        fields = line.split()
        if len(fields) < 8 or fields[3] not in ("FUNC", "IFUNC") or fields[6] == "UND":
            continue
        functions.setdefault(int(fields[1], 16), []).append(fields[7].split("@")[0])
    return functions


def instructions(library):
    """{address: text}"""
    found = re.findall(r"^\s*([0-9a-f]+):\t(.*)$",
                       output_of("objdump", "-d", "--no-show-raw-insn", library), re.MULTILINE)
    return {int(address, 16): text.strip() for address, text in found}


def writable_data(library):
    """(start, end) of .data, where the slots are; empty if there is none."""
    match = re.search(r"\s\.data\s+PROGBITS\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)",
                      output_of("readelf", "-W", "-S", library))
    if not match:
        return 0, 0
    start = int(match.group(1), 16)
    return start, start + int(match.group(2), 16)


def check(library):
    functions = exported_functions(library)
    if not functions:
        yield "exports no function"
        return
    code = instructions(library)
    data_start, data_end = writable_data(library)
    owner = {}
    previous = None
    for address in sorted(functions):
        name = functions[address][0]
        if previous is not None and address - previous != SPACING:
            yield f"{name} is {address - previous} bytes after its neighbour, not {SPACING}"
        previous = address
        if code.get(address) != "endbr64":
            yield f"{name} starts with {code.get(address)!r}, not endbr64"
            continue
        jump = re.fullmatch(r"(?:bnd |notrack )?jmp +\*-?0x[0-9a-f]+\(%rip\) +# ([0-9a-f]+).*",
                            code.get(address + ENDBR_SIZE, ""))
        if not jump:
            yield f"{name} goes on with {code.get(address + ENDBR_SIZE)!r}, not a jump by its slot"
            continue
        slot = int(jump.group(1), 16)
        if not data_start <= slot < data_end or slot % SLOT_SIZE:
            yield f"{name} jumps by {slot:#x}, which is no slot"
        if slot in owner:
            yield f"{name} shares the slot of {owner[slot]}"
        owner[slot] = name


def main():
    violations = 0
    for library in sys.argv[1:]:
        for violation in check(library):
            print(f"{library}: {violation}")
            violations += 1
    return 1 if violations or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
