#!/usr/bin/env python3
"""PyTorch's own tests, from its source package, on the CPU stand-in: the unmodified wheel with kernels made from
PyTorch's sources.

 pytorch_tests.py STAGE WORK [--kernels=FOLDER] [--chosen] [--every=N] [--again] [FILE...]

WORK keeps what is downloaded (3 GB): a Python with the wheel and what its tests import, and what the recipe
pytorch-2.6 fetches. Kernels are made when a test launches them, or come from FOLDER. FILE: names of test files, as
test_ops; all of selection.py without. --every: each N-th test of a file. --chosen: the tests that chosen.txt names,
and status 1 if one of them does not pass. Results are kept in WORK/results, and a second run goes on where the first
ended; --again begins anew.

It prints how many tests are selected, pass, fail, need a closed library and are skipped, and why."""
import argparse
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pytorch"))
# pylint: disable=wrong-import-position
import installed  # noqa: E402
import reasons  # noqa: E402
import selection  # noqa: E402

SECONDS = 120  # for one test whose kernels are there
SECONDS_WITH_COMPILER = 900
START = 400  # for a process until its first test


class Program:
    """How a test file is started under torchada."""

    def __init__(self, options):
        self.installed = installed.Installed(options.stage, options.work)
        self.fetches = not options.kernels
        self.work = self.installed.work
        self.tests = os.path.join(self.installed.sources, "test")
        kernels = "--kernels=" + options.kernels if options.kernels else "--kernels-from=" + installed.RECIPE
        self.seconds = SECONDS if options.kernels else SECONDS_WITH_COMPILER
        self.command = [self.installed.torchada, "run", "--backend=host", kernels, "--", self.installed.python,
                        selection.IN_PROCESS]
        self.environment = {**os.environ, **self.installed.environment, "PYTORCH_TESTING_DEVICE_ONLY_FOR": "cuda",
                            "PYTORCH_PRINT_REPRO_ON_FAILURE": "0", "TORCHADA_HOST_ACCOUNT": f"pytorch{os.getpid()}"}

    def prepare(self):
        if self.fetches or not os.path.isdir(self.tests):
            self.installed.fetch()
        self.installed.install()

    def start(self, file, arguments, **streams):
        environment = {**self.environment, **selection.FILES[file].environment}
        return subprocess.Popen([*self.command, os.path.join(self.tests, file + ".py"), *arguments], env=environment,
                                stdin=subprocess.DEVNULL, start_new_session=True, **streams)


def names_of(program, file, options):
    """The tests of a file that are selected."""
    if options.chosen:
        return [name for chosen_of, name in chosen() if chosen_of == file]
    with program.start(file, ["--list"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        listed = process.communicate(timeout=START)[0].decode().splitlines()
    every = options.every or selection.FILES[file].every
    return [name for name in listed if selection.FILES[file].selects(name)][::every]


def chosen():
    with open(selection.CHOSEN, encoding="utf-8") as file:
        return [line.split(" ", 1) for line in file.read().splitlines()]


class Run:
    """One process with tests, watched. Its results are lines in a file."""

    def __init__(self, program, file, names, folder):
        self.lines, self.errors, wanted = (os.path.join(folder, name) for name in ("lines", "errors", "wanted"))
        for path in self.lines, self.errors:
            open(path, "wb").close()
        with open(wanted, "w", encoding="utf-8") as out:
            out.write("\n".join(names))
        self.seconds = program.seconds
        with open(self.errors, "ab") as errors:
            self.process = program.start(file, [self.lines, wanted, str(self.seconds * 0.9)], stdout=errors,
                                         stderr=errors)

    def watch(self):
        """Waits for its end, or ends it. Was that for time?"""
        size, since = 0, time.monotonic()
        while self.process.poll() is None:
            time.sleep(0.2)
            now = os.path.getsize(self.lines)
            if now != size:
                size, since = now, time.monotonic()
            elif time.monotonic() - since > (self.seconds if size else START):
                break
        late = self.process.poll() is None
        # Tests start processes too.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        return late

    def results(self, late):
        """What became of each test that was begun."""
        with open(self.errors, errors="replace", encoding="utf-8") as file:
            errors = file.read()
        with open(self.lines, encoding="utf-8") as file:
            lines = file.read().splitlines()
        begun = None
        for entry in map(json.loads, lines):
            if "begin" in entry:
                begun = entry
                continue
            said = errors[begun["stderr"]:entry["stderr"]]
            yield {"name": entry["end"], "outcome": entry["outcome"], "seconds": entry["seconds"],
                   "text": entry["text"], "stderr": said[-20000:]}
            begun = None
        if begun:
            ended = f"the process ended with {self.process.returncode}"
            yield {"name": begun["begin"], "outcome": "time" if late else "crash", "seconds": self.seconds,
                   "text": f"not ended after {self.seconds} s" if late else ended,
                   "stderr": errors[begun["stderr"]:][-20000:]}


def run_once(program, file, names, kept, again):
    """One process; appends its results to the file `kept`."""
    folder = kept + ".now"
    os.makedirs(folder, exist_ok=True)
    run = Run(program, file, names, folder)
    results = list(run.results(run.watch()))
    if not results:
        with open(run.errors, errors="replace", encoding="utf-8") as errors:
            sys.exit(f"{file}: no test was begun:\n{errors.read()[-3000:]}")
    with open(kept, "a", encoding="utf-8") as out:
        out.writelines(json.dumps({**entry, "again": again}) + "\n" for entry in results)


def run_file(program, file, names, kept):
    """Runs what has no result in the file `kept` yet. What fails is run once more, in processes of such, and that
    counts: what other tests leave behind can make one fail."""
    while left := [name for name in names if name not in read(kept)]:
        print(f"{file}: {len(left)} of {len(names)} are left", flush=True)
        run_once(program, file, left, kept, again=False)
    while left := [name for name, entry in read(kept).items() if name in names and may_pass(entry)]:
        print(f"{file}: {len(left)} again", flush=True)
        run_once(program, file, left, kept, again=True)


def may_pass(entry):
    kind = reasons.of_failure(entry)[0] if entry["outcome"] == "failed" else None
    return kind not in (None, reasons.CLOSED_LIBRARY, reasons.EXPECTED) and not entry.get("again")


def read(path):
    """The newest result of each test."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {entry["name"]: entry for entry in map(json.loads, file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage")
    parser.add_argument("work")
    parser.add_argument("--kernels", default="")
    parser.add_argument("--chosen", action="store_true")
    parser.add_argument("--every", type=int, default=0, metavar="N")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_intermixed_args()
    program = Program(options)
    program.prepare()
    results = {}
    for file in options.files or selection.FILES:
        kept = os.path.join(program.work, "results", file.replace("/", "_") + ".jsonl")
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        if options.again and os.path.exists(kept):
            os.remove(kept)
        names = names_of(program, file, options)
        run_file(program, file, names, kept)
        results[file] = [entry for name, entry in read(kept).items() if name in names]
    print(reasons.table(results))
    if not options.chosen:
        return 0
    failed = [entry["name"] for entries in results.values() for entry in entries if entry["outcome"] != "passed"]
    print("\n".join(["not passed:", *failed] if failed else ["all chosen tests pass"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
