#!/usr/bin/env python3
"""long_run_test.py SECONDS [PAUSE]: a service-like program uses all libraries for SECONDS, in rounds with a PAUSE in
seconds between them, while ranks of collectives die beside it. Nothing may grow, and every result must be right.

long_run_test.py --leaks: a few rounds of the same program, which loses something on purpose. Each loss must be found.

If LONG_RUN_PYTORCH names a folder, a process that trains with PyTorch does its rounds beside the program's, or loses
something in its place. What it needs is downloaded into that folder, once.

Ends with 0, with 1 if something grows or is wrong, with 2 if the arguments are wrong, with 77 if there can be no
/dev/shm of its own."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import deaths
import growth
import own_shm
import service
import training

# What is lost, and what then grows.
LEAKS = {"": "", "memory": "private_kib", "descriptor": "descriptors", "thread": "threads", "mapping": "mappings",
         "child": "children", "device": "device_kib"}
# Without a loss, what the stand-in keeps of freed memory no longer grows after some 20 rounds of these.
SHORT = "--work=kernels,streams"
SHORT_ROUNDS = 90
TRAINING_ROUNDS = 60
# A short run is still warming up, and on a loaded machine threads of destroyed streams are still ending when it is
# measured. What is lost on purpose is 30 times as much as one round loses.
SHORT_TOLERANCES = dict(growth.TOLERANCES, private_kib=4096, threads=4)


def run(seconds, pause, starts, beside=False, rounds=9):
    """What programs held that run for so long, and at least so many rounds, and the trace. Each of `starts` starts one,
    with a folder for temporary files and the trace."""
    with tempfile.TemporaryDirectory(prefix="long-run-") as folder:
        folders = [os.path.join(folder, "tmp%d" % number) for number in range(len(starts) + 1)]
        for each in folders:
            os.mkdir(each)
        trace = service.Trace(folder)
        dying = deaths.Deaths(folders[-1]) if beside else None
        programs = [start(temporary, trace) for start, temporary in zip(starts, folders)]
        try:
            do_rounds(programs, seconds, pause, rounds, trace, dying)
        finally:
            ended = [program.end() for program in programs]
            if dying:
                dying.end()
            trace.close()
        for status, err in ended:
            assert (status, err) == (0, ""), "a program ended with %d, expected 0: %s" % (status, err)
        assert not trace.wrong, "this record of the trace is wrong: " + trace.wrong
        if dying:
            assert not dying.failure, "collectives with deaths: " + dying.failure
        left = [name for each in folders for name in growth.files_below(each)]
        left += [name for name in growth.files_below("/dev/shm") if "-c-" not in name]
        assert not left, "these files were left: " + " ".join(left)
        return [program.samples for program in programs], trace, dying.done if dying else 0


def do_rounds(programs, seconds, pause, rounds, trace, dying):
    """Until the time is over, or something failed. The first round of one that trains makes its kernels."""
    for program in programs:
        if not program.warm_up():
            return
    started = shown = time.monotonic()
    while time.monotonic() - started < seconds or len(programs[0].samples) < rounds:
        if not all(program.do_round() for program in programs) or (dying and dying.failure):
            return
        if time.monotonic() - shown >= 60:
            shown = time.monotonic()
            print("%4d of %d minutes, %d rounds, %d deaths, %d records" % (
                (shown - started) / 60, seconds / 60, len(programs[0].samples), dying.done if dying else 0,
                sum(trace.counts.values())))
            for program in programs:
                print("     " + ", ".join("%s %d" % one for one in program.samples[-1].items()), flush=True)
        time.sleep(pause)


def linked_libraries():
    """Those of ours that the program is linked with: it calls each of them."""
    needed = subprocess.run(["readelf", "-dW", service.PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
    with open(os.path.join(service.STAGE, "..", "generated", "tables.json"), encoding="utf-8") as file:
        ours = {library["soname"] for library in json.load(file)["libraries"]}
    return ours & set(re.findall(r"\(NEEDED\).*\[(.*)\]", needed))


def long_run(seconds, pause):
    starts = [lambda *given: service.service(*given, "--compile-every=8", "--threads=2")]
    if training.FOLDER:
        starts.append(training.training)
    held, trace, died = run(seconds, pause, starts, beside=True)
    missing = linked_libraries() - set(trace.counts)
    assert not missing, "the trace has no call of " + " ".join(sorted(missing))
    print("%d rounds, %d deaths, %d records" % (len(held[0]), died, sum(trace.counts.values())))
    tolerances = [growth.TOLERANCES, training.TOLERANCES] if seconds >= 600 else [SHORT_TOLERANCES] * 2
    judged = [growth.judge(*each) for each in zip(held, tolerances)]
    print("\n".join(table for table, _ in judged))
    grown = [name for _, names in judged for name in names]
    assert not grown, "these grow: " + " ".join(grown)


def find_leaks(start, rounds):
    """`start` starts a program with more options."""
    for lost, expected in LEAKS.items():
        (samples,), _, _ = run(0, 0, [lambda *given: start(*given, *(["--leak=" + lost] if lost else []))],
                               rounds=rounds)
        table, grown = growth.judge(samples, SHORT_TOLERANCES)
        print("a lost %s:\n%s" % (lost or "nothing", table), flush=True)
        if lost:
            assert expected in grown, "nobody found that every round loses a %s: %s should grow" % (lost, expected)
        else:
            assert not grown, "nothing is lost, but these grow: " + " ".join(grown)


def main():
    own_shm.enter()
    if training.FOLDER:
        training.install()
    try:
        if sys.argv[1:] == ["--leaks"]:
            if training.FOLDER:
                find_leaks(training.training, TRAINING_ROUNDS)
            else:
                find_leaks(lambda *given: service.service(*given, SHORT), SHORT_ROUNDS)
        elif len(sys.argv) in (2, 3):
            long_run(float(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) == 3 else 0)
        else:
            print(__doc__, file=sys.stderr)
            sys.exit(2)
    except AssertionError as error:
        print("FAILED: %s" % error)
        sys.exit(1)


if __name__ == "__main__":
    main()
