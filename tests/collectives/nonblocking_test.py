#!/usr/bin/env python3
"""Communicators that do not block while their ranks meet."""
import os
import sys

import job

RANKS = 3
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nonblocking_rank.py")
HAS_CONFIG = job.TREE not in ("3.1", "4.3")

for what in ("all", "abort") if HAS_CONFIG else ("all",):
    job.expect_success(job.Job("", RANKS, what, command=[sys.executable, "-B", SCRIPT]).wait(120), "ok")
    print(what + ": ok")
