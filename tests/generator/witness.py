#!/usr/bin/env python3
"""The tables of MUSA against a CPU tree, which was transcribed from the evidence by other hands.

witness.py TORCHADA_GEN MAPPINGS TREE    (TREE is .../5.2, the name of its SDK)

The tree has less than the tables, and says so; but nothing in it may contradict them. Then the tree
is falsified in one place at a time, to see that each contradiction is found and named.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

# Allowed differences: the tree implements only a part of MUSA.
LACKS = {"in the table, but not exported", "type in the table, but not in the headers"}

# How many enumerators a header declares is no fact about MUSA; the tables leave these names out.
BOUND = re.compile(r"^\S+ \S+ enum value differs: value \w+(?:_MAX|Max|_NUM_OPTIONS): extracted, but not in the table$",
                   re.M)

# (what is wrong, header, pattern, replacement, expected line)
FALSIFIED = [
    ("enum value", "musa_types/error_types.h", r"musaErrorInvalidValue\s*=\s*1\b", "musaErrorInvalidValue = 7",
     r"musaError_t: enum value differs: .*musaErrorInvalidValue"),
    ("struct size", "mccl.h", r"char internal\[\w+\]", "char internal[120]",
     r"mcclUniqueId: layout differs"),
    ("argument", "musa_runtime_api.h", r"(musaMemset\(void\s*\*\s*\w+, )int( \w+, size_t)", r"\1long\2",
     r"musart: musaMemset: prototype differs"),
]


def counts(generator, mappings, tree, out):
    result = subprocess.run([generator, "extract", "--musa-root", tree, "--mappings", mappings, "--compare",
                             "--out", out], capture_output=True, text=True, timeout=120)
    if result.returncode not in (0, 1):
        sys.exit(f"extract failed with {result.returncode}: {result.stderr}")
    found = dict(re.findall(r"^([a-z, ]+): (\d+)$", result.stdout, flags=re.M))
    if not LACKS < set(found):
        sys.exit(f"no counts in the output:\n{result.stdout[-2000:]}")
    numbers = {kind: int(number) for kind, number in found.items()}
    numbers["enum value differs"] -= len(BOUND.findall(result.stdout))
    return numbers, BOUND.sub("", result.stdout)


def release(text):
    return tuple(int(part) for part in text.split("."))


def has(sdk, soname):
    """Whether an SDK, for example (4, 3), has a file: `sdk` of its record is like ">=4.2 <5.0"."""
    for word in soname.get("sdk", "any").split():
        if word.startswith(">=") and sdk < release(word[2:]) or word.startswith("<") and sdk >= release(word[1:]):
            return False
    return True


def with_driver(tree, copy):
    """A copy of the tree with the driver's libraries, which lie beside it, in its lib."""
    shutil.copytree(tree, copy, symlinks=True)
    driver = tree.resolve().parent / "driver" / tree.resolve().name
    for path in driver.iterdir():
        shutil.copy2(path, copy / "lib" / path.name, follow_symlinks=False)
    return str(copy)


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    generator, mappings, tree = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = with_driver(Path(tree), Path(folder) / "whole")
        found, text = counts(generator, mappings, tree, f"{folder}/out")
        for kind, number in sorted(found.items()):
            print(f"{kind}: {number}")
            if number and kind not in LACKS:
                failures += 1
                print("\n".join(line for line in text.splitlines() if f": {kind}" in line))
        registry = yaml.safe_load((Path(mappings) / "libraries.yaml").read_text(encoding="utf-8"))
        sdk = release(Path(sys.argv[3]).name)
        for library, facts in registry["backends"].items():
            if not any(has(sdk, soname) for soname in facts["sonames"]):
                continue
            if not list(Path(tree, "lib").glob(facts["stem"] + ".so*")):
                failures += 1
                print(f"{library}: the tree has no {facts['stem']}.so")
            elif "tier: sdk" not in Path(f"{folder}/out/{library}.yaml").read_text(encoding="utf-8"):
                failures += 1
                print(f"{library}.yaml was not written with tier sdk")
        for what, header, pattern, replacement, expected in FALSIFIED:
            copy = Path(folder) / "tree"
            shutil.copytree(tree, copy, symlinks=True)
            path = copy / "include" / header
            content, changed = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), count=1,
                                       flags=re.S)
            if changed != 1:
                sys.exit(f"{header} has nothing like {pattern!r}: adapt the test")
            path.write_text(content, encoding="utf-8")
            _, text = counts(generator, mappings, copy, f"{folder}/other")
            shutil.rmtree(copy)
            good = re.search(expected, text)
            print(f"{'ok  ' if good else 'FAIL'} falsified {what}: "
                  f"{good.group(0) if good else 'not found: ' + expected}")
            failures += not good
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
