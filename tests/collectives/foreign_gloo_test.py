#!/usr/bin/env python3
"""foreign_gloo_test.py FAKE: ranks on two hosts, in programs with another gloo in the global scope.

FAKE is a library with gloo's SONAME and symbols. Calling any of them crashes."""
import os
import subprocess
import sys

import job


def main():
    fake = sys.argv[1]
    names = subprocess.run(["nm", "-D", "--defined-only", fake], capture_output=True, text=True, check=True).stdout
    assert names.count("gloo") > 500, "the fake has gloo's symbols"
    survivor = subprocess.run([os.path.join(job.PROGRAMS, "beside_gloo"), "id", "1", "0"], capture_output=True,
                              env=job.environment(LD_PRELOAD=fake))
    assert survivor.returncode < 0, "who calls the fake dies: " + str(survivor)

    results = job.Job("every_collective", 2, "quick", hosts=job.two_hosts(2), variables={"LD_PRELOAD": fake}).wait(300)
    job.expect_success(results, "checks")
    print("beside a library that pretends to be gloo:", results[0][1].strip())
    job.expect_success(job.Job("beside_gloo", 2, hosts=job.two_hosts(2)).wait(100), "ok")
    print("beside a gloo that the program uses itself: ok")


if __name__ == "__main__":
    main()
