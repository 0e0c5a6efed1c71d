#!/usr/bin/env python3
"""No document of the repository links to what is not there: links_test.py REPOSITORY

Relative links must lead to a tracked file or folder, and `#anchor` to a heading of it. What packaging/doc holds is
installed without the rest of the repository: its documents link to each other alone. Names of files in code spans
(`tests/golden/elf_check.py`) must exist as well where they begin with a folder of the repository.
"""
import re
import subprocess
import sys
from pathlib import Path

import markdown

INSTALLED = Path("packaging/doc")


def tracked(root):
    """Files that git tracks or would track, so new documents count."""
    out = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         check=True, capture_output=True, text=True).stdout
    return {Path(name) for name in out.split("\0") if name and (root / name).exists()}


def folders_of(files):
    return {parent for file in files for parent in file.parents}


def path_names(text, top):
    """Paths in code spans: `tests/golden/`, `stubs/resolving/resolver.cpp`. Ignores command lines and
    patterns."""
    for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text):
        if re.fullmatch(r"[\w./+-]+", span) and span.split("/")[0] in top and "/" in span:
            yield span


def check(root):
    files = tracked(root)
    folders = folders_of(files)
    top = {file.parts[0] for file in files if len(file.parts) > 1}
    documents = {file: markdown.read(root / file) for file in sorted(files) if file.suffix == ".md"}
    for file, document in documents.items():
        for line, target in document.links:
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            place = Path(*resolve(file.parent / path)) if path else file
            if place not in files and place not in folders:
                yield f"{file}:{line}: {target} is not there"
            elif anchor and (place not in documents or anchor not in documents[place].anchors()):
                yield f"{file}:{line}: {target}: no such heading"
            elif INSTALLED in file.parents and INSTALLED not in place.parents:
                yield f"{file}:{line}: {target} is not installed beside it"
        if file.parts[0] in ("mappings", "tests"):
            continue  # these quote files from elsewhere
        text = document.paragraphs + [(line, " ".join(row)) for line, rows in document.tables for row in rows]
        for line, words in text:
            for name in path_names(words, top):
                # Skips placeholders, which are in capitals.
                if any(part.isupper() for part in re.split(r"[/.]", name)):
                    continue
                place = Path(name)
                # A built program has the name of its main file.
                if place not in files and place not in folders and Path(name + ".cpp") not in files:
                    yield f"{file}:{line}: `{name}` is not there"


def resolve(path):
    parts = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        else:
            parts.append(part)
    return parts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    findings = list(check(root))
    print("\n".join(findings) if findings else "no dead link")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
