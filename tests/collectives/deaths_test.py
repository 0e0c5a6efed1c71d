#!/usr/bin/env python3
"""deaths_test.py TIMES [SEED]: kills one of four ranks at a random moment, also while they still meet. The others
always end with an error within ten seconds."""
import os
import random
import sys
import time

import job

RANKS = 4
LIMIT = 10


def await_arrival(process):
    """Until it has sockets of its own and one to the process that made the id: of a rank that never came nobody knows
    that it died."""
    def sockets():
        folder = "/proc/%d/fd" % process
        found = 0
        for name in os.listdir(folder):
            try:
                found += os.readlink(os.path.join(folder, name)).startswith("socket:")
            except FileNotFoundError:
                pass
        return found

    end = time.monotonic() + 30
    while sockets() < 3:
        assert time.monotonic() < end, "the rank did not come"
        time.sleep(0.001)
    time.sleep(0.02)


def main():
    times = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    print("seed", seed)
    choice = random.Random(seed)
    slowest = 0
    layouts = [hosts for _, hosts in job.layouts(RANKS)]
    for turn in range(times):
        work = job.Job("incident", RANKS, "busy", hosts=layouts[turn % len(layouts)])
        early = turn % 4 >= 2
        if not early:
            work.wait_for_output("ready")
        victim = choice.randrange(RANKS)
        if early:
            await_arrival(work.processes[victim].pid)
        time.sleep(choice.uniform(0, 0.1 if early else 0.3))
        work.kill(victim)
        killed = time.monotonic()
        results = work.wait(60)
        took = time.monotonic() - killed
        slowest = max(slowest, took)
        for rank, (status, out, err) in enumerate(results):
            if rank == victim:
                assert status == -9, (turn, results)
                continue
            # While ranks meet, those may come later than the dead one: its id is void then.
            words = ["error %d" % job.REMOTE_ERROR]
            if early:
                words += ["init %d" % job.REMOTE_ERROR, "init 5", "init 2"]
            assert status in (3, 4) and out.splitlines()[-1] in words, (turn, victim, rank, status, out, err)
        assert took <= LIMIT, "%.1f s after rank %d died" % (took, victim)
    print("%d deaths, the last rank ended at most %.1f s later" % (times, slowest))


if __name__ == "__main__":
    main()
