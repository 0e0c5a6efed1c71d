#!/usr/bin/env python3
"""Replaces the body of one function of the CPU stand-in by `return 0` and expects a test to fail.

return_zero.py --stage DIR --test BINARY... [--straight BINARY=FILTER...] [--conformance BINARY...] [--sample N]
  [--seed S] [NAME...]

A test belongs to a function if its full name contains the function's as a word of its own, as in
Memory.musaMalloc_gives_memory or Level1/Axpy.MatchesReference/mublasSaxpy. Tests in --test binaries are linked to the
libraries of the tree "assumed"; those in --conformance binaries reach the tree 5.2 through the
replacement libraries and name musaX as cudaX. Those in --straight binaries do the one and the other.

The machine code is changed in a copy of the library, so nothing is compiled.
With MUTATION_EVERY=1 in the environment, --sample has no effect.

Exit code: 0 all died, 1 some survived, 2 could not be run.
"""

import argparse
import concurrent.futures
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

RETURN_ZERO = b"\x31\xc0\xc3"  # xor %eax,%eax; ret
# Seconds. A test that hangs has noticed the change. It hangs if it takes ten times as long as without the change, and
# at least TIMEOUT.
TIMEOUT, TIMES = 15, 10
PATIENCE = 1200  # For all tests without a change, which may be slow.


def exported_functions(path):
    """Maps the name of every function that the library exports to its file offset."""
    data = path.read_bytes()
    section_table, = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, section_table + i * size) for i in range(count)]
    functions = {}
    for _, kind, _, _, offset, length, link, _, _, entry in sections:
        if kind != 11:  # SHT_DYNSYM
            continue
        strings = sections[link][4]
        for at in range(offset, offset + length, entry):
            name_at, info, _, index, value, _ = struct.unpack_from("<IBBHQQ", data, at)
            if info & 15 != 2 or index == 0 or index >= len(sections):  # STT_FUNC, defined
                continue
            name = data[strings + name_at:data.index(b"\0", strings + name_at)].decode()
            if name.startswith("_ZN4musa"):  # between libmusart and libmusa; programs reach it through libmusart
                continue
            section = sections[index]
            functions[name] = value - section[3] + section[4]
    return functions


def plain_name(symbol):
    """The plain name: mublasGemmEx for _Z12mublasGemmExP15_mublasHandle_t..."""
    mangled = re.match(r"_Z(\d+)(\w+)", symbol)
    return mangled[2][:int(mangled[1])] if mangled else symbol


def tests_listed(text):
    """The full names in what GoogleTest lists, without its comments on parameters."""
    tests, suite = [], ""
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        if line and not line.startswith(" "):
            suite = line
        elif line.strip():
            tests.append(suite + line.strip())
    return tests


def list_tests(binary, environment, selected):
    result = subprocess.run([binary, "--gtest_list_tests", "--gtest_filter=" + selected], env=environment,
                            capture_output=True, text=True, timeout=PATIENCE)
    if result.returncode != 0:
        sys.exit(f"{binary} does not list its tests:\n{result.stdout}{result.stderr}")
    return tests_listed(result.stdout)


def tests_by_name(tests):
    """Maps every identifier in a test's name to the tests."""
    found = {}
    for test in tests:
        for part in re.split(r"[./]", test):
            words = part.split("_")
            for start, word in enumerate(words):
                if start == 0 or word.startswith(("mu", "cu", "mtml", "mtrtc")):
                    for end in range(start + 1, len(words) + 1):
                        found.setdefault("_".join(words[start:end]), set()).add(test)
    return found


def in_groups(tests):
    """Groups that fit into one argument of a command (128 KiB)."""
    groups, size = [], 0
    for test in tests:
        if not groups or size + len(test) > 100_000:
            groups.append([])
            size = 0
        groups[-1].append(test)
        size += len(test) + 1
    return groups


def link_or_copy(file, target):
    """A link is faster, but does not reach another file system or another mount of the same."""
    try:
        os.link(file, target)
    except OSError:
        shutil.copy(file, target)


class Tree:
    """Copies of a tree and its driver with one library changed."""

    def __init__(self, root):
        self.root = root
        self.lib = root / "lib"
        self.driver = root.parent / "driver" / root.name

    def libraries(self):
        links = [*self.lib.glob("lib*.so"), *self.driver.glob("lib*.so")]
        return sorted(link.name[len("lib"):-len(".so")] for link in links)

    def file_of(self, library):
        name = f"lib{library}.so"
        return (self.driver / name if (self.driver / name).exists() else self.lib / name).resolve()

    def mutate(self, library, offset, folder):
        copy = Path(folder) / self.root.name
        copy.mkdir()
        for entry in self.root.iterdir():
            if entry.name != "lib":
                (copy / entry.name).symlink_to(entry)
        changed = self.file_of(library)
        for source, target in ((self.lib, copy / "lib"), (self.driver, copy.parent / "driver" / copy.name)):
            target.mkdir(parents=True)
            for entry in source.iterdir():
                if entry.is_symlink():
                    (target / entry.name).symlink_to(os.readlink(entry))
                elif entry.is_dir():
                    (target / entry.name).symlink_to(entry)
                elif entry.resolve() == changed:
                    shutil.copy(entry, target / entry.name)
                    with open(target / entry.name, "r+b") as file:
                        file.seek(offset)
                        file.write(RETURN_ZERO)
                else:
                    link_or_copy(entry, target / entry.name)
        return copy


class Judge:
    """A test program, what it tests, and an environment that selects a tree."""

    def __init__(self, binary, kind, stage, selected="*"):
        self.binary, self.kind, self.stage = binary, kind, stage
        self.tree = Tree(stage / "host" / ("5.2" if kind == "conformance" else "assumed"))
        self.tests = tests_by_name(list_tests(binary, self.environment(self.tree.root), selected))
        self.seconds = {}  # Of each test that passes without a change.

    def environment(self, tree):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("TORCHADA_", "MUSA_"))}
        if self.kind != "conformance":
            environment["LD_LIBRARY_PATH"] = f"{tree / 'lib'}:{tree.parent / 'driver' / tree.name}"
        else:
            environment["LD_LIBRARY_PATH"] = str(self.stage / "lib")
            environment["TORCHADA_MUSA_PATH"] = str(tree)
        return environment

    def tests_of(self, function):
        name = plain_name(function)
        if self.kind != "host":
            name = re.sub("^mu(?=sa|rand|[A-Z])", "cu", name)
            name = re.sub("^cusa", "cuda", name)
        return sorted(self.tests.get(name, ()))

    def run(self, tests, tree, timeout, *options):
        """What the tests print, and whether all passed in time."""
        command = [self.binary, "--gtest_filter=" + ":".join(tests), *options]
        try:
            result = subprocess.run(command, env=self.environment(tree), capture_output=True, text=True,
                                    errors="replace", timeout=timeout)
        except subprocess.TimeoutExpired:
            return "", False
        return result.stdout, result.returncode == 0

    def time_without_a_change(self, tests):
        """All at once: each belongs to several functions."""
        for group in in_groups(sorted(tests)):
            printed, _ = self.run(group, self.tree.root, PATIENCE)
            passed = re.findall(r"^\[ +(?:OK|SKIPPED) \] ([^\s,]+).*\((\d+) ms\)$", printed, re.MULTILINE)
            for name, milliseconds in passed:
                self.seconds[name] = int(milliseconds) / 1000

    def passes_changed(self, tests, tree):
        limit = max(TIMEOUT, TIMES * sum(self.seconds[test] for test in tests))
        return self.run(tests, tree, limit, "--gtest_brief=1", "--gtest_fail_fast")[1]


def relevant_tests(library, function, judges, offsets):
    """The judges that have tests of this function, with these tests."""
    relevant = [(judge, judge.tests_of(function)) for judge in judges]
    return [(judge, tests) for judge, tests in relevant if tests and function in offsets[judge.tree.root][library]]


def try_mutation(library, function, relevant, offsets):
    """None if a test failed, otherwise what happened."""
    if not relevant:
        return "no test names it"
    for judge, tests in relevant:
        failing = [test for test in tests if test not in judge.seconds]
        if failing:
            return f"its tests fail without a change: {judge.binary.name} {':'.join(failing)[:200]}"
        with tempfile.TemporaryDirectory() as folder:
            tree = judge.tree.mutate(library, offsets[judge.tree.root][library][function], folder)
            if not judge.passes_changed(tests, tree):
                return None
    return f"survives {sum(len(tests) for _, tests in relevant)} tests"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", type=Path, required=True)
    parser.add_argument("--test", type=Path, action="append", default=[], help="linked to the tree 'assumed'")
    parser.add_argument("--straight", action="append", default=[],
                        help="conformance without replacements, and a filter")
    parser.add_argument("--conformance", type=Path, action="append", default=[], help="through the replacements on 5.2")
    parser.add_argument("--sample", type=int, help="so many functions, at random")
    parser.add_argument("--seed", type=int, help="of the sample; printed if not given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*", help="only these functions")
    arguments = parser.parse_args()

    judges = [Judge(binary.resolve(), "host", arguments.stage) for binary in arguments.test]
    for binary, selected in (words.split("=", 1) for words in arguments.straight):
        judges.append(Judge(Path(binary).resolve(), "straight", arguments.stage, selected))
    judges += [Judge(binary.resolve(), "conformance", arguments.stage) for binary in arguments.conformance]
    if not judges:
        parser.error("no test program")
    every = Tree(arguments.stage / "host" / "assumed")
    libraries = every.libraries()
    offsets = {judge.tree.root: {library: exported_functions(judge.tree.file_of(library)) for library in libraries
                                 if judge.tree.file_of(library).exists()} for judge in judges}
    work = [(library, function) for library in libraries
            for function in sorted(exported_functions(every.file_of(library)))]
    if arguments.names:
        work = [(library, function) for library, function in work if plain_name(function) in arguments.names]
        missing = set(arguments.names) - {plain_name(function) for _, function in work}
        if missing:
            sys.exit(f"not exported: {', '.join(sorted(missing))}")
    if arguments.sample and not os.environ.get("MUTATION_EVERY"):
        seed = arguments.seed if arguments.seed is not None else random.randrange(2**31)
        print(f"--sample {arguments.sample} --seed {seed}, of {len(work)} functions")
        random.Random(seed).shuffle(work)
        work = work[:arguments.sample]

    relevant = {(library, function): relevant_tests(library, function, judges, offsets) for library, function in work}
    wanted = {judge: set() for judge in judges}
    for judge, tests in (pair for pairs in relevant.values() for pair in pairs):
        wanted[judge].update(tests)
    survivors = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(lambda judge: judge.time_without_a_change(wanted[judge]), judges))
        pending = {
            pool.submit(try_mutation, library, function, relevant[library, function], offsets): function
            for library, function in work
        }
        for number, future in enumerate(concurrent.futures.as_completed(pending), 1):
            outcome = future.result()
            if outcome:
                survivors[pending[future]] = outcome
            if sys.stderr.isatty():
                print(f"\r{number}/{len(pending)}", end="", file=sys.stderr)
    for name, outcome in sorted(survivors.items()):
        print(f"{name}: {outcome}")
    print(f"{len(work)} functions, {len(work) - len(survivors)} died, {len(survivors)} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
