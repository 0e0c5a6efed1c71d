#!/usr/bin/env python3
"""libcuda.so.1 exports every name that public programs ask it for.

 driver_names_test.py LIBCUDA NAMES

NAMES: lines of a name, who asks for it, and why torchada does not export it (see its head). Loaders of several programs
give up the whole of CUDA if one name is missing. Exit status: 0 all are there, 1 some are not.
"""
import csv
import sys

from symbols_check import exports


def main(library, names):
    ours = {name.split("@")[0] for name, _ in exports(library)}
    failures, asked = [], {}
    with open(names, encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            for program in row["who asks"].split():
                asked[program] = asked.get(program, 0) + 1
            if row["name"] in ours and row["why not"]:
                failures.append(f"{row['name']} is exported: remove \"{row['why not']}\"")
            if row["name"] not in ours and not row["why not"]:
                failures.append(f"{row['name']} is not exported, and {row['who asks']} ask for it")
    for failure in failures:
        print(f"{library}: {failure}")
    print(", ".join(f"{program} {count}" for program, count in sorted(asked.items())) + f": {len(failures)} failures")
    return 1 if failures or len(asked) < 9 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
