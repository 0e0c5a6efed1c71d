#!/usr/bin/env python3
"""The documents spell alike and are easy to read: words_test.py REPOSITORY [TORCHADA]

British English, names as their owners write them, and none of the constructions that slow a reader down. The reasons in
mappings/forward, which `explain` prints, are read too; with TORCHADA, the command, also the help of each subcommand.
Code, links and the texts of licences are left alone.
"""
import re
import subprocess
import sys
from pathlib import Path

import links_test
import markdown

# Wrong word: correct word. Whole words, case-sensitive.
WRONG = {
    "behavior": "behaviour", "color": "colour", "colors": "colours", "honor": "honour", "honors": "honours",
    "favor": "favour", "neighbor": "neighbour", "center": "centre", "license": "licence", "License": "Licence",
    "initialize": "initialise", "initialized": "initialised", "optimize": "optimise", "optimized": "optimised",
    "unoptimized": "unoptimised", "recognize": "recognise", "recognized": "recognised", "analyze": "analyse",
    "serialize": "serialise", "synchronize": "synchronise", "canceled": "cancelled", "labeled": "labelled",
    "Torchada": "torchada", "TorchAda": "torchada", "Cuda": "CUDA", "Musa": "MUSA", "CUBLAS": "cuBLAS",
    "CuBLAS": "cuBLAS",
    "MuBLAS": "muBLAS", "MUBLAS": "muBLAS", "CURAND": "cuRAND", "CuRAND": "cuRAND", "MURAND": "muRAND", "Nccl": "NCCL",
    "Mccl": "MCCL", "Github": "GitHub", "github": "GitHub", "debian": "Debian", "Pytorch": "PyTorch",
    "pytorch": "PyTorch",
    "Sglang": "SGLang", "VLLM": "vLLM", "OpenBlas": "OpenBLAS", "Cmake": "CMake", "standin": "stand-in",
    "Moore threads": "Moore Threads",
}
PATTERN = re.compile(r"(?<![\w./-])(" + "|".join(map(re.escape, WRONG)) + r")(?![\w/-])")

# Slow constructions: a pattern, a sentence that has it, and what to write instead.
SLOW = [
    (r"(?:^|[.:;] )Who (?:has|have|reads|wants|can|makes|gets|needs|starts|knows)\b(?![^.]*\?)",
     "Who has the source can compile it.", "if you, or code that"),
    (r"\b[Tt]ells? (?:no|none|that|which|whether|what|how|it|by)\b|"
     r"\b(?:MTML|NVML|libmtml|files?|headers?|symbols?|devices?|CPU|stand-in) (?:tells?|does not tell|cannot tell)\b|"
     r"\btells? (?:the|a) (?:rate|clock|flags|standing|version|number|name|status|bus|bandwidth|constants)\b",
     "MTML tells the current clock.", "reports, shows or prints"),
    (r"(?:^|[.:;] )What [^.,?:;]*, (?:MTML|NVML|it|one|the [\w ]+|a [\w ]+) "
     r"(?:tells?|says?|has|removes?|reads?|does|takes?)\b",
     "What a killed program left, the next one removes.", "subject, verb, object"),
    (r"\bNor (?:is|are|can|does|do|did|has|have)\b", "Nor is it read.", "it is not ... either, or it also does not"),
    (r"(?:^|[.:;] )So (?:are|is|do|does|can|did|has|have) [a-z]", "So are variables.", "the same goes for"),
    (r", too(?=[,.;:)]|$)", "The file is read, too.", "also"),
    (r"\b[Aa]lso if\b", "It fails, also if the file is there.", "even if"),
    (r"\b(?:cannot|can|could) (?:serve|be served)\b", "MUSA cannot serve it.", "support, or implement"),
    (r"\bshall\b", "A job shall not see others.", "must or should"),
    (r"\bas always\b", "Build it as always.", "as usual"),
    (r"\b(?:one of|none of|a \w+ of) (?:NVIDIA's|MUSA's|CUDA's|ours)(?=[,.;:)]|$)", "It is one of NVIDIA's.",
     "the noun: NVIDIA's libraries"),
]


def prose(text):
    text = markdown.CODE_SPAN.sub("", text)
    return re.sub(r"\]\([^)]*\)|<[^>]*>|\bhttps?://\S+", "", text)


def texts_of(document):
    """Paragraphs, headings and rows of tables, each as its lines: (number, text without code)."""
    paragraphs = []
    for line, text in document.paragraphs:
        item = re.match(r"\s*([-*]|\d+\.) ", text)
        if not paragraphs or item or line != paragraphs[-1][-1][0] + 1:
            paragraphs.append([])
        paragraphs[-1].append((line, prose(text).strip()))
    yield from paragraphs
    yield from ([(line, prose(text))] for line, _, text in document.headings)
    yield from ([(line, prose(cell))] for line, rows in document.tables for row in rows for cell in row)


def line_at(lines, offset):
    """The number of the line that this place of the joined lines is in."""
    for number, text in lines:
        if offset <= len(text):
            return number
        offset -= len(text) + 1
    return lines[-1][0]


def findings_in(text):
    """Each with the place in the text where it begins."""
    for found in PATTERN.finditer(text):
        yield found.start(), f"{found.group()}: write {WRONG[found.group()]}"
    for pattern, _, instead in SLOW:
        for found in re.finditer(pattern, text):
            yield found.start(), f"'{found.group().strip(' .:;,')}': write {instead}"


def reasons_in(file):
    """The sentences of a table of decisions: (line, text)."""
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        yield from ((number, text) for text in re.findall(r'"([^"]* [^"]*)"', line.partition("#")[0]))


def help_texts(torchada):
    """Each subcommand with the paragraphs of its help, each on one line."""
    def said(*words):
        return subprocess.run([torchada, *words, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^  ([a-z]+)  ", said().partition("commands:")[2].partition("options:")[0], re.MULTILINE)
    assert len(commands) > 8, commands
    for command in ("", *commands):
        for paragraph in said(*filter(None, [command])).split("\n\n"):
            yield command, re.sub(r"\s+", " ", paragraph)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    for pattern, example, _ in SLOW:
        assert re.search(pattern, example), f"{pattern} does not find: {example}"
    root, findings, checked = Path(sys.argv[1]), 0, 0
    for file in sorted(links_test.tracked(root)):
        if file.suffix != ".md":
            continue
        checked += 1
        for lines in texts_of(markdown.read(root / file)):
            for offset, finding in findings_in(" ".join(text for _, text in lines)):
                print(f"{file}:{line_at(lines, offset)}: {finding}")
                findings += 1
    tables = [file for file in links_test.tracked(root) if file.match("mappings/forward/*.yaml")]
    for file, line, text in ((file, *reason) for file in sorted(tables) for reason in reasons_in(root / file)):
        for _, finding in findings_in(text):
            print(f"{file}:{line}: {finding}")
            findings += 1
    for command, text in help_texts(sys.argv[2]) if len(sys.argv) == 3 else ():
        for _, finding in findings_in(text):
            print(f"torchada {command} --help: {finding}")
            findings += 1
    print(f"{checked} documents, {len(tables)} tables, {findings} words to mend")
    return 1 if findings or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
