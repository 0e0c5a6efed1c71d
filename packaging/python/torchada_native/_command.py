"""The command of this package, and its answers as Python objects."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Dict, List

# Where torchada is installed: bin/, lib/, libexec/ and share/ lie beside this file.
ROOT: str = os.path.dirname(os.path.realpath(__file__))
COMMAND: str = os.path.join(ROOT, "bin", "torchada")


class CommandError(RuntimeError):
    """The command could not answer. The text is what it printed."""


def link_copies() -> None:
    """Makes hard links of files that are copies in a wheel, as in other packages: two copies of a
    library in one process would be two libraries. Without the right to write, they stay copies."""
    with open(os.path.join(ROOT, "share", "links.txt"), encoding="utf-8") as lines:
        pairs = [[os.path.join(ROOT, name) for name in line.split()] for line in lines]
    if os.path.samefile(*pairs[-1]):
        return
    for copy, original in pairs:
        aside = "%s.%d" % (copy, os.getpid())
        try:
            os.link(original, aside)
            os.replace(aside, copy)
        except OSError:
            return


def main() -> None:
    """The console script `torchada`."""
    link_copies()
    os.execv(COMMAND, ["torchada", *sys.argv[1:]])


def _answer(*words: str) -> Any:
    said = subprocess.run([COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        return json.loads(said.stdout)
    except ValueError:
        raise CommandError(said.stderr.strip()) from None


def standing(name: str) -> Dict[str, Any]:
    """What torchada does with a function, type or enumerator of CUDA or MUSA: `torchada explain`.
    "known" says whether it is in the tables."""
    answers: List[Dict[str, Any]] = _answer("explain", "--format=json", "--", name)
    return answers[0]


def check(path: "str | os.PathLike[str]") -> Dict[str, Any]:
    """Whether a program, library or folder will run: `torchada check`. "verdict" sums it up."""
    answer: Dict[str, Any] = _answer("check", "--format=json", "--", os.fspath(path))
    return answer


def doctor(*program: str) -> Dict[str, Any]:
    """Problems with a program, its libraries, MUSA and the driver: `torchada doctor`."""
    answer: Dict[str, Any] = _answer("doctor", "--format=json", *(["--", *program] if program else []))
    return answer


def info() -> Dict[str, Any]:
    """The devices and versions that programs see: `torchada info`."""
    answer: Dict[str, Any] = _answer("info", "--format=json")
    return answer
