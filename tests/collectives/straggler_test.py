#!/usr/bin/env python3
"""straggler_test.py SECONDS: neither a late rank nor a stopped rank is an error."""
import signal
import sys
import time

import job


def main():
    seconds = int(sys.argv[1])
    job.expect_success(job.Job("incident", 3, "late", seconds).wait(seconds + 60), "ok")
    work = job.Job("incident", 3, "busy")
    work.wait_for_output("ready")
    work.kill(2, signal.SIGSTOP)
    time.sleep(seconds)
    work.kill(2, signal.SIGCONT)
    time.sleep(0.5)
    ended = [process.args for process in work.processes if process.poll() is not None]
    work.kill_all()
    assert not ended, ended
    print("late and stopped for %d s" % seconds)


if __name__ == "__main__":
    main()
