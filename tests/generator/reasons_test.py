#!/usr/bin/env python3
"""What a reason says of CUDA's headers, and of the types that an adapter takes, follows from the tables.

reasons_test.py MAPPINGS
"""

import re
import sys
from pathlib import Path

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# A reason that says so is wrong if a header of any release declares the function.
NOT_DECLARED = re.compile(r"\bin no header\b|\bundocumented\b")
# A reason that speaks of complex types is wrong if the adapter calls functions of real numbers only.
COMPLEX = re.compile(r"\bcomplex\b")
OF_COMPLEX = re.compile(r"^cublas(?:I[cz]|[CZ]|[SD][cz])[a-z]")


def load(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)


def rows(forward):
    """(name, its decision, why)"""
    reasons = forward.get("reasons", {})
    for name, group in forward["rows"].items():
        for row in group if isinstance(group, list) else [group]:
            for kind in ("unsupported", "emulated", "recorded", "no_image"):
                if kind in row:
                    yield name, row, reasons.get(row[kind], row[kind])


def defects(library, forward, declared):
    for name, row, why in rows(forward):
        if NOT_DECLARED.search(why) and declared.get(name, {}).get("prototypes"):
            yield f"{library}: {name}: a header declares it, but its reason is '{why}'"
        if library == "cublas" and COMPLEX.search(why) and not any(map(OF_COMPLEX.match, row.get("calls", []))):
            yield f"{library}: {name}: calls no function of complex numbers, but its reason is '{why}'"


def main(mappings):
    wrong, planted, read = [], [], 0
    for path in sorted((mappings / "forward").glob("*.yaml")):
        if path.stem in ("types", "conditions"):
            continue
        forward = load(path)
        declared = load(mappings / "cuda" / path.name)["symbols"]
        read += sum(1 for _ in rows(forward))
        wrong += defects(path.stem, forward, declared)
        if path.stem == "cublas":
            forward["rows"]["cublasXtGemm"] = {"unsupported": "undocumented"}
            forward["rows"]["cublasRotmEx"] = dict(forward["rows"]["cublasRotmEx"], emulated="one-type")
            declared["cublasXtGemm"] = {"prototypes": [{}]}
            planted = list(defects("cublas", forward, declared))
    print("\n".join(wrong) or f"{read} rows with a reason")
    if len(planted) != len([line for line in wrong if line.startswith("cublas:")]) + 2:
        print(f"two planted defects were not found: {planted}")
        return 1
    return 1 if wrong or read < 500 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
