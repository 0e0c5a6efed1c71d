#!/usr/bin/env python3
"""The messages that the troubleshooting page lists are those that users see: messages_test.py REPOSITORY PAGE

Every message of the tables in the sections OURS must be in the string literals of stubs/ or src/ (`...` in the page
stands for what the program fills in), every finding of doctor must be listed, and nothing that is none.
"""
import re
import sys
from pathlib import Path

import markdown

OURS = ("Messages of the libraries", "Messages of the command")
FINDINGS = "Findings of doctor"
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*(?:<<\s*)?"(?:[^"\\\n]|\\.)*")*')
PIECE = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def literals(root):
    """Every string literal of the sources, with adjacent ones joined as the compiler does. The page
    writes `...` for a format's {} and for values that `<<` puts between two strings."""
    for folder in ("stubs", "src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h", ".c"):
                continue
            text = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            for match in LITERALS.finditer(text):
                yield "".join(PIECE.findall(match.group()))


def section_of(document, line):
    return [text for start, level, text in document.headings if start < line and level <= 2][-1]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, page = Path(sys.argv[1]), markdown.read(Path(sys.argv[2]))
    said = [text.replace("\\n", "") for text in literals(root)]
    order = (root / "src/command/doctor/findings.cpp").read_text(encoding="utf-8")
    ids = set(re.findall(r'"([a-z0-9-]+)"', order[order.index("kOrder"):order.index("};")]))
    findings, messages, listed = [], 0, set()
    for line, rows in page.tables:
        section = section_of(page, line)
        for number, row in enumerate(rows):
            spans = re.findall(r"`([^`]*)`", row[0])
            where = f"{page.path}:{line + number + (1 if number else 0)}"
            if section == FINDINGS:
                listed |= set(spans)
            if section not in OURS or not spans:
                continue
            messages += 1
            # For `A ... B`, both parts must occur, in any literals.
            for part in filter(None, (piece.strip(" ';,:()") for piece in spans[0].split("..."))):
                if not any(part in text for text in said):
                    findings.append(f"{where}: nothing says {part!r}")
    findings += [f"{page.path}: the finding {name} is not listed" for name in sorted(ids - listed)]
    findings += [f"{page.path}: doctor has no finding {name}" for name in sorted(listed - ids)]
    print("\n".join(findings + [f"{messages} messages, {len(ids)} findings"]))
    return 1 if findings or messages < 10 or len(ids) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
