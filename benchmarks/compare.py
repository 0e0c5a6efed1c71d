"""Two builds in turns: the programs of run.py that both have, and how their numbers differ.

A machine that is busy makes all programs slower for a while, so the two builds take turns, and each turn gives one
ratio. The interval of their median says nothing about how the ratios are distributed.
"""
import math
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

# What a program of run.py needs to be built. Those that are not here cannot be compared.
TARGETS = {
    "calls": ["torchada_benchmarks"],
    "adapted": ["torchada_adapted_benchmarks"],
    "traced": ["torchada_traced_benchmarks", "torchada_companion"],
    "instructions": ["benchmark_instructions", "torchada_layout"],
    "registration": ["benchmark_registration", "torchada_layout", "src/host/all"],
    "stand-in": ["torchada_host_benchmarks"],
    "short-calls": ["torchada_short_calls"],
    "device-code": ["benchmarks/host/all", "torchada_layout", "src/host/all"],
    "collectives": ["torchada_collective_benchmarks"],
}
# Counts are the same each time.
COUNTED = {"instructions"}
CONFIDENCE = 0.95
KEPT_SETTINGS = ["CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "TORCHADA_BUILD_HOST"]


def interval(ratios):
    """(median, low, high): the narrowest order statistics that hold the median with CONFIDENCE, or all of them."""
    ratios = sorted(ratios)
    count = len(ratios)
    low = 0
    # The chance that fewer than k of the ratios are below the true median.
    while low < (count - 1) // 2:
        outside = 2 * sum(math.comb(count, k) for k in range(low + 2)) / 2**count
        if outside > 1 - CONFIDENCE:
            break
        low += 1
    return statistics.median(ratios), ratios[low], ratios[count - 1 - low]


def key_of(row):
    # The number of functions is part of some names and differs between revisions.
    return row["program"], re.sub(r"\b\d+ (functions|direct)\b", r"\1", row["name"]), row["quantity"], row["unit"]


def compared(turns):
    """Rows that both builds have. `turns`: pairs of lists of results, the other build's and this one's."""
    values = {}
    for other, this in turns:
        others = {key_of(row): row["median"] for row in other}
        for row in this:
            key = key_of(row)
            if others.get(key) and row["median"]:
                values.setdefault(key, []).append((others[key], row["median"]))
    rows = []
    for (program, name, quantity, unit), pairs in values.items():
        ratio, low, high = interval([this / other for other, this in pairs])
        rows.append({
            "program": program, "name": name, "quantity": quantity, "unit": unit, "turns": len(pairs),
            "other": statistics.median(other for other, _ in pairs),
            "this": statistics.median(this for _, this in pairs), "ratio": ratio, "low": low, "high": high
        })
    return rows


def differs(row):
    return row["low"] > 1 or row["high"] < 1


def run_quietly(command, what):
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ended.returncode:
        sys.exit(f"run.py: {what} failed: {' '.join(map(str, command))}\n{ended.stdout[-4000:]}")


def source_of(build):
    found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(encoding="utf-8"),
                      re.MULTILINE)
    return Path(found.group(1))


def build_targets(build, programs):
    targets = sorted({target for name in programs for target in TARGETS[name]})
    # First, because some revisions do not say that their benchmarks need it.
    for some in (["torchada_emitted"], targets):
        run_quietly(["ninja", "-C", build, *some], f"building {build}")


def build_revision(source, build, revision, programs):
    """Builds `revision` of `source` as `build` is built, below it, and returns the build folder."""
    commit = subprocess.run(["git", "-C", source, "rev-parse", "--verify", f"{revision}^{{commit}}"],
                            stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    if not commit:
        sys.exit(f"run.py: {source} has no revision {revision}")
    place = build / "compare" / commit[:12]
    if not (place / "source").exists():
        (place / "new").mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "-C", source, "archive", commit], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", place / "new"], input=archive, check=True)
        os.rename(place / "new", place / "source")
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    settings = [f"-D{name}={value}" for name in KEPT_SETTINGS
                for value in re.findall(rf"^{name}:[A-Z]+=(.+)$", cache, re.MULTILINE)]
    run_quietly(["cmake", "-S", place / "source", "-B", place / "build", "-G", "Ninja", *settings],
                f"configuring {commit[:12]}")
    build_targets(place / "build", programs)
    return place / "build"


def in_turns(builds, programs, turns, measure):
    """Pairs of results. `measure(program, build)` returns the results of one run."""
    pairs = [([], []) for _ in range(turns)]
    for number, pair in enumerate(pairs):
        for program in programs:
            if number and program in COUNTED:
                continue
            # The second of two runs may find warmer caches, so they change places.
            for which in ((0, 1), (1, 0))[number % 2]:
                pair[which].extend(measure(program, builds[which]))
    return pairs


def write_table(rows, names, out):
    print(f"{names[1]} against {names[0]}, in turns. ratio: {names[1]} to {names[0]}, with the interval that holds the "
          f"median at {CONFIDENCE:.0%}; * where it does not hold 1", file=out)
    width = max(len(row["name"]) for row in rows) + 2
    wide = max(len(row["quantity"]) + len(row["unit"]) for row in rows) + 4
    program = None
    for row in rows:
        if row["program"] != program:
            program = row["program"]
            print(f"\n{program}", file=out)
        what = row["quantity"] + ("" if row["unit"] == "ratio" else f", {row['unit']}")
        print(f"  {row['name']:<{width}}{what:<{wide}}{row['other']:>10.4g} ->{row['this']:>10.4g}   "
              f"{row['ratio']:.3f} ({row['low']:.3f}-{row['high']:.3f}){' *' if differs(row) else ''}", file=out)
