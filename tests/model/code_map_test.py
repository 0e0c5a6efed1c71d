#!/usr/bin/env python3
"""The tables of README.md name functions and operations of the code: they must be there, a model
must have the steps, and no atomic operation of the mapped files may be missing from the tables.

  code_map_test.py [SOURCE]    SOURCE: the repository (default: the one that this file is in)
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MAPPED = ["stubs/resolving/backend.cpp", "stubs/resolving/kept_tables.cpp", "stubs/resolving/lifetime.cpp",
          "stubs/resolving/observed.cpp",
          "stubs/resolving/plan.cpp", "stubs/resolving/resolver.cpp",
          "stubs/loading/opening.cpp", "stubs/process/peers.cpp", "stubs/system/thread.cpp"]
ATOMIC = re.compile(r"(?:\.(?:load|store|exchange|compare_exchange\w*|fetch_\w+)|__atomic_\w+)\(")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def flat(text):
    """Without comments and line breaks, so that formatting does not matter."""
    return re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", text)).replace("( ", "(")


def body_of(name, text):
    """The function, class or macro of that name, up to the brace in column 1 or the end of macro."""
    start = re.search(rf"^(?:class {name} |\.macro {name} |.*\b{name}\(.*(?:\n.*)?\{{$)", text, re.MULTILINE)
    if not start:
        return None
    end = re.compile(r"^(\}|\.endm)", re.MULTILINE).search(text, start.end())
    one_line = re.search(rf"^.*\b{name}\(.*\{{.*\}}$", text, re.MULTILINE)
    return text[start.start():end.end()] if end else one_line and one_line.group(0)


def rows_of(readme):
    """(steps, function, file, operations)"""
    for line in readme.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for index, cell in enumerate(cells):
            found = re.fullmatch(r"`(\w+)` in `(stubs/[\w./]+)`", cell)
            if found:
                operations = re.findall(r"`([^`]+)`", cells[index + 1].replace("\\|", "|"))
                steps = re.findall(r"`(\w+)`", cells[0]) if index else []
                yield steps, found.group(1), found.group(2), operations


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "..")
    model = "".join(read(os.path.join(HERE, name)) for name in ("open_and_publish.pml", "observe.pml"))
    readme = read(os.path.join(HERE, "README.md"))
    problems, known, rows = [], {}, list(rows_of(readme))
    for steps, function, file, operations in rows:
        text = read(os.path.join(source, file))
        single = re.search(rf"^[\w:]+ {function}\([^)]*\) \{{.*\}}$", text, re.MULTILINE)
        body = single.group(0) if single else body_of(function, text)
        if body is None:
            problems.append(f"{file} has no {function}")
            continue
        for operation in operations:
            if flat(operation) not in flat(body):
                problems.append(f"{function} in {file} does not contain: {operation}")
        known.setdefault(file, []).extend(map(flat, operations))
        for step in steps:
            if not re.search(rf"\b{step}\b", model):
                problems.append(f"the model has no {step}")
    for file in MAPPED:
        text = flat(read(os.path.join(source, file)))
        covered = [(at.start(), at.end()) for operation in known.get(file, [])
                   for at in re.finditer(re.escape(operation), text)]
        for found in ATOMIC.finditer(text):
            if not any(start <= found.start() < end for start, end in covered):
                problems.append(f"{file}: not in README.md: {text[max(0, found.start() - 40):found.end() + 40]}")
    mutants = set(re.findall(r"MUTANT_(\w+)", model)) - {"_"}
    table = read(os.path.join(HERE, "run_model.py"))
    problems += [f"run_model.py does not try MUTANT_{name}" for name in sorted(mutants) if f'"{name}' not in table]
    for problem in problems:
        print(problem)
    operations = sum(map(len, known.values()))
    print(f"{len(rows)} rows, {operations} operations, {len(mutants)} mutants, {len(problems)} problems")
    return 1 if problems or len(rows) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
