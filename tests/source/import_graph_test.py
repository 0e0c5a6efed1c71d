"""Includes point one way, and each names its file from the root: import_graph_test.py SOURCE

A room may include files of the rooms that ALLOWED gives it, and its own. Generated headers, those
of the CPU stand-in's SDK and those of the architecture are found through the include path, because
a build chooses among several. Programs written like a user's are exempt.
"""
import collections
import os
import re
import subprocess
import sys

# What each room may include. A file belongs to the longest room that its path starts with.
ALLOWED = {
    "generator/tables": {"src/shared"},
    "generator/decide": {"generator/tables", "src/shared"},
    "generator/emit": {"generator/tables", "generator/decide", "src/shared"},
    "generator/report": {"generator/tables", "generator/decide", "generator/emit", "src/shared"},
    "generator/extract": {"generator/tables", "src/inspect", "src/shared"},
    "generator": {"generator/tables", "generator/decide", "generator/emit", "generator/report",
                  "generator/extract", "src/shared"},
    # What every replacement library contains, from the loader and the C library up to what adapters
    # share; then what several libraries contain, and each library's own folder.
    "stubs/system": {"stubs", "src/shared"},
    "stubs/process": {"stubs", "stubs/system", "src/shared"},
    "stubs/reporting": {"stubs", "stubs/system", "stubs/process", "src/shared"},
    "stubs/loading": {"stubs", "stubs/system", "stubs/process", "stubs/reporting", "src/shared"},
    "stubs/resolving": {"stubs", "stubs/system", "stubs/process", "stubs/reporting", "stubs/loading", "src/shared"},
    "stubs/adapting": {"stubs", "stubs/system", "stubs/process", "stubs/reporting", "stubs/resolving", "src/shared"},
    "stubs/kernels": {"stubs", "stubs/system", "stubs/process", "stubs/reporting", "src/shared"},
    "stubs": {"stubs/system", "stubs/process", "stubs/reporting", "stubs/loading", "stubs/resolving",
              "stubs/adapting", "stubs/kernels", "src/shared"},
    "src/shared": set(),
    "src/inspect": set(),
    "src/audit": {"src/shared"},
    "src/launcher": {"src/shared"},
    "src/api": {"src/shared", "stubs/system", "stubs/process"},
    "src/companion": {"src/shared"},
    # What recipes keep is kept as the compiler keeps its objects.
    "src/command": {"src/shared", "src/inspect", "src/host"},
    # What device code is called is the same for those who make images and for those who ask for it.
    "src/host/kernels": {"src/host", "src/shared"},
    "src/host": {"src/host/kernels"},
}
SDK = ("src/host/include/", "src/host/mtml/include/", "src/host/mtrtc/include/")
# Headers for sources of users, too.
DEVICE_CODE = "src/host/kernels/include/"
ARCHITECTURE = "stubs/arch/"
USERS_PROGRAMS = ("tests/programs/", "tests/packages/", "tests/loader/fixtures/",
                  "tests/generator/extract/fixtures/", "packaging/")
# Headers that the build writes, by name: from the generator's files that write them.
GENERATED = re.compile(
    r"^(facts\.h|entry_points\.inc|functions\.inc|calls\.inc|cudart\.inc|cudart_targets\.inc|backend\.inc"
    r"|recorded_names\.h|cuda\d+\.h|declarations/cuda\d+\.h|adapters\.cpp|generated/.*)$")


def room_of(path):
    found = [room for room in ALLOWED if path.startswith(room + "/")]
    return max(found, key=len) if found else None


def library_of(path):
    """The library that a folder of stubs/ is about, or None for what all or several libraries contain."""
    if not path.startswith("stubs/") or path.startswith(ARCHITECTURE) or room_of(path) != "stubs":
        return None
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else None


def included(text):
    return [(number, found.group(1))
            for number, line in enumerate(text.split("\n"), 1)
            if (found := re.match(r'\s*#\s*include "([^"]+)"', line))]


def defects_of(path, text, files):
    """Lines about what `path` may not include. `files` are the paths of all sources."""
    headers_of_sdk = {name[len(root):]
                      for name in files for root in SDK if name.startswith(root)}
    headers_of_architecture = {os.path.basename(name) for name in files if name.startswith(ARCHITECTURE)}
    for number, name in included(text):
        where = f"{path}:{number}: {name}"
        if name not in files:
            if GENERATED.match(name) or name in headers_of_sdk or name in headers_of_architecture:
                continue
            if path.startswith((*SDK, DEVICE_CODE)):  # They include each other as an installed SDK does.
                continue
            yield f"{where} is not a path from the root of the repository"
            continue
        source, target = room_of(path), room_of(name)
        if source and target != source and target not in ALLOWED[source]:
            yield f"{where}: {source} may include {', '.join(sorted(ALLOWED[source])) or 'only itself'}"
        elif library_of(name) and library_of(name) != library_of(path) and source:
            yield f"{where}: the folder of a library serves that library alone"


def circles_of(includes):
    """Files that include one another, with those between them. `includes`: of each file, those that it includes.

    A header and the source of the same name count as one."""
    graph = collections.defaultdict(set)
    for path, names in includes.items():
        unit = os.path.splitext(path)[0]
        graph[unit] |= {os.path.splitext(name)[0] for name in names} - {unit}
    while True:  # What leads nowhere, and what nothing leads to, is in no circle.
        reached = set().union(*graph.values())
        ends = [unit for unit in graph if unit not in reached or not graph[unit] & graph.keys()]
        if not ends:
            return sorted(graph)
        for unit in ends:
            del graph[unit]


def check_itself():
    assert not circles_of({"a.h": ["b.h"], "a.cpp": ["a.h"], "b.cpp": ["b.h"], "c.cpp": ["a.h", "b.h"]})
    assert circles_of({"a.h": ["b.h"], "b.cpp": ["a.h"], "c.cpp": ["a.h"]}) == ["a", "b"]
    files = {"stubs/table.h", "stubs/resolving/plan.h", "stubs/nccl/config.h", "generator/emit/emit.h",
             "src/command/tables.h", "generator/tables/model.h",
             "src/host/include/musa.h", "stubs/arch/x86_64/trampoline.h"}
    cases = {
        ("stubs/table.h", "src/command/tables.h"): 1,
        ("stubs/resolving/resolver.cpp", "stubs/nccl/config.h"): 1,
        ("stubs/nccl/split.cpp", "stubs/nccl/config.h"): 0,
        ("stubs/cudart/a.cpp", "stubs/nccl/config.h"): 1,
        ("generator/tables/model.cpp", "generator/emit/emit.h"): 1,
        ("generator/emit/emit.cpp", "generator/tables/model.h"): 0,
        ("generator/tables/model.cpp", "model.h"): 1,
        ("stubs/resolving/a.cpp", "stubs/table.h"): 0,
        ("stubs/nccl/a.cpp", "stubs/resolving/plan.h"): 0,
        ("stubs/system/a.cpp", "stubs/resolving/plan.h"): 1,
        ("stubs/a.S", "trampoline.h"): 0,
        ("src/host/musart/a.cpp", "musa.h"): 0,
        ("src/host/musart/a.cpp", "generator/tables/model.h"): 1,
        ("src/command/a.cpp", "stubs/table.h"): 1,
    }
    for (path, name), expected in cases.items():
        found = list(defects_of(path, f'#include "{name}"\n', files))
        assert len(found) == expected, (path, name, found)


def main():
    check_itself()
    source = sys.argv[1]
    listed = subprocess.run(["git", "-C", source, "ls-files"], stdout=subprocess.PIPE, text=True, check=True)
    files = {path for path in listed.stdout.split("\n") if re.search(r"\.(h|c|cpp|S|inc)$", path)}
    defects = []
    counts = collections.Counter()
    includes = {}
    for path in sorted(files):
        if path.startswith(USERS_PROGRAMS) or not os.path.exists(os.path.join(source, path)):
            continue
        with open(os.path.join(source, path), encoding="utf-8") as file:
            text = file.read()
        counts[room_of(path)] += len(included(text))
        defects += defects_of(path, text, files)
        if room_of(path):
            includes[path] = [name for _, name in included(text) if name in files]
    if circles := circles_of(includes):
        defects.append("these include one another: " + ", ".join(circles))
    print("\n".join(defects))
    for room in ALLOWED:
        assert counts[room] or room == "src/inspect", f"no include was found in {room}"
    print(f"{sum(counts.values())} includes, {len(defects)} against the rules")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
