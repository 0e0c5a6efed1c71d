#!/usr/bin/env python3
"""Only a documented success is success: goes over every status enumeration of MUSA and every library.

statuses.py TORCHADA_GEN MAPPINGS

MUSA's number for a status may become CUDA_SUCCESS, or any other number of CUDA's, only if a source of
tier doc or better gives it. Where the two sides number any status differently, all other numbers must
become the library's `failed`. The tiers are read here, not asked of torchada-gen.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

DOCUMENTED = {"hardware", "sdk", "nm", "code", "decl", "doc"}
# No public source numbers a status of MTRTC, not even success. All of that library is assumed, and its rows say so.
ASSUMED = {"mtrtcResult"}
CASE = re.compile(r"case (-?\d+):(?:\s*//.*)?\s*return (-?\d+|k\w+);")


def documented(mappings, backend, name):
    """Numbers of the status type that are documented in some SDK, and all that the table lists."""
    table = yaml.safe_load((mappings / "musa" / f"{backend}.yaml").read_text(encoding="utf-8"))
    known, listed = set(), set()
    for variant in table["types"][name]:
        for value in variant["values"].values():
            record = value if isinstance(value, dict) else {"value": value}
            if record["value"] == "unknown":
                continue
            listed.add(record["value"])
            if record.get("tier", variant["tier"]) in DOCUMENTED:
                known.add(record["value"])
    return known, listed


def conversions(text, musa):
    """(function, cases) of each conversion of this status type in emitted source."""
    for head, body in re.findall(r"inline int (\w+)\(int value\) \{\n(.*?)\n\}\n", text, flags=re.S):
        if head == "status_to_cuda" or re.fullmatch(rf"from_{musa}(_\d+)?", head):
            cases = {int(number): result for number, result in CASE.findall(body)}
            fast = re.search(r"value == 0, 1\)\) return (-?\d+);", body)
            if fast:
                cases[0] = fast.group(1)
            yield head, cases


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    generator, mappings = sys.argv[1], Path(sys.argv[2])
    failures, seen = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([generator, "emit", "--mappings", mappings, "--out", folder], check=True, timeout=300,
                       stdout=subprocess.DEVNULL)
        registry = yaml.safe_load((mappings / "libraries.yaml").read_text(encoding="utf-8"))
        for library, facts in registry["libraries"].items():
            forward = yaml.safe_load((mappings / "forward" / f"{library}.yaml").read_text(encoding="utf-8"))
            musa = forward["backend_status"]["type"]
            home = facts["backend"]
            if musa not in yaml.safe_load((mappings / "musa" / f"{home}.yaml").read_text("utf-8"))["types"]:
                home = next(name for name in registry["backends"] if musa in yaml.safe_load(
                    (mappings / "musa" / f"{name}.yaml").read_text("utf-8"))["types"])
            known, listed = documented(mappings, home, musa)
            complaints = []
            if musa in ASSUMED:
                if known:
                    complaints.append("some numbers are documented: it need not be assumed any more")
            may_convert = known | ({0} if musa in ASSUMED else set())
            if 0 not in may_convert:
                complaints.append("0, success, is not documented")
            for source in sorted(Path(folder).glob(f"{library}-*/*")):
                if source.suffix not in (".cpp", ".h"):
                    continue
                for head, cases in conversions(source.read_text(encoding="utf-8"), musa):
                    seen += 1
                    changes = any(str(number) != result for number, result in cases.items())
                    for number, result in sorted(cases.items()):
                        if result == "0" and number not in may_convert:
                            complaints.append(f"{source.parent.name}: {head}: {number} becomes success")
                        elif changes and number not in known:
                            complaints.append(f"{source.parent.name}: {head}: {number} becomes {result}")
                    if not changes and set(cases) - {0} == set() and len(listed) > 1 and known == listed:
                        complaints.append(f"{source.parent.name}: {head}: documented numbers are lost")
            for complaint in complaints:
                print(f"FAIL {library}: {musa}: {complaint}")
            failures += len(complaints)
            print(f"{library}: {musa}: {len(known)} of {len(listed)} numbers are documented")
    if seen < 6:
        print(f"FAIL only {seen} conversions found in the emitted source: adapt the test")
        failures += 1
    print(f"{seen} conversions, {failures} complaints")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
