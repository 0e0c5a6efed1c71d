#!/usr/bin/env python3
"""Draws a terminal session as SVG: terminal_svg.py COMMAND <OUTPUT >PICTURE

The picture of the README is drawn from real output:

  packaging/quickstart.sh --no-build | packaging/doc/terminal_svg.py packaging/quickstart.sh \\
    >packaging/doc/quickstart.svg

tests/documents/examples_test.py reads the picture back, runs the command and compares. As in the text blocks of the
documents, `...` stands for anything within a line, and a line of `...` alone for any number of lines; the first one
stands for what the command prints while it builds. Numbers that differ between machines are drawn as they are, but
have the class `varies` and are not compared.
"""
import re
import sys
from xml.sax.saxutils import escape

FONT_SIZE, LINE_HEIGHT, MARGIN, BAR = 13, 19, 20, 34
# The widest of the fonts named below needs 0.602 of the font size for each column.
COLUMN = FONT_SIZE * 0.61
STYLE = """
    .window { fill: #0d1117; stroke: #484f58; }
    .button { fill: #484f58; }
    text { fill: #e6edf3; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
           font-size: 13px; white-space: pre; }
    .prompt { fill: #3fb950; }
    .command { font-weight: bold; }
    .heading { fill: #79c0ff; font-weight: bold; }
    .cut, .quiet { fill: #9ea7b3; }
    .cuda { fill: #ffa657; }
    .musa { fill: #7ee787; }
"""
# Folders that differ between machines are cut out of a path.
PATH = re.compile(r"(?<!\S)/\S*(?=/(?:stage|lib)/)")
VARIES = re.compile(r"\d+(?= multiprocessors| MiB)")
CALL = re.compile(r"(\s+torchada: \S+: )(\w+)( -> )(\w+)(.*)")


def span(kind, text):
    return f'<tspan class="{kind}">{escape(text)}</tspan>'


def drawn(line):
    """The inside of a text element."""
    if line.strip() == "...":
        return span("cut", line)
    if line.startswith("$ "):
        return span("prompt", "$ ") + span("command", line[2:])
    if line.startswith("== "):
        return span("heading", line)
    call = CALL.fullmatch(line)
    if call:
        # An adapter looks up MUSA's functions under their own names.
        asked = "musa" if call.group(2).startswith("musa") else "cuda"
        kinds = ("quiet", asked, "quiet", "musa", "quiet")
        return "".join(span(kind, text) for kind, text in zip(kinds, call.groups()) if text)
    if line.startswith(" "):
        return span("quiet", line)
    return VARIES.sub(lambda number: span("varies", number.group()), escape(line))


def picture(command, lines):
    lines = [f"$ {command}", "...", *(PATH.sub("...", line.rstrip()) for line in lines)]
    width = round(2 * MARGIN + COLUMN * max(map(len, lines)))
    height = BAR + LINE_HEIGHT * len(lines) + MARGIN
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'height="{height}" role="img" aria-labelledby="title">')
    yield "  <!-- Drawn by terminal_svg.py from real output; do not edit. -->"
    yield f'  <title id="title">A terminal that shows the output of {escape(command)}</title>'
    yield f"  <style>{STYLE}  </style>"
    yield f'  <rect class="window" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>'
    for button in range(3):
        yield f'  <circle class="button" cx="{MARGIN + 4 + 18 * button}" cy="{BAR // 2}" r="5"/>'
    for number, line in enumerate(lines):
        y = BAR + LINE_HEIGHT * number + FONT_SIZE
        yield f'  <text x="{MARGIN}" y="{y}" xml:space="preserve">{drawn(line)}</text>'
    yield "</svg>"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print("\n".join(picture(sys.argv[1], sys.stdin.read().strip("\n").split("\n"))))


if __name__ == "__main__":
    main()
