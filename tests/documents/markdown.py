"""Reads Markdown as used in this repository: headings, fenced blocks, tables, links.

Standard library only. Blocks remember their first line, so that a finding can name file and line.
"""
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"^(```+)(\S*)\s*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]*)\)")
CODE_SPAN = re.compile(r"(`+)(?:(?!\1).)+\1")


@dataclass
class Block:
    """One fenced block."""
    line: int
    language: str
    text: str
    # The text between this block and the previous one. Empty if they are adjacent.
    before: str


@dataclass
class Document:
    path: Path
    headings: list = field(default_factory=list)  # (line, level, text)
    blocks: list = field(default_factory=list)
    # (line, [[cell, ...], ...]) without the rule below the header row
    tables: list = field(default_factory=list)
    links: list = field(default_factory=list)  # (line, target)
    paragraphs: list = field(default_factory=list)  # (line, text) of everything else

    def anchors(self):
        """The anchors of the headings in their order, by GitHub's rule."""
        found, names = {}, []
        for _, _, text in self.headings:
            kept = "".join(c for c in text.replace("`", "").lower()
                           if c in " -_" or unicodedata.category(c)[0] in "LN")
            name = kept.replace(" ", "-")
            count = found.get(name, 0)
            found[name] = count + 1
            names.append(name if count == 0 else f"{name}-{count}")
        return names


def cells(row):
    """`a \\| b` is one cell. A bar inside a code span does not separate cells either."""
    hidden = CODE_SPAN.sub(lambda span: span.group().replace("|", "\0"), row.strip().strip("|"))
    return [cell.replace("\0", "|").strip() for cell in re.split(r"(?<!\\)\|", hidden)]


def links(lines):
    """A link may go on in the next line; it counts where its target is."""
    text = "\n".join(CODE_SPAN.sub("", line) for line in lines)
    for link in LINK.finditer(text):
        yield text.count("\n", 0, link.start(1)) + 1, link.group(1)


def read(path):
    document = Document(Path(path))
    outside = []  # Each line of the document, empty within blocks.
    between, table, fence = [], None, None
    for number, line in enumerate(document.path.read_text(encoding="utf-8").splitlines(), 1):
        outside.append("" if fence else line)
        if fence:
            if line.strip() == fence:
                fence = None
            else:
                document.blocks[-1].text += line + "\n"
            continue
        opening = FENCE.match(line)
        if opening:
            fence = opening.group(1)
            document.blocks.append(Block(number, opening.group(2), "", "\n".join(between).strip()))
            between, table = [], None
            continue
        between.append(line)
        heading = HEADING.match(line)
        if heading:
            document.headings.append((number, len(heading.group(1)), heading.group(2)))
        elif line.startswith("|"):
            if table is None:
                table = []
                document.tables.append((number, table))
            if not set(line) <= set("|-: "):
                table.append(cells(line))
            continue
        elif line.strip():
            document.paragraphs.append((number, line))
        table = None
    if fence:
        raise ValueError(f"{path}: a block is not closed")
    document.links = list(links(outside))
    return document
