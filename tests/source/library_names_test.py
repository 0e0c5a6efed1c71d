"""Libraries are named where they are the subject, and listed only in mappings/libraries.yaml.

library_names_test.py SOURCE [LISTED]

In the generator, the common rooms of stubs/, src/, packaging/, benchmarks/ and CMake, no file names a library
of the registry, except those in LISTED (default: library_names.txt beside this file), each with the
reason. The runtime may be named, on either side: it is a role, opened first and asked first. Tests
and the CPU stand-in may name libraries, because a test is about one; but no line of them may list
them (three or more), except in the files that LISTED gives.
"""
import os
import re
import subprocess
import sys

import yaml

from import_graph_test import library_of

# About libraries, beside the folders of single libraries: the tables, what people read.
ABOUT = re.compile(r"^(mappings/|src/command/verify/probes/blas"
                   r"|(?!(.*/)?CMakeLists\.txt$).*\.(md|svg|txt|csv|json|html)$)")
STRICT = re.compile(r"^(generator/|stubs/|src/(?!host/)|packaging/|benchmarks/|CMakeLists\.txt|.*\.cmake$)")
SOURCES = re.compile(r"(\.(cpp|h|c|S|py|sh|cmake|yaml|js|in|install|postinst|prerm)|CMakeLists\.txt|/rules)$")


PLATFORMS = ("cuda", "musa")


def names_in(registry):
    """{word: library}: each library's name and the stem of its file, but not the runtime's. The
    drivers are named as their platforms, so only the stem tells them."""
    out = {}
    runtime, = [name for name, facts in registry["backends"].items() if facts.get("runtime")]
    for section in ("libraries", "backends"):
        for name, facts in registry[section].items():
            if runtime not in (name, facts.get("backend")):
                out[facts["stem"]] = name
                if name not in PLATFORMS:
                    out[name] = name
    return out


def without_comments(path, line):
    if path.endswith((".cpp", ".h", ".c", ".S", ".js")):
        return re.sub(r"//.*|^\s*\*.*|/\*.*", "", line)
    return re.sub(r"(^|\s)#.*", "", line)


def defects_of(path, text, words):
    """[(line number, names)] that break the rule for this path."""
    if ABOUT.match(path) or library_of(path) or not SOURCES.search(path):
        return []
    pattern = re.compile(r"(?<![A-Za-z0-9_])(" + "|".join(sorted(words, key=len, reverse=True)) + r")(?![A-Za-z0-9_])")
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        found = {words[name] for name in pattern.findall(without_comments(path, line))}
        if found and (STRICT.match(path) or len(found) >= 3):
            out.append((number, sorted(found)))
    return out


def read_listed(path):
    """{path: reason}"""
    out = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, reason = line.strip().partition(": ")
                assert reason, f"{path}: '{line.strip()}': expected PATH: REASON"
                out[name] = reason
    return out


def check_itself():
    words = names_in({"libraries": {"cudart": {"stem": "libcudart", "backend": "musart"},
                                    "curand": {"stem": "libcurand", "backend": "murand"},
                                    "nccl": {"stem": "libnccl", "backend": "mccl"}},
                      "backends": {"musart": {"stem": "libmusart", "runtime": True},
                                   "murand": {"stem": "libmurand"}}})
    assert sorted(words) == ["curand", "libcurand", "libmurand", "libnccl", "murand", "nccl"]
    assert defects_of("generator/a.cpp", 'x = "libcurand.so";', words) == [(1, ["curand"])]
    assert not defects_of("generator/a.cpp", "// libcurand\nint curand_count;", words)
    assert defects_of("stubs/CMakeLists.txt", 'if(LIBRARY MATCHES "^(cudart|nccl)$")', words) == [(1, ["nccl"])]
    assert not defects_of("stubs/curand/a.cpp", '"libcurand"', words)
    assert not defects_of("tests/a.py", '("curand", "nccl")', words)
    assert defects_of("tests/a.py", '("curand", "nccl", "murand")', words)
    assert not defects_of("README.md", "curand nccl murand", words)


def main():
    check_itself()
    source = sys.argv[1]
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "library_names.txt")
    listed = read_listed(sys.argv[2] if len(sys.argv) > 2 else beside)
    with open(os.path.join(source, "mappings/libraries.yaml"), encoding="utf-8") as file:
        words = names_in(yaml.safe_load(file))
    paths = subprocess.run(["git", "-C", source, "ls-files"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split("\n")
    failures = 0
    unused = set(listed)
    for path in paths:
        full = os.path.join(source, path)
        if not os.path.isfile(full):
            continue
        with open(full, encoding="utf-8", errors="replace") as file:
            defects = defects_of(path, file.read(), words)
        if defects and path in listed:
            unused.discard(path)
            continue
        for number, names in defects:
            failures += 1
            print(f"{path}:{number}: names {', '.join(names)}; take libraries from mappings/libraries.yaml")
    for path in sorted(unused):
        failures += 1
        print(f"{path} is listed, but names no library; remove the line")
    print(f"{failures} defects, {len(listed)} files listed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
