#!/usr/bin/env python3
"""The tables of packaging/doc/python-torchada.md say what is so: python_torchada_test.py [--write] REPOSITORY STAGE

python_torchada.yaml has the rows. How functions stand comes from the tables in STAGE, what was tried from the results
of the clients. --write corrects the page.
"""
import json
import re
import sys
from collections import Counter
from pathlib import Path

import yaml

HEADINGS = {
    "features": ("feature of the package", "without the package, this project", "functions here", "tried here"),
    "ctypes": ("case", "the package, on", "this project, on", "functions here", "tried with both in one process"),
}
FIELDS = {"features": ("feature", "here"), "ctypes": ("case", "package", "here")}


def standings(stage):
    """{function: standing}; of libraries that do not agree, the worst."""
    worst, found = ("supported", "assumed", "emulated", "unsupported"), {}
    for library in json.loads((stage / "../generated/tables.json").read_text(encoding="utf-8"))["libraries"]:
        for symbol in library["symbols"]:
            earlier = found.get(symbol["name"], "supported")
            found[symbol["name"]] = max(earlier, symbol["standing"], key=worst.index)
    return found


def functions_cell(names, known):
    counts = Counter(known.get(name, "not in CUDA's library") for name in names)
    return ", ".join(f"{number} {standing}" for standing, number in sorted(counts.items(), key=lambda each: -each[1]))


def steps_cell(steps, root):
    parts = []
    for client, names in steps.items():
        path = root / f"tests/clients/results/{client}.json"
        if not path.exists():
            raise ValueError(f"{client} has no results: correct python_torchada.yaml")
        recorded = json.loads(path.read_text(encoding="utf-8"))["steps"]
        missing = [name for name in names if name not in recorded]
        if missing:
            raise ValueError(f"{client} has no step {', '.join(missing)}: correct python_torchada.yaml")
        said = []
        for good, word in ((True, "work"), (False, "fail")):
            chosen = [f"`{name}`" for name in names if (recorded[name]["outcome"] == "ok") == good]
            if chosen:
                said.append(f"{', '.join(chosen)} {word}{'s' if len(chosen) == 1 else ''}")
        parts.append(f"{client}: {'; '.join(said)}")
    return "; ".join(parts)


def table(kind, rows, known, root):
    lines = ["| " + " | ".join(HEADINGS[kind]) + " |", "|" + "---|" * len(HEADINGS[kind])]
    for row in rows:
        cells = [row[field] for field in FIELDS[kind]]
        cells += [functions_cell(row.get("functions", ()), known), steps_cell(row.get("steps", {}), root)]
        lines.append("| " + " | ".join(cells).replace("  ", " ") + " |")
    return "\n".join(lines) + "\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    root, stage = map(Path, arguments)
    rows = yaml.safe_load((Path(__file__).parent / "python_torchada.yaml").read_text(encoding="utf-8"))
    page, known, findings = root / "packaging/doc/python-torchada.md", standings(stage), []
    text = page.read_text(encoding="utf-8")
    pinned = (root / "tests/clients/programs/torchada-python/requirements.txt").read_text(encoding="utf-8")
    if f"torchada=={rows['version']} " not in pinned or f"version {rows['version']}" not in text:
        findings.append(f"the page, python_torchada.yaml ({rows['version']}) and the client name different versions")
    wanted = text
    for kind in HEADINGS:
        marked = re.compile(rf"(?<=<!-- {kind} -->\n).*?(?=<!-- end of {kind} -->\n)", re.DOTALL)
        if not marked.search(text):
            findings.append(f"{page}: expected the lines '<!-- {kind} -->' and '<!-- end of {kind} -->'")
        made = table(kind, rows[kind], known, root)
        wanted = marked.sub(lambda _: made, wanted)  # pylint: disable=cell-var-from-loop
    if "--write" in sys.argv:
        page.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        findings.append(f"{page}: a table differs from what is so; run this with --write")
    print("\n".join(findings) or f"{sum(len(rows[kind]) for kind in HEADINGS)} rows")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
