#!/usr/bin/env python3
"""README_CN.md says what README.md says: translation_test.py ORIGINAL TRANSLATION

Translated text cannot be compared, structure can: the same headings (their levels), the same blocks (only comments may
differ), tables with the same rows and columns and the same first column where that is code, the same links in the same
order, as many paragraphs in each section. A link to X_CN.md, or to a heading of it, is that to X.md.
"""
import re
import sys
from pathlib import Path

import markdown


def without_comments(block):
    if block.language not in ("sh", "c", "cmake", "python"):
        return block.text
    return "\n".join(re.sub(r"(^|\s+)(#|//) .*$", "", line) for line in block.text.splitlines())


def is_code(cell):
    return bool(re.fullmatch(r"(`[^`]*`[, ]*)+", cell))


def paragraphs_by_section(document):
    """The number of paragraphs and list items in each section."""
    starts = [line for line, _, _ in document.headings]
    counts = [0] * (len(starts) + 1)
    previous = -1
    for line, text in document.paragraphs:
        section = sum(start < line for start in starts)
        if line != previous + 1 or re.match(r"\s*[-*] ", text):
            counts[section] += 1
        previous = line
    return counts


def meaning(document, target):
    """A link without its language: the original's path, and the place of the heading in place of its anchor."""
    path, mark, anchor = target.partition("#")
    place = document.path.parent / path if path else document.path
    if mark and place.suffix == ".md" and place.exists():
        anchors = document.anchors() if not path else markdown.read(place).anchors()
        anchor = anchors.index(anchor) if anchor in anchors else anchor
    return re.sub(r"_CN\.md$", ".md", path), anchor


def differences(original, translation):
    def compare(what, lines, ours, theirs):
        if len(ours) != len(theirs):
            yield f"{what}: {len(ours)} in {original.path.name}, {len(theirs)} in {translation.path.name}"
        for (line, other), left, right in zip(lines, ours, theirs):
            if left != right:
                yield (f"{what}: {original.path.name}:{line} has {left!r}, "
                       f"{translation.path.name}:{other} has {right!r}")

    def lines(left, right):
        return list(zip((entry[0] for entry in left), (entry[0] for entry in right)))

    yield from compare("level of heading", lines(original.headings, translation.headings),
                       [level for _, level, _ in original.headings],
                       [level for _, level, _ in translation.headings])
    yield from compare("block", [(a.line, b.line) for a, b in zip(original.blocks, translation.blocks)],
                       [(b.language, without_comments(b)) for b in original.blocks],
                       [(b.language, without_comments(b)) for b in translation.blocks])
    yield from compare("table", lines(original.tables, translation.tables),
                       [[len(row) for row in rows] for _, rows in original.tables],
                       [[len(row) for row in rows] for _, rows in translation.tables])
    yield from compare("code in the first column of a table", lines(original.tables, translation.tables),
                       [[row[0] for row in rows if is_code(row[0])] for _, rows in original.tables],
                       [[row[0] for row in rows if is_code(row[0])] for _, rows in translation.tables])
    # The two documents link to each other.
    swapped = {translation.path.name: original.path.name, original.path.name: translation.path.name}
    yield from compare("link", lines(original.links, translation.links),
                       [meaning(original, swapped.get(target, target)) for _, target in original.links],
                       [meaning(translation, target) for _, target in translation.links])
    headings = [(0, 0)] + lines(original.headings, translation.headings)
    yield from compare("paragraphs of a section", headings,
                       paragraphs_by_section(original), paragraphs_by_section(translation))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    original, translation = (markdown.read(Path(path)) for path in sys.argv[1:])
    if not original.headings:
        sys.exit(f"{original.path}: no heading")
    found = list(differences(original, translation))
    print("\n".join(found) if found else f"{len(original.headings)} sections alike")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
