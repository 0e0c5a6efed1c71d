#!/usr/bin/env python3
"""Explores every interleaving of the model, or shows that it finds defects that are put into it.

  run_model.py scenarios [--all]   each scenario must hold; --all adds those that take minutes and
                                   several GiB
  run_model.py mutants             each mutant must fail, and for the reason that is stated here

Needs spin and a C compiler. Exit status: 0 if all is as expected, otherwise 1.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MEMORY = 1000  # MiB that one search may take.
MEMORY_OF_ALL = 8000
# Of the verifier. Most searches are too short for an optimised one to pay. COLLAPSE: less memory, more time, and still
# exact.
QUICK, OF_ALL = ["-O0"], ["-O1", "-DCOLLAPSE"]


def calls(first, second, third):
    return [f"CALLS_0={first}", f"CALLS_1={second}", f"CALLS_2={third}"]


ONE, TWO = ["REPLACEMENTS=1"], ["REPLACEMENTS=2"]
OBSERVING = ["OBSERVING"]  # The model of that name.
SCENARIOS = {
    "three threads, both symbols": ONE + calls(2, 2, 2),
    "exit, two threads, both symbols": ONE + calls(2, 2, 0) + ["EXIT"],
    "fork": ONE + calls(2, 2, 1) + ["FORK"],
    "a constructor calls back": ONE + calls(2, 2, 1) + ["CALLBACK"],
    "a constructor calls back, exit": ONE + calls(2, 1, 0) + ["CALLBACK", "EXIT"],
    "a constructor calls back, fork": ONE + calls(2, 1, 0) + ["CALLBACK", "FORK"],
    "every constructor calls back": ONE + calls(2, 1, 1) + ["CALLBACK", "SIBLING_CALLS_BACK"],
    "the program loads a MUSA": ONE + calls(2, 2, 0) + ["STRANGER"],
    "the program loads a MUSA, three threads": ONE + calls(1, 1, 1) + ["STRANGER"],
    "two libraries, exit": TWO + calls(1, 1, 0) + ["EXIT"],
    "two libraries, fork": TWO + calls(1, 1, 1) + ["FORK"],
    "two libraries, a constructor calls back": TWO + calls(1, 1, 1) + ["CALLBACK"],
    "two libraries, a constructor calls back, exit": TWO + calls(1, 1, 0) + ["CALLBACK", "EXIT"],
    "two libraries, every constructor calls back": TWO + calls(1, 1, 1) + ["CALLBACK", "SIBLING_CALLS_BACK"],
    "two libraries, the program loads a MUSA": TWO + calls(1, 1, 1) + ["STRANGER"],
    "a profiler begins and ends": OBSERVING + ["CHANGES=3"],
    "a profiler begins and ends, exit": OBSERVING + ["CHANGES=2", "EXIT"],
    "a profiler began before": OBSERVING + ["CHANGES=0", "LATE"],
    "a profiler began before, exit": OBSERVING + ["CHANGES=0", "LATE", "EXIT"],
}
LONG_SCENARIOS = {
    "exit, three threads": ONE + calls(1, 1, 1) + ["EXIT"],
    "exit, three threads, one with both symbols": ONE + calls(2, 1, 1) + ["EXIT"],
    "the program loads a MUSA, a constructor calls back": ONE + calls(2, 1, 1) + ["STRANGER", "CALLBACK"],
    "two libraries, exit, three threads": TWO + calls(1, 1, 1) + ["EXIT"],
    "two libraries, a constructor calls back, fork": TWO + calls(1, 1, 1) + ["CALLBACK", "FORK"],
}

# Name of the macro: the scenario, and what spin must say.
WATCHED, DEADLOCK = r"assertion violated (spare|watches\[)", "invalid end state"
NOT_BACK = r"assertion violated .*slot\[.*\]!=2"
SPELLING = r"assertion violated .*found-8\)%2"  # Not what every thread finds.
TOO_EARLY = r"assertion violated .*constructed\[|" + SPELLING
MUTANTS = {
    "PUBLISH_BEFORE_COMPLETE":
        (ONE + calls(1, 1, 0), r"assertion violated .*backend!=0\)&&\(backend!=255"),
    "CLAIM_CHECKED_THEN_SET": (ONE + calls(1, 1, 0), r"assertion violated .*published\["),
    "LOCK_ACROSS_DLOPEN": (ONE + calls(1, 1, 0) + ["CALLBACK"], DEADLOCK),
    "ROOT_CHECKED_BEFORE_ONLY":
        (ONE + calls(1, 1, 0) + ["STRANGER"], r"assertion violated .*(the_one|sibling\[)"),
    "PLAIN_STORE_TO_THE_SLOT": (ONE + calls(1, 1, 0) + ["EXIT"], NOT_BACK),
    "NEVER_ASKS_WHETHER_IT_IS_OVER": (ONE + calls(1, 1, 0) + ["EXIT"], NOT_BACK + r"|assertion violated .*late"),
    "WATCH_AFTER_PUBLISHING": (ONE + calls(1, 1, 0), WATCHED),
    "ONLY_THE_PUBLISHER_WATCHES": (ONE + calls(1, 1, 0), WATCHED),
    "SIBLING_IS_NOT_WATCHED": (ONE + calls(1, 1, 0), WATCHED),
    "LOSER_DOES_NOT_WATCH_THE_SIBLING": (ONE + calls(2, 2, 0), WATCHED),
    "KEEPS_WHAT_A_CONSTRUCTOR_RESOLVED": (ONE + calls(1, 1, 1) + ["CALLBACK"], TOO_EARLY),
    "KEEPS_A_SIBLING_UNDER_CONSTRUCTION":
        (ONE + calls(2, 1, 1) + ["CALLBACK", "SIBLING_CALLS_BACK"], TOO_EARLY + "|" + WATCHED),
    "KEEPS_THE_VERSION_OF_A_CONSTRUCTOR":
        (ONE + calls(1, 1, 0) + ["CALLBACK"], SPELLING),
    "CHILD_DOES_NOT_KNOW_WHAT_WAS_HALF_DONE": (ONE + calls(1, 1, 0) + ["FORK"], r"assertion violated .*half_done"),
    "LIBRARIES_DO_NOT_ASK_EACH_OTHER, callback":
        (TWO + calls(1, 1, 1) + ["CALLBACK"], TOO_EARLY + "|" + WATCHED),
    "LIBRARIES_DO_NOT_ASK_EACH_OTHER, exit": (TWO + calls(1, 1, 0) + ["EXIT"], r"assertion violated .*late"),
    "LIBRARIES_DO_NOT_ASK_EACH_OTHER, fork":
        (TWO + calls(1, 1, 0) + ["FORK"], r"assertion violated .*(child|half_done)"),
    "NO_SECOND_LOOK_AT_THE_EPOCH": (OBSERVING + ["CHANGES=1"], "assertion violated 0"),
    "SLOTS_BEFORE_THE_EPOCH": (OBSERVING + ["CHANGES=1"], "assertion violated 0"),
    "EPOCH_BEFORE_THE_PLAN": (OBSERVING + ["CHANGES=0", "LATE"], r"assertion violated .*address==3"),
    "PUTS_BACK_WITHOUT_LOOKING": (OBSERVING + ["CHANGES=1", "EXIT"], r"assertion violated .*slot==4"),
}


def search(macros, memory, options):
    """What the verifier prints. It stops at the first error."""
    with tempfile.TemporaryDirectory(prefix="torchada-model-") as folder:
        def run(*command):
            ended = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   check=False)
            return ended.returncode, ended.stdout
        model = os.path.join(HERE, "observe.pml" if OBSERVING[0] in macros else "open_and_publish.pml")
        status, said = run("spin", "-a", *("-D" + macro for macro in macros), model)
        if status or not os.path.exists(os.path.join(folder, "pan.c")):
            sys.exit(f"spin: status {status}\n{said}")
        # SAFETY: assertions and deadlocks, no liveness.
        status, said = run("cc", *options, "-w", "-DSAFETY", "-DVECTORSZ=2048", f"-DMEMLIM={memory}",
                           "-o", "pan", "pan.c")
        if status:
            sys.exit(f"cc: status {status}\n{said}")
        return run("./pan", "-m100000")[1]


def fact(pattern, said):
    found = re.search(pattern, said, re.MULTILINE)
    return found.group(1) if found else None


def is_complete(said):
    """Without errors, and nothing was left out for lack of memory, depth or time."""
    incomplete = re.search(r"not completed|too small|reached -DMEMLIM|out of memory|truncated|hash-?compact|bitstate|"
                           r"aborted|error: ", said, re.IGNORECASE)
    return fact(r"errors: (\d+)", said) == "0" and fact(r"(\d+) states, stored", said) and not incomplete


def explore(scenarios, memory, options):
    failures = 0
    for name, macros in scenarios.items():
        begun = time.monotonic()
        said = search(macros, memory, options)
        holds = is_complete(said)
        states, used = fact(r"(\d+) states, stored", said), fact(r"([\d.]+)\ttotal actual memory", said)
        print(f"{'holds' if holds else 'FAILED'}: {name}: {int(states or 0):,} states, {float(used or 0):.0f} MiB, "
              f"{time.monotonic() - begun:.1f} s", flush=True)
        if not holds:
            failures += 1
            print(said)
    print(f"{len(scenarios)} scenarios, {failures} failed")
    return failures


def kill_mutants():
    survivors = 0
    for name, (macros, reason) in MUTANTS.items():
        said = search(macros + ["MUTANT_" + name.split(",")[0]], MEMORY, QUICK)
        first = fact(r"^(pan:\d+: .*)$", said) or "no error"
        is_killed = re.search(reason, first) and fact(r"errors: (\d+)", said) != "0"
        print(f"{'found' if is_killed else 'NOT FOUND'}: {name}: {first}", flush=True)
        survivors += 0 if is_killed else 1
    print(f"{len(MUTANTS)} mutants, {survivors} not found as expected")
    return survivors


def main():
    words = sys.argv[1:]
    if words == ["mutants"]:
        return 1 if kill_mutants() else 0
    if words == ["scenarios"]:
        return 1 if explore(SCENARIOS, MEMORY, QUICK) else 0
    if words == ["scenarios", "--all"]:
        return 1 if explore({**SCENARIOS, **LONG_SCENARIOS}, MEMORY_OF_ALL, OF_ALL) else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
