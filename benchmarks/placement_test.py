#!/usr/bin/env python3
"""Functions that programs use most lie together, so that their calls touch few cache lines and pages.

placement_test.py CLIENTS LIBRARY...             exit status 0, or 1 with one line for each violation
placement_test.py --touched N CLIENTS LIBRARY... prints how many lines and pages hold the trampolines and the slots of
                                                 the functions that at least N programs use

CLIENTS is mappings/clients.csv. The trampolines and the slots of its functions must lie one after the other, the most
used first, and then those of the others by name. An alias counts for the export that it shares its address with.
"""

import csv
import os
import re
import sys

from hot_path_test import ENDBR_SIZE, SLOT_SIZE, SPACING, exported_functions, instructions

LINE, PAGE = 64, 4096


def read_clients(path):
    """{library: {function: number of programs}}, the most used first."""
    clients = {}
    with open(path, encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            clients.setdefault(row["library"], {})[row["symbol"]] = int(row["clients"])
    return clients


def slot_of(code, address):
    jump = re.search(r"# ([0-9a-f]+)", code.get(address + ENDBR_SIZE, ""))
    return int(jump.group(1), 16) if jump else 0


def used_functions(library, clients):
    """([(address, number of programs)], the most used first; [[names] of the others, by address])"""
    stem = re.match(r"lib(.*?)\.so", os.path.basename(library)).group(1)
    functions = exported_functions(library)
    address_of = {name: address for address, names in functions.items() for name in names}
    used = {}
    for name, count in clients.get(stem, {}).items():
        if name in address_of:
            used.setdefault(address_of[name], count)
    others = [names for address, names in sorted(functions.items()) if address not in used]
    return list(used.items()), others


def check(library, clients):
    used, others = used_functions(library, clients)
    functions, code = exported_functions(library), instructions(library)
    first = min(functions)
    slots = slot_of(code, first)
    for place, (address, _) in enumerate(used):
        name = functions[address][0]
        if address != first + SPACING * place:
            yield f"{name} is number {place} by use, and its trampoline is number {(address - first) / SPACING:g}"
        if slot_of(code, address) != slots + SLOT_SIZE * place:
            yield f"{name} is number {place} by use, and its slot lies elsewhere"
    names = [each[0] for each in others if len(each) == 1]
    for before, after in zip(names, names[1:]):
        if before > after:
            yield f"{after} comes after {before}, and no program of the table uses them"


def touched(library, clients, least):
    used, _ = used_functions(library, clients)
    addresses = [address for address, count in used if count >= least]
    code = instructions(library)
    slots = [slot_of(code, address) for address in addresses]
    parts = [f"{len({at // size for at in place})} {what}" for place in (addresses, slots)
             for size, what in ((LINE, "lines"), (PAGE, "pages"))]
    return (f"{os.path.basename(library)}: {len(addresses)} functions; trampolines in {parts[0]}, {parts[1]}; "
            f"slots in {parts[2]}, {parts[3]}")


def main():
    words = sys.argv[1:]
    least = 0
    if words[:1] == ["--touched"]:
        least, words = int(words[1]), words[2:]
    if len(words) < 2:
        sys.exit(__doc__)
    clients = read_clients(words[0])
    if least:
        for library in words[1:]:
            print(touched(library, clients, least))
        return 0
    violations, used = 0, 0
    for library in words[1:]:
        used += len(used_functions(library, clients)[0])
        for violation in check(library, clients):
            print(f"{library}: {violation}")
            violations += 1
    print(f"{used} functions that programs use in {len(words) - 1} libraries")
    return 1 if violations or not used else 0


if __name__ == "__main__":
    sys.exit(main())
