#!/usr/bin/env python3
"""The examples of a document do what it shows: examples_test.py DOCUMENT --source DIR --build DIR

An `sh` block that a `text` block follows is run, and its output (both streams) compared. In the shown output `...`
stands for anything within a line, and a line of `...` alone for any number of lines. A word in the document is the same
word here, with a few exceptions (substitutions below): what was built already is not built again, and what is installed
goes into a folder of its own. Other `sh` blocks must be correct shell, and the options of `torchada` that any block
names must be in its --help.

All blocks of one document share the folder and the installation, in the order in which a reader meets them. A block
with sudo in it changes the machine, and is run only --as-written: no exceptions; for a machine (a container, a chroot)
that is there for this alone.
"""
import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import markdown

TIMEOUT = 7200
OPTION = re.compile(r"^--[a-z][a-z-]*")


class Machine:
    """Where the commands of a document run."""

    def __init__(self, source, build, as_written, only_checked):
        self.source, self.build, self.as_written, self.only_checked = source, build, as_written, only_checked
        self.folder = tempfile.TemporaryDirectory(prefix="torchada-examples-")
        self.prefix = Path(self.folder.name) / "opt" / "torchada"
        self.home = Path(self.folder.name) / "home"
        self.home.mkdir()

    def substituted(self, command):
        if self.as_written:
            return command
        for said, meant in (("packaging/quickstart.sh", "packaging/quickstart.sh --no-build"),
                            ("/opt/torchada", str(self.prefix))):
            command = command.replace(said, meant)
        return re.sub(r"(?<![\w/.-])build(?=[/\s]|$)", str(self.build), command)

    def restored(self, output):
        if self.as_written:
            return output
        return output.replace(str(self.prefix), "/opt/torchada").replace(str(self.build), "build")

    def environment(self):
        """Of a reader who has just exported the PATH that the README says; here also before that."""
        places = "/opt/torchada/bin" if self.as_written else f"{self.prefix}/bin:{self.build}/stage/bin"
        return {
            "PATH": f"{places}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.home),
            "LC_ALL": "C.UTF-8", "TERM": "dumb"
        }

    def run(self, commands):
        ended = subprocess.run(["bash", "-c", self.substituted(commands)], cwd=self.source, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               env=self.environment(), errors="replace", timeout=TIMEOUT, check=False)
        return self.restored(ended.stdout)


def pattern_of(line):
    return re.compile(".*".join(re.escape(part) for part in line.rstrip().split("...")))


def matches(shown, printed):
    """Whether the lines `printed` are what `shown` stands for. The place where they part company otherwise."""
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
    """The lines of a shell block without comments, continued ones joined."""
    for line in block.replace("\\\n", " ").splitlines():
        line = re.sub(r"(^|\s+)# .*$", "", line).strip()
        if line:
            yield line


def unknown_options(machine, block):
    for statement in statements(block.text):
        try:
            words = shlex.split(statement.replace("...", "").split(">")[0])
        except ValueError:
            continue  # No correct shell, which was said.
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


def check(document, machine):
    compared = 0
    for block, following in zip(document.blocks, document.blocks[1:] + [None]):
        where = f"{document.path}:{block.line}"
        if block.language == "text" and not block.text.strip():
            yield f"{where}: an empty block"
        if block.language != "sh":
            continue
        syntax = subprocess.run(["bash", "-n", "-c", block.text], capture_output=True, text=True, check=False)
        if syntax.returncode:
            yield f"{where}: {syntax.stderr.strip()}"
            continue
        if following is None or following.language != "text" or following.before:
            continue
        if re.search(r"^sudo ", block.text, re.MULTILINE) and not machine.as_written:
            print(f"{where}: not run here, it changes the machine")
            continue
        compared += 1
        printed = machine.run(block.text)
        if not matches(following.text.splitlines(), printed.splitlines()):
            yield (f"{where}: prints something else than line {following.line} shows\n"
                   f"--- shown\n{following.text}--- printed\n{printed}---")
    for block in document.blocks:  # When what the document installs is there.
        if block.language == "sh":
            yield from (f"{document.path}:{block.line}: {finding}" for finding in unknown_options(machine, block))
    print(f"{document.path}: {compared} examples run and compared")
    if not compared and not machine.only_checked:
        yield f"{document.path}: no example was run"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--as-written", action="store_true")
    parser.add_argument("--only-checked", action="store_true", help="nothing need be run; shell and options count")
    options = parser.parse_args()
    machine = Machine(options.source.resolve(), options.build.resolve(), options.as_written, options.only_checked)
    findings = list(check(markdown.read(options.document), machine))
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
