#!/usr/bin/env python3
"""leaving_test.py RUNS SENDS: the ranks of correct programs end as early as they may, also the one
that made the id. Every rank must succeed, and no message may be lost.

The first runs make sure that the process that made the id is slow between its last messages to the
ranks, as a busy machine would. The others leave it to chance."""
import os
import sys

import job

RANKS = 8
WAYS = ("destroy", "hurry", "return", "vanish")
# A message that fits into the buffers between two ranks, and one that exceeds what they hold.
SIZES = (1000, 3000000)


def failures(results):
    """The ranks that did not succeed."""
    return [(rank, *result) for rank, result in enumerate(results) if result != (0, "ok\n", "")]


def with_slow_first(hosts):
    """The same hosts; rank 0, which makes the id, is slow."""
    (prefix, variables), *others = hosts or [([], {})] * RANKS
    return [(prefix, {**variables, "LD_PRELOAD": os.path.join(job.PROGRAMS, "late_begin.so")}), *others]


def main():
    runs, sends = int(sys.argv[1]), int(sys.argv[2])
    failed, ranks, lost = [], 0, []
    for _, hosts in job.layouts(RANKS):
        for way in WAYS:
            failed += failures(job.Job("leaver", RANKS, way, hosts=with_slow_first(hosts)).wait(60))
            ranks += RANKS
    layouts = [hosts for _, hosts in job.layouts(RANKS)]
    for run in range(runs):
        hosts = layouts[run // len(WAYS) % len(layouts)]
        failed += failures(job.Job("leaver", RANKS, WAYS[run % len(WAYS)], hosts=hosts).wait(60))
        ranks += RANKS
    print("%d of %d ranks failed" % (len(failed), ranks))
    layouts = [hosts for _, hosts in job.layouts(2)]
    for number in range(sends):
        how = ("send", "unwaited")[number % 2]
        # Late receivers take long, so there are few.
        late = 3 if number % 20 in (0, 5, 10) else 0
        hosts = layouts[number // 2 % len(layouts)]
        wrong = failures(job.Job("leaver", 2, how, SIZES[number // 4 % 2], late, hosts=hosts).wait(60))
        lost += [(number, how, bool(hosts), late, *each) for each in wrong]
    print("%d of %d messages lost" % (len({each[0] for each in lost}), sends))
    for each in failed[:5] + lost[:5]:
        print(each)
    assert not failed and not lost


if __name__ == "__main__":
    main()
