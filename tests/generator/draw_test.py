#!/usr/bin/env python3
"""packaging/draw_facts.py draws the same facts for the same seed, in equal parts, and prints each at its place.

draw_test.py ROOT
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(sys.argv[1])
PLACE = re.compile(r"^(mappings/\S+):(\d+): \[(\w+)\] (.*)$")


def draw(seed, count):
    return subprocess.run([sys.executable, "-B", ROOT / "packaging/draw_facts.py", f"--seed={seed}",
                           f"--count={count}"], capture_output=True, text=True, check=True).stdout


def main():
    wrong = []
    first = draw(7, 100)
    if first != draw(7, 100):
        wrong.append("the same seed draws other facts")
    if first == draw(8, 100):
        wrong.append("another seed draws the same facts")

    parts, facts, library = Counter(), [], ""
    for line in first.splitlines():
        heading = re.fullmatch(r"(\w+): \d+ of \d+", line)
        library = heading.group(1) if heading else library
        found = PLACE.match(line)
        if found:
            parts[library] += 1
            facts.append(found.groups())
    if sum(parts.values()) != 100 or max(parts.values()) - min(parts.values()) > 1:
        wrong.append(f"expected 100 facts in equal parts, found {dict(parts)}")
    if len(set(facts)) != len(facts):
        wrong.append("a fact is drawn twice")
    for tier in {"map", "unknown"} & {tier for _, _, tier, _ in facts}:
        wrong.append(f"a fact of tier {tier} is drawn, which claims nothing")

    for file, number, _, says in facts:
        kind, name = says.split()[:2]
        name = re.search(r"\[(\w+)", says).group(1) if kind == "field" else name.split(".")[-1].rstrip(":,")
        # A prototype and an entry of a type stand below their name, and so may one row of several; others are on the
        # line of theirs.
        above = {"field": 2, "value": 2, "row": 4, "symbol": 2}.get(kind, 200)
        lines = (ROOT / file).read_text().splitlines()[:int(number)]
        if not any(name in line for line in lines[-above:]):
            wrong.append(f"{file}:{number}: nothing there names {name}")
    # Ranges and sizes are drawn as values are, with the reason where no source shows them.
    every = draw(7, 100000)
    for says in (r"range musaMallocAsync \(symbol\): >=5\.1\n  border 5\.1: ",
                 r"range musaStreamGetCaptureInfo \(prototype\): >=5\.0\n  border 5\.0: ",
                 r"range musaDeviceProp \(type\): <4\.3\n  border 4\.3: ",
                 r"size musaDeviceProp \(<4\.3\) = 728 bytes\n",
                 r"range musaMemoryType\.musaMemoryTypeHost \(value\): every SDK\n  assumed: ",
                 r"range musaHostAllocDefault \(constant\): every SDK\n  assumed: ",
                 r"range libmusart\.so\.1\.0 \(name to open\): <4\.0\n  source: .* @ \w{12}, SDK 3\.1\n"):
        if not re.search(r"^mappings/\S+:\d+: \[\w+\] " + says, every, re.M):
            wrong.append(f"nothing that is drawn matches '{says}'")
    unlisted = [line for line in first.splitlines() if line.endswith("@ ?")]
    if unlisted:
        wrong.append(f"sources that mappings/musa/sources.yaml does not list: {unlisted}")
    print("\n".join(wrong) or f"{len(facts)} facts: {dict(parts)}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
