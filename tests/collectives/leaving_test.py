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


def main():
    runs, sends = int(sys.argv[1]), int(sys.argv[2])
    failed, ranks, lost = [], 0, []
    slow_first = {0: {"LD_PRELOAD": os.path.join(job.PROGRAMS, "late_begin.so")}}
    for run in range(-len(WAYS), runs):
        of_rank = slow_first if run < 0 else None
        failed += failures(job.Job("leaver", RANKS, WAYS[run % len(WAYS)], of_rank=of_rank).wait(60))
        ranks += RANKS
    print("%d of %d ranks failed" % (len(failed), ranks))
    for number in range(sends):
        how = ("send", "unwaited")[number % 2]
        # Late receivers take long, so there are few.
        late = 3 if number % 20 in (0, 5, 10) else 0
        wrong = failures(job.Job("leaver", 2, how, SIZES[number // 2 % 2], late).wait(60))
        lost += [(number, how, late, *each) for each in wrong]
    print("%d of %d messages lost" % (len({each[0] for each in lost}), sends))
    for each in failed[:5] + lost[:5]:
        print(each)
    assert not failed and not lost


if __name__ == "__main__":
    main()
