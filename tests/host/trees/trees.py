#!/usr/bin/env python3
"""The staged trees of the CPU stand-in against the tables: what each library is called, needs, and exports.

trees.py STAGE MAPPINGS SOURCES

The lists in SOURCES (src/host) and the tables were written apart from each other; here they meet. A tree exports a name
only if its SDK has it with tier cbid or better ("assumed" exports more); what it leaves out stands in exports.list
under "left out".
"""

import re
import subprocess
import sys
from pathlib import Path

import yaml

TIERS = ["absent", "comment", "map", "cbid", "driver", "doc", "decl", "code", "nm", "sdk", "hardware"]
SDKS = {"3.1": (3, 1, 0), "4.3": (4, 3, 5), "5.1": (5, 1, 0), "5.2": (5, 2, 0)}
# SONAMEs by SDK, as seen in public. They repeat those of trees.cmake, so that a mistake
# there shows.
SONAMES = {
    "3.1": {
        "musart": "libmusart.so.1.0", "mccl": "libmccl.so.2", "mublas": "libmublas.so", "murand": "libmurand.so",
        "mufft": "libmufft.so"
    },
    "4.3": {
        "musart": "libmusart.so.4", "mccl": "libmccl.so.2", "mublas": "libmublas.so.1", "mublasLt": "libmublasLt.so.1",
        "murand": "libmurand.so.1", "mufft": "libmufft.so.1"
    },
    "5.1": {
        "musart": "libmusart.so.5", "mccl": "libmccl.so.2", "mublas": "libmublas.so.1", "mublasLt": "libmublasLt.so.1",
        "murand": "libmurand.so.1", "mufft": "libmufft.so.1"
    },
}
SONAMES["5.2"] = SONAMES["5.1"] | {"mtrtc": "libmtrtc.so.5"}
SONAMES["assumed"] = SONAMES["5.2"]
# That the files of these have these SONAMEs is assumed in trees.cmake, so what they export may be, too.
ASSUMED_LIBRARIES = {"5.2": ["mtrtc"]}
# The driver's libraries lie beside the trees. Each tree has a link stub of libmusa in lib/stubs.
DRIVER = {
    "3.1": {"musa": "libmusa.so.1.0", "mtml": "libmtml.so.2"},
    "4.3": {"musa": "libmusa.so.1", "mtml": "libmtml.so.2"},
    "5.1": {"musa": "libmusa.so.1", "mtml": "libmtml.so.2"},
    "5.2": {"musa": "libmusa.so.1", "mtml": "libmtml.so.2"},
}
DRIVER["assumed"] = DRIVER["5.2"]
PRIVATE = "MUSA_STAND_IN"  # the version node of what libmusart asks of libmusa
SYSTEM = re.compile(r"^(libc|libm|libdl|librt|libpthread|ld-linux-x86-64)\.so\.\d+$")

failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)


def dynamic(path):
    entries = {"SONAME": [], "NEEDED": []}
    for line in subprocess.run(["readelf", "-dW", path], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        match = re.search(r"\((SONAME|NEEDED)\).*\[(.*)\]", line)
        if match:
            entries[match[1]].append(match[2])
    return entries


def exports(path):
    lines = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    names = {line.split()[-1] for line in lines}
    private = {name for name in names if name.partition("@")[2].lstrip("@") == PRIVATE or name == PRIVATE}
    for name in private:
        expect(name == PRIVATE or name.startswith("_ZN4musa"), f"{path}: {name} is not private")
    return {name.split("@")[0] for name in names - private}


def in_range(symbol, sdk):
    for operator, major, minor in re.findall(r"(>=|<)(\d+)\.(\d+)", str(symbol.get("sdk", ""))):
        border = (int(major), int(minor), 0)
        if (operator == ">=" and sdk < border) or (operator == "<" and sdk >= border):
            return False
    return True


def left_out(path):
    """The names after "# left out:". Each line has one reason: "# left out: name name ...: reason".
    """
    names = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("# left out:"):
            continue
        listed, _, reason = line[len("# left out:"):].partition(":")
        expect(reason.strip(), f"{path}:{number}: no reason")
        names.update(listed.split())
    return names


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    stage, mappings, sources = map(Path, sys.argv[1:])
    compared = 0
    for tree, sonames in SONAMES.items():
        lib = stage / "host" / tree / "lib"
        present = {path.name.split(".so")[0][3:] for path in lib.iterdir() if path.name != "stubs"}
        expect(present == set(sonames), f"{tree}: libraries {sorted(present)}, expected {sorted(sonames)}")
        driver = stage / "host" / "driver" / tree
        present = {path.name.split(".so")[0][3:] for path in driver.glob("lib*")}
        expect(present == set(DRIVER[tree]), f"{tree}: driver {sorted(present)}, expected {sorted(DRIVER[tree])}")
        expect((driver / "mthreads-gmi").exists(), f"{tree}: no mthreads-gmi")
        stub = lib / "stubs/libmusa.so"
        expect(dynamic(stub)["SONAME"] == [DRIVER[tree]["musa"]], f"{tree}: {stub} has another SONAME than the driver")
        expect(exports(stub) == exports(driver / "libmusa.so"), f"{tree}: {stub} has other names")
        for library, soname in (DRIVER[tree] | sonames).items():
            lib = driver if library in DRIVER[tree] else stage / "host" / tree / "lib"
            path = lib / f"lib{library}.so"
            if not path.exists():
                continue
            facts = dynamic(path)
            expect(facts["SONAME"] == [soname], f"{tree}/{library}: SONAME {facts['SONAME']}, expected {soname}")
            expect((lib / soname).exists(), f"{tree}: no file {soname}")
            below = [DRIVER[tree]["musa"] if library == "musart" else sonames["musart"]]
            below = [] if library in DRIVER[tree] or library == "mtrtc" else below
            others = [needed for needed in facts["NEEDED"] if not SYSTEM.match(needed)]
            expect(others == below, f"{tree}/{library}: needs {others}, expected {below}")
            if library in DRIVER[tree] and not (mappings / "musa" / f"{library}.yaml").exists():
                continue

            table = yaml.safe_load((mappings / "musa" / f"{library}.yaml").read_text(encoding="utf-8"))["symbols"]
            table = {symbol.get("link_name", name): (name, symbol) for name, symbol in table.items()}
            names = exports(path)
            compared += len(names)
            omitted = left_out(sources / library / "exports.list")
            for name in sorted(names):
                if name not in table:
                    expect(False, f"{tree}/{library}: exports {name}, which no table has")
                elif tree != "assumed":
                    symbol = table[name][1]
                    least = "map" if library in ASSUMED_LIBRARIES.get(tree, ()) else "cbid"
                    expect(TIERS.index(symbol["tier"]) >= TIERS.index(least) and in_range(symbol, SDKS[tree]),
                           f"{tree}/{library}: exports {name}: tier {symbol['tier']}, SDK {symbol.get('sdk', 'any')}")
            for name, (plain, symbol) in sorted(table.items()):
                evident = TIERS.index(symbol["tier"]) >= TIERS.index("cbid") and \
                    in_range(symbol, SDKS.get(tree, SDKS["5.2"]))
                if evident and name not in names:
                    expect(plain in omitted, f"{tree}/{library}: {name} is missing and not listed as left out")
                if name in names:
                    expect(plain not in omitted, f"{tree}/{library}: {name} is exported, but listed as left out")
        expect((stage / "host" / tree / "include/internal/sdk.h").exists(), f"{tree}: no headers")
    print("\n".join(failures))
    print(f"{compared} exports compared, {len(failures)} contradictions")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
