#!/usr/bin/env python3
"""The wrappers of inference servers, with four ranks, on one host and on two."""
import os
import sys

import job

RANKS = 4
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pynccl_rank.py")

for name, hosts in job.layouts(RANKS):
    job.expect_success(job.Job("", RANKS, hosts=hosts, command=[sys.executable, "-B", SCRIPT]).wait(120), "ok")
    print(name, "ok")
