#!/usr/bin/env python3
"""The generated reference: complete, in agreement with the tables, the same twice.

reference.py TORCHADA_GEN MAPPINGS COUNTS GOLDEN DECISIONS EXCEPTIONS

GOLDEN has the exports of every library, DECISIONS what the recording tests read from the tables,
EXCEPTIONS the functions that programs use, that MUSA has by evidence, and that are not supported.
"""

import filecmp
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import yaml

MOST_USED = 400
# If several majors share a SONAME, counts.txt and DECISIONS have only the newest.
SONAMES = {}  # {library: {major: SONAME}}, from the registry.
FIELDS = {"library": str, "cuda": str, "majors": list, "decision": str, "standing": str, "targets": list, "note": str}
TARGET_FIELDS = {"musa": str, "link_name": str, "adapter": bool, "sdk_from": (str, type(None)),
                 "sdk_before": (str, type(None)), "tier": str}
EVIDENT = {"hardware", "sdk", "nm", "code", "decl", "doc"}
SERVED = {"supported", "assumed", "emulated", "-"}

failures = []


def expect(condition, complaint):
    if not condition:
        failures.append(complaint)


def read_sonames(registry):
    for name, library in yaml.safe_load(registry.read_text(encoding="utf-8"))["libraries"].items():
        SONAMES[name] = {major: soname for soname, majors in library["sonames"].items() for major in majors}


def table_rows(path):
    """The rows of every table of a Markdown file, as lists of cells, without headings."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("| ") or line.startswith("| symbol |"):
            continue
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def check_schema(document):
    expect(document["format"] == "torchada-name-map" and document["version"] == 1, "names.json: another format")
    for entry in document["names"]:
        expect({key: True for key in entry} == {key: True for key in FIELDS}, f"fields of {entry}")
        for key, kind in FIELDS.items():
            expect(isinstance(entry[key], kind), f"{entry['cuda']}: {key} is {entry[key]!r}")
        for target in entry["targets"]:
            expect(set(target) == set(TARGET_FIELDS), f"{entry['cuda']}: fields of {target}")
            for key, kind in TARGET_FIELDS.items():
                expect(isinstance(target[key], kind), f"{entry['cuda']}: {key} is {target[key]!r}")
        if entry["decision"] in ("direct", "adapted"):
            expect(entry["targets"], f"{entry['cuda']}: {entry['decision']}, but to nothing")
        if entry["standing"] != "supported":
            expect(entry["note"], f"{entry['cuda']}: {entry['standing']} without a reason")
    order = list(SONAMES)
    keys = [(order.index(entry["library"]), entry["cuda"], entry["majors"][0]) for entry in document["names"]]
    expect(keys == sorted(keys), "names.json is not sorted")


def check_exports(document, folder, golden):
    """Every export appears exactly once, in names.json and in the table of its library."""
    found = Counter((SONAMES[entry["library"]][major], major, entry["cuda"])
                    for entry in document["names"] for major in entry["majors"])
    for library in SONAMES:
        in_table = Counter()
        for row in table_rows(folder / f"{library}.md"):
            for major in row[1].split():
                in_table[SONAMES[library][int(major)], int(major), row[0].strip("`")] += 1
        expect(in_table == Counter({key: n for key, n in found.items() if key[0] in SONAMES[library].values()}),
               f"{library}.md and names.json differ")
    exports = 0
    for library, sonames in SONAMES.items():
        for major, soname in sonames.items():
            for line in (golden / f"{soname}.symbols").read_text(encoding="utf-8").splitlines():
                name = line.split()[1].split("@")[0]
                exports += 1
                expect(found.pop((soname, major, name), 0) == 1, f"{name} of {soname} at {major}: not once")
    expect(not found, f"what nobody exports: {sorted(found)[:5]}")
    return exports


def check_counts(document, counts):
    lines = counts.read_text(encoding="utf-8").splitlines()
    standings = lines[0].split()[2:]
    for line in lines[1:]:
        label, total, *numbers = line.split()
        if "@" in label:  # Counted for an older SDK.
            continue
        library, major = label.split("-")
        have = Counter(entry["standing"] for entry in document["names"]
                       if entry["library"] == library and int(major) in entry["majors"])
        expect(have == +Counter(dict(zip(standings, map(int, numbers)))), f"{label}: counts differ: {have}")
        expect(sum(have.values()) == int(total), f"{label}: {sum(have.values())} exports")


def check_decisions(document, decisions):
    by_name = {(entry["library"], major, entry["cuda"]): entry
               for entry in document["names"] for major in entry["majors"]}
    count = 0
    for line in decisions.read_text(encoding="utf-8").splitlines():
        label, name, decision, musa, *_ = line.split()
        library, major = label.split("-")
        entry = by_name[library, int(major), name]
        # The decisions are for one SDK; on others a row may lead elsewhere. "guarded" in the list
        # stands for any decision with a guard that reads the arguments first.
        expect(decision in (entry["decision"], "guarded")
               or {entry["decision"], decision} <= {"direct", "adapted", "emulated"},
               f"{name}: {entry['decision']} instead of {decision}")
        if musa != "-":
            expect(any(target["link_name"] == musa for target in entry["targets"]), f"{name}: {musa} is missing")
        count += 1
    return count


def check_clients(document, folder, mappings, exceptions):
    """A function that programs use and MUSA has by evidence is supported, or excepted with a
    reason."""
    ranking = [line.split(",") for line in (mappings / "clients.csv").read_text(encoding="utf-8").splitlines()[1:]]
    listed = [row for row in table_rows(folder / "clients.md") if row[0].isdigit()]
    expect([[row[2], row[1].strip("`"), row[3]] for row in listed] == ranking, "clients.md is not the ranking")
    excepted = {}
    for line in exceptions.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            key, reason = line.split(": ", 1)
            excepted[key] = reason
    decided = defaultdict(set)
    for entry in document["names"]:
        decided[entry["library"], entry["cuda"]].add(entry["decision"])
    used = set()
    not_supported = Counter()
    for row in listed:
        name, tier = row[1].strip("`"), row[8]
        if not row[7] or set(row[4:7]) <= SERVED:
            continue
        expect(tier in EVIDENT, f"{name}: tier {tier} is no evidence")
        keys = {name} | {f"decision {decision}" for decision in decided[row[2], name]}
        used |= keys & set(excepted)
        not_supported.update(keys & set(excepted))
        expect(keys & set(excepted), f"{name}: MUSA has {row[7]} by evidence, and it is not supported: {row[9]}")
    for key in sorted(set(excepted) - used):
        print(f"no longer needed in {exceptions.name}: {key}")
    expect(len(listed) - sum(not_supported.values()) > 500, "most of the ranking is excepted")

    assumed = {(entry["library"], entry["cuda"]) for entry in document["names"] if entry["standing"] == "assumed"}
    wanted = [name for library, name, _ in ranking[:MOST_USED] if (library, name) in assumed]
    text = (folder / "assumptions.md").read_text(encoding="utf-8")
    first, _, rest = text.partition("\n## lib")
    named = [
        row[1].strip("`") for row in ([cell.strip() for cell in line.split("|")[1:-1]] for line in first.splitlines())
        if row and row[0].isdigit()
    ]
    expect(sorted(set(named)) == sorted(wanted), "assumptions.md does not name the assumed ones of the most used")
    for row in (re.split(r"(?<!\\)\|", line)[1:-1] for line in first.splitlines() if re.match(r"\| \d", line)):
        rank, name, _, _, _, fact, settled = (cell.strip() for cell in row)
        expect(settled.startswith("no probe: ") or (fact and re.fullmatch(r"`[\w.]+`", settled)),
               f"assumptions.md, {rank}: {name} has the fact {fact}, and {settled} settles it")
    for _, name in assumed:
        expect(f"`{name}`" in rest, f"assumptions.md lacks {name}")
    return len(wanted)


def check_spoilt_rankings(generator, mappings, temporary):
    """A wrong line of clients.csv is reported with its place."""
    copy = Path(temporary) / "mappings"
    shutil.copytree(mappings, copy)
    lines = (mappings / "clients.csv").read_text(encoding="utf-8").splitlines()
    for what, spoilt, place in (("a column less", lines[:5] + ["cudart,cudaFree"], 6),
                                ("no number", lines[:5] + ["cudart,cudaFoo,many"], 6),
                                ("out of order", lines[:3] + ["cudart,cudaFoo,99"], 4),
                                ("twice", lines[:3] + [lines[2]], 4)):
        (copy / "clients.csv").write_text("\n".join(spoilt) + "\n", encoding="utf-8")
        result = subprocess.run([generator, "reference", "--mappings", copy, "--out", Path(temporary) / "spoilt"],
                                capture_output=True, text=True)
        expect(result.returncode == 2 and f"clients.csv:{place}: " in result.stderr,
               f"clients.csv with {what}: {result.returncode}, {result.stderr!r}")


def main():
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    generator = sys.argv[1]
    mappings, counts, golden, decisions, exceptions = map(Path, sys.argv[2:])
    read_sonames(mappings / "libraries.yaml")
    with tempfile.TemporaryDirectory() as temporary:
        folder, again = Path(temporary) / "one", Path(temporary) / "two"
        for out in (folder, again):
            subprocess.run([generator, "reference", "--mappings", mappings, "--out", out], check=True)
        names = sorted(path.name for path in folder.iterdir())
        same, *_ = filecmp.cmpfiles(folder, again, names, shallow=False)
        expect(sorted(same) == names, "two runs differ")
        check_spoilt_rankings(generator, mappings, temporary)
        document = json.loads((folder / "names.json").read_text(encoding="utf-8"))
        check_schema(document)
        exports = check_exports(document, folder, golden)
        check_counts(document, counts)
        checked = check_decisions(document, decisions)
        assumed = check_clients(document, folder, mappings, exceptions)
        expect(counts.read_text(encoding="utf-8") in (folder / "README.md").read_text(encoding="utf-8"),
               "README.md has other counts")
    print(f"{len(document['names'])} rows for {exports} exports, {checked} decisions, "
          f"{assumed} assumed among the {MOST_USED} most used")
    for complaint in failures[:30]:
        print(f"FAIL {complaint}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
