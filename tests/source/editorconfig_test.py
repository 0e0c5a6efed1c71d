"""Every file that git tracks is as .editorconfig says: editorconfig_test.py SOURCE

Checks character set, line endings, the final newline, spaces at ends of lines, tabs or spaces, and
for each kind of file that most lines that are indented further go in by indent_size.
"""
import collections
import configparser
import fnmatch
import os
import re
import subprocess
import sys


def rules(source):
    """[(glob, {property: value})], in the order of the file."""
    parser = configparser.ConfigParser(delimiters="=")
    with open(os.path.join(source, ".editorconfig"), encoding="utf-8") as file:
        parser.read_string("[start]\n" + file.read())
    assert parser["start"]["root"] == "true"
    return [(name, dict(parser[name])) for name in parser.sections() if name != "start"]


def globs(pattern):
    """The alternatives of a pattern with braces."""
    found = re.search(r"\{([^}]*)\}", pattern)
    if not found:
        return [pattern]
    return [pattern[:found.start()] + word + pattern[found.end():] for word in found.group(1).split(",")]


def settings_of(path, all_rules):
    settings = {}
    for pattern, properties in all_rules:
        target = path if "/" in pattern else os.path.basename(path)
        if any(fnmatch.fnmatchcase(target, each) for each in globs(pattern)):
            settings.update(properties)
    return settings


def defects(text, settings):
    if "\r" in text:
        yield "carriage return"
    if text and not text.endswith("\n"):
        yield "no newline at the end"
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            yield f"line {number}: space at the end"
        if settings["indent_style"] == "space" and line.startswith("\t"):
            yield f"line {number}: tab"


def steps(text):
    """How many columns further each line that goes in goes in."""
    before = 0
    for line in text.split("\n"):
        if line.strip():
            indent = len(line) - len(line.lstrip(" "))
            if indent > before:
                yield indent - before
            before = indent


def main():
    source = sys.argv[1]
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, text=True, check=True)
    all_rules = rules(source)
    problems, files = [], 0
    indents = collections.defaultdict(collections.Counter)
    for path in filter(None, listed.stdout.split("\0")):
        full = os.path.join(source, path)
        if not os.path.isfile(full) or os.path.islink(full):
            continue
        files += 1
        with open(full, "rb") as file:
            data = file.read()
        settings = settings_of(path, all_rules)
        try:
            text = data.decode(settings["charset"])
        except UnicodeDecodeError as error:
            problems.append(f"{path}: {error}")
            continue
        problems += [f"{path}: {defect}" for defect in defects(text, settings)]
        if settings["indent_style"] == "space":
            kind = os.path.splitext(path)[1] or os.path.basename(path)
            indents[kind, int(settings["indent_size"])].update(steps(text))
    for (kind, size), counts in indents.items():
        common = counts.most_common(1)
        if sum(counts.values()) >= 50 and common[0][0] != size:
            problems.append(f"{kind}: indent_size is {size}, but most lines go in by {common[0][0]}: {dict(counts)}")
    print("\n".join(problems[:50]))
    print(f"{files} files, {len(problems)} problems")
    return 1 if problems or files < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
