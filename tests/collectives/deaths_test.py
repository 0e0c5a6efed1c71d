#!/usr/bin/env python3
"""deaths_test.py TIMES [SEED]: kills one of four ranks at a random moment, also while they still
meet. The others must always end with an error within ten seconds."""
import os
import random
import select
import sys
import time

import job

RANKS = 4
LIMIT = 10


# recvfrom: a rank that has said what it is waits for the others in it.
RECEIVING = {"x86_64": "45", "aarch64": "207"}[os.uname().machine]


def await_arrival(process):
    """Waits until the rank has told the process that made the id about itself, or works. Nobody could notice its death
    before that. How long a rank takes to connect says nothing: on a busy machine it may stand still meanwhile."""
    end = time.monotonic() + 30
    while not select.select([process.stdout], [], [], 0)[0]:
        with open("/proc/%d/syscall" % process.pid, encoding="utf-8") as file:
            if file.read().split()[0] == RECEIVING:
                return
        assert process.poll() is None and time.monotonic() < end, "the rank did not come"
        time.sleep(0.0005)


def main():
    times = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    print("seed", seed)
    choice = random.Random(seed)
    slowest = 0
    for turn in range(times):
        work = job.Job("incident", RANKS, "busy")
        early = turn % 2 == 1
        if not early:
            work.wait_for_output("ready")
        victim = choice.randrange(RANKS)
        if early:
            await_arrival(work.processes[victim])
        time.sleep(choice.uniform(0, 0.1 if early else 0.3))
        work.kill(victim)
        killed = time.monotonic()
        try:
            results = work.wait(60)
        except AssertionError as error:
            raise AssertionError("turn %d, rank %d died %s: %s" % (
                turn, victim, "while they met" if early else "at work", error)) from None
        took = time.monotonic() - killed
        slowest = max(slowest, took)
        for rank, (status, out, err) in enumerate(results):
            if rank == victim:
                assert status == -9, (turn, results)
                continue
            # If the rank died while the ranks met, the others may come later. The id is void then.
            words = ["error %d" % job.REMOTE_ERROR]
            if early:
                words += ["init %d" % job.REMOTE_ERROR, "init 5", "init 2"]
            assert status in (3, 4) and out.splitlines()[-1] in words, (turn, victim, rank, status, out, err)
        assert took <= LIMIT, "%.1f s after rank %d died" % (took, victim)
    print("%d deaths, the last rank ended at most %.1f s later" % (times, slowest))


if __name__ == "__main__":
    main()
