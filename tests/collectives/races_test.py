#!/usr/bin/env python3
"""races_test.py ROUNDS: aborts, splits and registrations of ranks race with their collectives."""
import os
import subprocess
import sys

import job


def main():
    command = [os.path.join(job.PROGRAMS, "races"), sys.argv[1], str(os.getpid())]
    ended = subprocess.run(command, env=job.environment(TORCHADA_HOST_DEVICES="4"), capture_output=True, text=True,
                           timeout=800, check=False)
    # The second number makes a failure happen again.
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ok\n", ""), (command, ended)
    print(" ".join(command) + ": ok")


if __name__ == "__main__":
    main()
