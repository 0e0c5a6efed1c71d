#!/usr/bin/env python3
"""processes_test.py RANKS [full]: every collective, compared with the reference. Each rank is
a process."""
import sys

import job


def main():
    ranks = int(sys.argv[1])
    results = job.Job("every_collective", ranks, "full" if sys.argv[2:] == ["full"] else "quick",
                      *([] if job.HAS_FLOAT8 else ["no_float8"])).wait(900)
    job.expect_success(results, "checks")
    checks = {out for _, out, _ in results}
    assert len(checks) == 1, checks
    print(ranks, "ranks:", checks.pop().strip(), "each")


if __name__ == "__main__":
    main()
