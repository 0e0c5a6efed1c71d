#!/usr/bin/env python3
"""Writes packaging/doc/clients.md, and the table of programs in both READMEs, from what run.py recorded.

  document.py [--check] [--clients DIR] [--results DIR] PAGE [README...]

--check writes nothing: it says what differs, and which results no longer fit the clients' files. Exit status 1 then."""
import argparse
import ast
import json
import os
import re
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from client import PACKAGE, clients_below  # noqa: E402
from judging import LEVELS, ON_GPU, asked, judge, works  # noqa: E402
from playing import HERE, declared  # noqa: E402
from recording import RESULTS  # noqa: E402
from run import PROGRAMS  # noqa: E402

# The words of `check` are its verdicts; those of `doctor` are its findings.
VERDICTS = {"runs": "runs", "assumed": "runs if assumptions hold", "partly": "runs in part",
            "kernels": "runs until it launches its own kernels", "cannot": "cannot run",
            "unexamined": "not examined in full", "nothing": "uses no CUDA", "replaced": "runs"}
NOT_RUN = "not run"
# A traceback of Python up to its last frame, whose lines a process of several may begin with its rank.
FRAMES = re.compile(r'(?m)\A(.*?\bstatus -?\d+: )?(?s:.*)'
                    r'^(?:\[rank\d+\]: )?  File "[^\n]*\n(?:(?:\[rank\d+\]: )? +\S.*\n)*')
IN_README = re.compile(r"(?<=<!-- programs -->\n).*?(?=<!-- end of programs -->\n)", re.DOTALL)
CHINESE = {"reach": "程度", "programs": "程序", "parts of ": "仅运行其中一部分：", "whole": "完整",
           "kernels": "自带的核函数", "library calls": "库调用",
           "copies": "拷贝", "queries": "查询", "loads": "仅加载", "does not load": "无法加载", NOT_RUN: "未运行"}
WHOLE = """
*Whole*: the package ran as it is published, every step that was tried works, and results were
compared. *Parts of* a program: only a library, some modules or some sources of it ran.
"""
WHOLE_IN_CHINESE = """
“完整”指按发布的样子运行整个软件包，试过的每一步都正常，并且比对过结果。“仅运行其中一部分”指只运行了它的一个库、若干模块或若干源文件。
"""
TEXT = """# Programs that were tried

{programs} programs that others published, run by `torchada run` on the *CPU stand-in*. No GPU was
used, and none of this has run on Moore Threads hardware. Nobody wrote an outcome by hand: the steps
compare what a program returned with a reference, `tests/clients/run.py` records what happened, and
this page follows from the records.

The column *what ran* says "{package}" if the package was installed and imported as it is
published. Otherwise it names the part that ran: a library, some modules, or sources that were
compiled for the trial. Such a program is never *whole*.

{counts}

A program that has several rows counts once: as its best row of the package, or as its best row of
a part if the package itself was not tried. It is whole only if all rows of that version are.

The level is that of the highest kind of which a step works:

| level | what works |
|---|---|
| does not load | nothing: its libraries cannot be opened |
| loads | it can be imported or opened; nothing that needs a device works |
| queries | it finds the device and asks it, or makes streams, contexts and handles |
| copies | data that came back from the device was what it should be |
| library calls | what a library computed (cuBLAS, cuRAND, cuFFT, NCCL) was compared |
| kernels | what its own device code computed was compared, compiled from source for the stand-in |
| whole | the package ran as published, every step that was tried works, and results were compared |

A step counts as a copy, a library call or a kernel only if it compared values with a reference. The
column *compared* has the number of values. What a library computed was compared in {libraries} programs,
of any level.

| program | what ran | what is tried | level | steps | compared | [`check`]({check}) said | [`doctor`]({doctor}) said |
|---|---|---|---|---:|---:|---|---|
{rows}
{musa}
## What stops them

Each step that did not end well, with the program's error. Steps with the same error share a row.
The last column is what torchada printed about it.{alone}

| program | steps | what happened | torchada said |
|---|---|---|---|
{stops}

## What was said before

`torchada check` and `torchada doctor --run` were asked before each start. A *false promise* means
that fewer steps worked than the answer promises; a *false alarm*, that something worked that was
said to fail.

{false}

## With which build

{builds}
The number of a build is the beginning of the SHA-256 of its libraries and commands, the commit that
of its sources.

| build | commit | date | programs |
|---|---|---|---|
{when}
"""


MUSA_TEXT = """
## Programs built for MUSA

{programs} programs that were made for MUSA itself, run on the CPU stand-in. torchada's CUDA
libraries have no part in it: these programs open the stand-in's libmusart, libmusa and libmtml as
they would open those of an SDK. They judge the stand-in, by which all other results were found.

| program | what ran | what is tried | level | steps | compared |
|---|---|---|---|---:|---:|
{rows}

These packages of PyPI were looked at and are not among them:

| package | what stops it |
|---|---|
| musa-deploy 0.7.0, musa-develop 0.4.1 | Need `mthreads-gmi -q`, `musaInfo` and `mcc`, which the stand-in lacks. |
| isagellm-backend 0.5.4.17 | Needs torch_musa, which is not on PyPI, and `mthreads-gmi -L`. Proprietary. |
| vllm-musa 0.1.1 | Needs torch_musa. |
| nvitop-musa-exporter 0.0.0.1, sglang-musa 0.0.1 | The wheels lack a module that they import. |
| tilelang 0.1.15 | Its wheel has no file for MUSA. |
| FlagTree, Torch-FL | PyPI has no package of these names (`flagtree`, `torch-fl`). |
"""


class Entry:
    """A client with what was recorded of it, judged; `result` is None if nothing was."""

    def __init__(self, client, folder):
        self.client, self.result = client, None
        with open(client.script, encoding="utf-8") as file:
            # The first paragraph of its script says what is tried.
            self.tried = ast.get_docstring(ast.parse(file.read())).split("\n\n")[0].replace("\n", " ")
        self.kinds = declared(sys.executable, client, {"PATH": "/usr/bin:/bin",
                                                       "PYTHONPATH": os.path.join(HERE, "in_client")})
        path = os.path.join(folder, client.name + ".json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                recorded = json.load(file)
            for name, step in recorded["steps"].items():
                step["kind"] = self.kinds.get(name, "host")
            self.result = judge(client, recorded)
        # A name says which version is meant if several are tried: torch-2.6-nvml.
        names = [word for word in client.name.split("-") if not client.version.startswith(word)]
        self.title = f"{'-'.join(names)} {client.version}"
        self.level = self.result["level"] if self.result else NOT_RUN
        self.whole_package = client.part == PACKAGE

    def steps(self):
        return self.result["steps"] if self.result else {}

    def compared(self):
        return sum(step["compared"] for step in self.steps().values() if step["outcome"] == "ok"
                   and step["kind"] in ON_GPU)

    def compared_library(self):
        return any(works(step) for step in self.steps().values() if step["kind"] == "library")

    def false(self):
        return [(who, self.result[who]["judgement"]) for who in asked(self.result or {})
                if self.result[who]["judgement"]]

    def misfits(self):
        """Why the record is no longer one of these files."""
        if not self.result:
            return []
        out = []
        if self.result["version"] != self.client.version:
            out.append(f"recorded with version {self.result['version']}, client.yaml has {self.client.version}")
        if list(self.steps()) != [*self.kinds, "exit"]:
            changed = sorted(set(self.steps()) ^ {*self.kinds, "exit"})
            out.append(f"recorded with other steps: {', '.join(changed) or 'their order'}")
        if self.client.refusal(self.result.get("partly")):
            out.append(f"part: '{PACKAGE}', but it was recorded that {'; '.join(self.result['partly'])}")
        out += [f"{step}: recorded {happened}, client.yaml expects {expected}"
                for step, expected, happened in self.result["unexpected"]]
        return [f"{self.client.name}: {line}; run it again with --record" for line in out]


def cell(text):
    """Text of a program within a table: as code, on one line."""
    text = re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("`", "'")
    text = re.sub(r"\b0x[0-9a-f]{6,}\b", "0x...", text)
    return f"`{text if len(text) <= 200 else text[:197] + '...'}`" if text else ""


def ranked(entries):
    """Highest level first, then by name; those that were not run come last."""
    order = [*reversed(LEVELS), NOT_RUN]
    return sorted(entries, key=lambda entry: (order.index(entry.level), entry.client.name.lower()))


def _row(entry):
    steps, said = entry.steps().values(), asked(entry.result or {})
    begin = f"| {entry.title} | {entry.client.part} | {entry.tried} |"
    if not steps:
        return f"{begin} {NOT_RUN} | | |" + " | |" * (entry.client.built_for == "CUDA")
    row = (f"{begin} {entry.level} | "
           f"{sum(step['outcome'] == 'ok' for step in steps)} of {len(steps)} | {entry.compared()} |")
    if not said:
        return row
    verdict, doctor = (entry.result[who]["words"] for who in said)
    doctor = doctor if doctor == "no problems found" else ", ".join(f"`{word}`" for word in doctor.split(", "))
    return f"{row} {VERDICTS.get(verdict, verdict)} | {doctor} |"


def _stops(entry):
    groups = {}
    for name, step in entry.steps().items():
        if step["outcome"] not in ("ok", "unreached"):
            said = re.sub(r"^torchada( host)?: ", "", step["said"][-1]) if step["said"] else ""
            message = f"{step['outcome']}: {step['message']}"
            own = ", and so without torchada" if step.get("alone") == message else ""
            groups.setdefault((cell(FRAMES.sub(r"\1", message)) + own, cell(said)), []).append(name)
    unreached = [name for name, step in entry.steps().items() if step["outcome"] == "unreached"]
    for (message, said), names in groups.items():
        yield f"| {entry.title} | {', '.join(names)} | {message} | {said} |"
    if unreached:
        yield f"| {entry.title} | {', '.join(unreached)} | not reached: a step that they need failed | |"


def _alone(entries):
    if not any("alone" in step for entry in entries for step in entry.steps().values()):
        return ""
    return (" What crashed was run again without torchada;\n"
            "*and so without torchada* says that it ended in the same way there.")


def _false(entries):
    lines = [f"| {entry.title} | `{who}` | {judgement} | {cell(entry.result[who]['words'])} |"
             for entry in entries for who, judgement in entry.false()]
    if not lines:
        return "There was no false promise and no false alarm."
    return "\n".join(["| program | asked | judgement | its answer |", "|---|---|---|---|", *lines])


def _builds(entries):
    number = len({entry.result["build"] for entry in entries if entry.result})
    if number > 1:
        return f"The results are of **{number} builds** of torchada, which may behave differently."
    return "All results are of one build of torchada."


def _when(entries):
    groups = {}
    for entry in entries:
        if entry.result:
            key = tuple(entry.result[what] for what in ("date", "build", "revision"))
            groups.setdefault(key, []).append(entry.client.name)
    return "\n".join(f"| `{build}` | `{revision[:12]}` | {date} | {', '.join(names)} |"
                     for (date, build, revision), names in sorted(groups.items()))


def _version(entry):
    return entry.client.program, entry.client.version


def programs_of(entries):
    """The row for which each program counts: the best of its package, or else of a part of it. A version is whole
    only if all its rows are."""
    order, best = [NOT_RUN, *LEVELS], {}
    unwhole = {_version(entry) for entry in entries if entry.level not in (NOT_RUN, LEVELS[-1])}
    for entry in sorted(entries, key=lambda entry: (entry.whole_package, order.index(entry.level))):
        if entry.level != LEVELS[-1] or _version(entry) not in unwhole:
            best[entry.client.program] = entry
    return ranked(best.values())


def _counts(entries):
    counts = Counter(entry.level for entry in entries)
    rows = [f"| {level} | {counts[level]} |" for level in (*reversed(LEVELS), NOT_RUN) if counts[level]]
    return "\n".join(["| level | programs |", "|---|---:|", *rows])


def built_for(what, entries):
    return [entry for entry in entries if entry.client.built_for == what]


def _musa(entries):
    if not entries:
        return ""
    return MUSA_TEXT.format(programs=len(programs_of(entries)), rows="\n".join(map(_row, entries)))


def page_of(entries):
    entries = ranked(entries)
    cuda = built_for("CUDA", entries)
    programs = programs_of(cuda)
    return TEXT.format(
        programs=len(programs), package=PACKAGE, counts=_counts(programs), rows="\n".join(map(_row, cuda)),
        musa=_musa(built_for("MUSA", entries)),
        stops="\n".join(line for entry in entries for line in _stops(entry)), alone=_alone(entries),
        false=_false(entries),
        libraries=len({entry.client.program for entry in cuda if entry.compared_library()}),
        builds=_builds(entries), when=_when(entries),
        check="guide.md#check-will-it-run", doctor="guide.md#doctor-why-does-it-not-run")


def table_of(entries, words):
    """For a README: the programs of each level."""
    def word(text):
        return words.get(text, text)
    lines = [f"| {word('reach')} | {word('programs')} |", "|---|---|"]
    for level in (*reversed(LEVELS), NOT_RUN):
        found = [entry for entry in programs_of(entries) if entry.level == level]
        packages = sorted(entry.client.program for entry in found if entry.whole_package)
        parts = sorted(entry.client.program for entry in found if not entry.whole_package)
        if found:
            of_parts = [word("parts of ") + ", ".join(parts)] if parts else []
            lines.append(f"| {word(level)} | {'; '.join([', '.join(packages)] * bool(packages) + of_parts)} |")
    return "\n".join(lines) + "\n"


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def expected(path, entries, readme):
    """What a document should contain."""
    if not readme:
        return page_of(entries)
    text = _read(path)
    if not IN_README.search(text):
        sys.exit(f"document.py: {path}: expected the lines '<!-- programs -->' and '<!-- end of programs -->'")
    chinese = path.endswith("_CN.md")
    table = table_of(built_for("CUDA", entries), CHINESE if chinese else {}) + (WHOLE_IN_CHINESE if chinese else WHOLE)
    return IN_README.sub(lambda _: table, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--clients", default=PROGRAMS, help="directory of clients")
    parser.add_argument("--results", default=RESULTS, help="directory of what was recorded")
    parser.add_argument("page", metavar="PAGE", help="clients.md")
    parser.add_argument("readmes", nargs="*", metavar="README")
    arguments = parser.parse_args()
    entries = [Entry(client, arguments.results) for client in clients_below(arguments.clients)]
    names = {entry.client.name for entry in entries}
    findings = [f"results/{name}: no client of this name" for name in sorted(os.listdir(arguments.results))
                if name.removesuffix(".json") not in names]
    findings += [line for entry in entries for line in entry.misfits()]
    for path in (arguments.page, *arguments.readmes):
        wanted = expected(path, entries, path != arguments.page)
        if not arguments.check:
            with open(path, "w", encoding="utf-8") as out:
                out.write(wanted)
        elif not os.path.exists(path) or _read(path) != wanted:
            findings.append(f"{path}: differs from what was recorded; run tests/clients/document.py")
    print("\n".join(findings) or f"{len(entries)} clients")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
