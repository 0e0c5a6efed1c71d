#!/usr/bin/env python3
"""Prose in Markdown is at most 100 columns wide, the README short: prose_width_test.py REPOSITORY [DOCUMENT...]

Without DOCUMENT, every document of the repository is checked. Code blocks, tables and the targets of links may be
wider. Chinese documents (*_CN.md) are exempt: each paragraph is one line, since a line break would show as a space.
"""
import re
import sys
from pathlib import Path

import links_test
import markdown

WIDTH = 100
LINES = {Path("README.md"): 150}
EXEMPT = "_CN.md"
TARGET = re.compile(r"\]\([^()\s]*\)|<https?:[^>]*>|https?://\S+")


def too_wide(document):
    """Line and width of each line that is too wide."""
    headings = [(line, f"{'#' * level} {text}") for line, level, text in document.headings]
    for line, text in sorted(document.paragraphs + headings):
        width = len(TARGET.sub("]", text.rstrip()))
        if width > WIDTH:
            yield line, width


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root, findings = Path(sys.argv[1]), 0
    documents = sorted(file for file in links_test.tracked(root)
                       if file.suffix == ".md" and not file.name.endswith(EXEMPT))
    if sys.argv[2:]:
        documents = [Path(name) for name in sys.argv[2:]]
    for file in documents:
        for line, width in too_wide(markdown.read(root / file)):
            print(f"{file}:{line}: {width} columns, expected at most {WIDTH}")
            findings += 1
        lines = len((root / file).read_text(encoding="utf-8").splitlines())
        if lines > LINES.get(file, lines):
            print(f"{file}: {lines} lines, expected at most {LINES[file]}")
            findings += 1
    print(f"{len(documents)} documents, {findings} lines too wide")
    return 1 if findings or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
