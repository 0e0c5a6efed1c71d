#!/usr/bin/env python3
"""The examples of a document do what it shows: examples_test.py DOCUMENT --source DIR --build DIR

An example is an `sh` block followed by a `text` block, or a picture of a terminal (packaging/doc/terminal_svg.py). Its
command is run, and the output (both streams) is compared with what the document shows. There `...` stands for anything
within a line, and a line of `...` alone for any number of lines. Commands are run as the document has them, with a few
exceptions (substitutions below): what was built already is not built again, and what is installed or written to /tmp
goes into a temporary directory. Every other `sh` block must be correct shell. Every option of `torchada` in a block
must be in its --help.

All examples of one document share the directory and the installation, and run in the order in which a reader meets
them. A block with sudo in it changes the machine. It is run only with --as-written, which knows no exceptions and is
meant for a machine (a container, a chroot) that exists for this alone.
"""
import argparse
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from dataclasses import dataclass
from pathlib import Path

import markdown

TIMEOUT = 7200
OPTION = re.compile(r"^--[a-z][a-z-]*")
SVG = "{http://www.w3.org/2000/svg}"


@dataclass
class Example:
    """A command and what the document shows of its output."""
    line: int
    command: str
    shown: list
    place: str  # Where the output is shown: "line 12", "quickstart.svg".


class Machine:
    """The environment in which a document's commands run."""

    def __init__(self, source, build, as_written):
        self.source, self.build, self.as_written = source, build, as_written
        self.folder = tempfile.TemporaryDirectory(prefix="torchada-examples-")
        self.prefix = Path(self.folder.name) / "opt" / "torchada"
        self.home = Path(self.folder.name) / "home"
        self.home.mkdir()
        # A reader's /tmp: the machine's own may keep files of an earlier run.
        self.scratch = Path(self.folder.name) / "tmp"
        self.scratch.mkdir()

    def substituted(self, command):
        if self.as_written:
            return command
        for said, meant in (("/tmp/", f"{self.scratch}/"),  # First: what follows may name the own /tmp.
                            ("packaging/quickstart.sh", f"packaging/quickstart.sh --no-build --build '{self.build}'"),
                            ("/opt/torchada", str(self.prefix))):
            command = command.replace(said, meant)
        return re.sub(r"(?<![\w/.-])(?<!kernels )build(?=[/\s]|$)", str(self.build), command)

    def restored(self, output):
        if self.as_written:
            return output
        output = output.replace(f"{self.scratch}/", "/tmp/")
        return output.replace(str(self.prefix), "/opt/torchada").replace(str(self.build), "build")

    def environment(self):
        """The environment of a reader who has just exported the PATH from the README. Here it
        applies from the start."""
        places = "/opt/torchada/bin" if self.as_written else f"{self.prefix}/bin:{self.build}/stage/bin"
        path = f"{places}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return {"PATH": path, "HOME": str(self.home), "LC_ALL": "C.UTF-8", "TERM": "dumb"}

    def run(self, commands):
        ended = subprocess.run(["bash", "-c", self.substituted(commands)], cwd=self.source, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               env=self.environment(), errors="replace", timeout=TIMEOUT, check=False)
        return self.restored(ended.stdout)


def pattern_of(line):
    return re.compile(".*".join(re.escape(part) for part in line.rstrip().split("...")))


def matches(shown, printed):
    """Whether the lines `printed` match `shown`."""
    def walk(i, j):
        while i < len(shown):
            if shown[i].strip() == "...":
                return any(walk(i + 1, k) for k in range(j, len(printed) + 1))
            if j == len(printed) or not pattern_of(shown[i]).fullmatch(printed[j].rstrip()):
                return False
            i, j = i + 1, j + 1
        return j == len(printed)
    return walk(0, 0)


def statements(block):
    """The lines of a shell block without comments; continued lines are joined."""
    for line in block.replace("\\\n", " ").splitlines():
        line = re.sub(r"(^|\s+)# .*$", "", line).strip()
        if line:
            yield line


def unknown_options(machine, block):
    for statement in statements(block.text):
        try:
            words = shlex.split(statement.replace("...", "").split(">")[0])
        except ValueError:
            continue  # not correct shell; reported already
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            words.pop(0)
        if len(words) < 2 or Path(words[0]).name != "torchada" or words[1].startswith("-"):
            continue
        own = words[2:words.index("--")] if "--" in words else words[2:]
        known = machine.run(f"torchada {words[1]} --help")
        if not known.startswith("usage:"):
            yield f"torchada has no command '{words[1]}'"
            continue
        for option in filter(None, map(OPTION.match, own)):
            if not re.search(re.escape(option.group()) + r"(?![a-z-])", known):
                yield f"torchada {words[1]} has no option {option.group()}"


def drawn_line(text):
    """A line of a picture; what differs between machines becomes `...`."""
    parts = [text.text or ""]
    for child in text:
        parts += ["..." if child.get("class") == "varies" else "".join(child.itertext()), child.tail or ""]
    return "".join(parts)


def picture_examples(document):
    """The terminals among the pictures: their first line is a command behind a `$`."""
    for line, target in document.links:
        path = document.path.parent / target
        if path.suffix != ".svg" or not path.is_file():
            continue
        first, *shown = [drawn_line(text) for text in xml.etree.ElementTree.parse(path).iter(f"{SVG}text")] or [""]
        if first.startswith("$ "):
            yield Example(line, first[2:], shown, path.name)


def block_examples(document):
    for block, following in zip(document.blocks, document.blocks[1:]):
        if block.language == "sh" and following.language == "text" and not following.before:
            yield Example(block.line, block.text, following.text.splitlines(), f"line {following.line}")


def broken_blocks(document):
    for block in document.blocks:
        if block.language == "text" and not block.text.strip():
            yield block.line, "an empty block"
        if block.language == "sh":
            syntax = subprocess.run(["bash", "-n", "-c", block.text], capture_output=True, text=True, check=False)
            if syntax.returncode:
                yield block.line, syntax.stderr.strip()


def lines_of_section(document, heading):
    """The numbers of its first line and of the next heading's, of the same level."""
    lines = document.path.read_text(encoding="utf-8").splitlines()
    first = lines.index(f"## {heading}") + 1
    after = [number for number, line in enumerate(lines, 1) if number > first and line.startswith("## ")]
    return range(first, after[0] if after else len(lines) + 1)


def check(document, machine, without, section):
    compared, broken = 0, dict(broken_blocks(document))
    yield from (f"{document.path}:{line}: {finding}" for line, finding in broken.items())
    examples = [] if without == "examples" else list(block_examples(document))
    if not without:
        examples += picture_examples(document)
    if section:
        examples = [example for example in examples if example.line in lines_of_section(document, section)]
    for example in sorted(examples, key=lambda example: example.line):
        where = f"{document.path}:{example.line}"
        if example.line in broken:
            continue
        if re.search(r"^sudo ", example.command, re.MULTILINE) and not machine.as_written:
            print(f"{where}: not run here, it changes the machine")
            continue
        compared += 1
        printed = machine.run(example.command)
        if not matches(example.shown, printed.splitlines()):
            shown = "".join(line + "\n" for line in example.shown)
            yield (f"{where}: prints something else than {example.place} shows\n"
                   f"--- shown\n{shown}--- printed\n{printed}---")
    for block in document.blocks:  # After the document has installed its own programs.
        if block.language == "sh":
            yield from (f"{document.path}:{block.line}: {finding}" for finding in unknown_options(machine, block))
    print(f"{document.path}: {compared} examples run and compared")
    if not compared and without != "examples":
        yield f"{document.path}: no example was run"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--as-written", action="store_true")
    parser.add_argument("--without", choices=["pictures", "examples"], help="do not run what pictures show, or nothing")
    parser.add_argument("--section", metavar="HEADING", help="run only the examples of this section")
    options = parser.parse_args()
    machine = Machine(options.source.resolve(), options.build.resolve(), options.as_written)
    findings = list(check(markdown.read(options.document), machine, options.without, options.section))
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
