#!/usr/bin/env python3
"""incidents_test.py [NAME...]: real and apparent failures."""
import os
import sys
import time

import job

RANKS = 3
MISMATCHES = ["count", "none", "type", "operator", "root", "kind"]
# The bytes that rank 0 sends and that rank 1 receives. A million exceeds what the buffers between
# them hold.
MESSAGES = ["message %d %d" % pair for pair in ((10, 11), (0, 10), (10, 0), (0, 1000000), (1000000, 0), (1000000, 10))]


def main():
    for what in sys.argv[1:] or MISMATCHES + MESSAGES + ["abort", "leave"]:
        began = time.monotonic()
        results = job.Job("incident", RANKS, *what.split()).wait(60)
        took = time.monotonic() - began
        for rank, (status, out, err) in enumerate(results):
            silent = what == "leave" and rank == 1
            assert status == 0 and err == "" and out == ("" if silent else "ok\n"), (what, rank, status, out, err)
        print("%s: %.1f s" % (what, took))
    last_is_late()


def last_is_late():
    """The last rank is still in its init when the others find out that they disagree. Its init must
    succeed."""
    late = {RANKS - 1: {"LD_PRELOAD": os.path.join(job.PROGRAMS, "late_watch.so")}}
    job.expect_success(job.Job("incident", RANKS, "root", of_rank=late).wait(60), "ok")
    print("root, the last is late")


if __name__ == "__main__":
    main()
