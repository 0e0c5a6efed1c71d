#!/usr/bin/env python3
"""long_run_test.py SECONDS [PAUSE]: a service-like program uses all libraries for SECONDS, in rounds with a PAUSE in
seconds between them, while ranks of collectives die beside it. Nothing may grow, and every result must be right.

long_run_test.py --leaks: a few rounds of the same program, which loses something on purpose. Each loss must be found.

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

# What is lost, and what then grows.
LEAKS = {"memory": "private_kib", "descriptor": "descriptors", "thread": "threads", "mapping": "mappings",
         "child": "children", "device": "device_kib"}
# Without a loss, what the stand-in keeps of freed memory no longer grows after some 20 rounds of these.
SHORT = ["--work=kernels,streams"]
SHORT_ROUNDS = 90
# A short run is still warming up, and on a loaded machine threads of destroyed streams are still ending when it is
# measured. What is lost on purpose is 30 times as much as one round loses.
SHORT_TOLERANCES = dict(growth.TOLERANCES, private_kib=4096, threads=4)


def run(seconds, pause, options, beside=False, rounds=9):
    """The samples of a program that runs for so long, and at least so many rounds, and the trace."""
    with tempfile.TemporaryDirectory(prefix="long-run-") as folder:
        temporary = os.path.join(folder, "tmp")
        beside_folder = os.path.join(folder, "beside")
        os.mkdir(temporary)
        os.mkdir(beside_folder)
        trace = service.Trace(folder)
        dying = deaths.Deaths(beside_folder) if beside else None
        program = service.Service(temporary, trace, *options)
        started = shown = time.monotonic()
        try:
            while time.monotonic() - started < seconds or len(program.samples) < rounds:
                if not program.do_round() or (dying and dying.failure):
                    break
                if time.monotonic() - shown >= 60:
                    shown = time.monotonic()
                    print("%4d of %d minutes, %d rounds, %d deaths, %d records: %s" % (
                        (shown - started) / 60, seconds / 60, len(program.samples), dying.done if dying else 0,
                        sum(trace.counts.values()),
                        ", ".join("%s %d" % one for one in program.samples[-1].items())), flush=True)
                time.sleep(pause)
        finally:
            status, err = program.end()
            if dying:
                dying.end()
            trace.close()
        assert (status, err) == (0, ""), "the program ended with %d, expected 0: %s" % (status, err)
        assert not trace.wrong, "this record of the trace is wrong: " + trace.wrong
        if dying:
            assert not dying.failure, "collectives with deaths: " + dying.failure
        left = growth.files_below(temporary) + growth.files_below(beside_folder)
        left += [name for name in growth.files_below("/dev/shm") if "-c-" not in name]
        assert not left, "these files were left: " + " ".join(left)
        return program.samples, trace, dying.done if dying else 0


def linked_libraries():
    """Those of ours that the program is linked with: it calls each of them."""
    needed = subprocess.run(["readelf", "-dW", service.PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
    with open(os.path.join(service.STAGE, "..", "generated", "tables.json"), encoding="utf-8") as file:
        ours = {library["soname"] for library in json.load(file)["libraries"]}
    return ours & set(re.findall(r"\(NEEDED\).*\[(.*)\]", needed))


def long_run(seconds, pause):
    samples, trace, died = run(seconds, pause, ["--compile-every=8", "--threads=2"], beside=True)
    missing = linked_libraries() - set(trace.counts)
    assert not missing, "the trace has no call of " + " ".join(sorted(missing))
    table, grown = growth.judge(samples, growth.TOLERANCES if seconds >= 600 else SHORT_TOLERANCES)
    print(table)
    print("%d rounds, %d deaths, %d records" % (len(samples), died, sum(trace.counts.values())))
    assert not grown, "these grow: " + " ".join(grown)


def find_leaks():
    samples, _, _ = run(0, 0, SHORT, rounds=SHORT_ROUNDS)
    table, grown = growth.judge(samples, SHORT_TOLERANCES)
    assert not grown, "nothing is lost, but these grow: %s\n%s" % (" ".join(grown), table)
    for lost, expected in LEAKS.items():
        samples, _, _ = run(0, 0, [*SHORT, "--leak=" + lost], rounds=SHORT_ROUNDS)
        table, grown = growth.judge(samples, SHORT_TOLERANCES)
        print("a lost %s:\n%s" % (lost, table), flush=True)
        assert expected in grown, "nobody found that every round loses a %s: %s should grow" % (lost, expected)


def main():
    own_shm.enter()
    try:
        if sys.argv[1:] == ["--leaks"]:
            find_leaks()
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
