#!/usr/bin/env python3
"""The page of coverage shows the counts that the tables yield: documented_counts.py [--write] COUNTS PAGE

PAGE contains the whole table, and a row for each library with the counts of one CUDA major: exported functions,
functions that are served, and how many of these are only assumed. With --write, corrects the page.
"""
import re
import sys
from pathlib import Path

MAJORS = ("12", "13")  # The default major; what has no library of its own for it is counted under the last one.
ROW = re.compile(r"^\|[^|]*\|[^|]*`lib([\w-]+)\.so[^|]*\| *(\d+) *\| *(\d+) *\| *(\d+) *\|$", re.MULTILINE)
TABLE = re.compile(r"(?<=^```text\n)library .*?(?=^```$)", re.MULTILINE | re.DOTALL)

# The page names a library by its file, the counts by its table.
TABLES = {"nvidia-ml": "nvml"}


def read(path):
    return Path(path).read_text(encoding="utf-8")


def expected(counts):
    """{library: (exports, served, assumed)}"""
    lines = [line.split() for line in counts.splitlines()]
    table = {line[0]: dict(zip(lines[0][1:], map(int, line[1:]))) for line in lines[1:]}
    found = {}
    for name in sorted({key.rpartition("-")[0] for key in table}):
        row = next(table[f"{name}-{major}"] for major in MAJORS if f"{name}-{major}" in table)
        found[name] = (row["exports"], row["supported"] + row["assumed"] + row["emulated"], row["assumed"])
    return found


def findings(counts, page):
    text = read(page)
    if counts not in text:
        yield f"{page}: expected the table of tests/generator/counts.txt"
    shown = {TABLES.get(name, name): tuple(map(int, numbers)) for name, *numbers in ROW.findall(text)}
    for name, numbers in expected(counts).items():
        if shown.get(name) != numbers:
            yield f"{page}: lib{name}: {shown.get(name)}, expected {numbers}"
    yield from (f"{page}: lib{name} is not in the counts" for name in shown.keys() - expected(counts).keys())


def corrected_row(row, numbers):
    """The row with its three last cells replaced, each as wide as it was."""
    cells = row[0].split("|")
    cells[-4:-1] = [f" {number:>{len(cell) - 2}} " for number, cell in zip(numbers, cells[-4:-1])]
    return "|".join(cells)


def write(counts, page):
    text = TABLE.sub(lambda _: counts, read(page))
    text = ROW.sub(lambda row: corrected_row(row, expected(counts)[TABLES.get(row[1], row[1])]), text)
    Path(page).write_text(text, encoding="utf-8")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    counts, page = arguments
    if "--write" in sys.argv:
        write(read(counts), page)
    found = list(findings(read(counts), page))
    print("\n".join(found) if found else f"{page}: {len(expected(read(counts)))} libraries")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
