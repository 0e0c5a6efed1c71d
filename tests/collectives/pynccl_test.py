#!/usr/bin/env python3
"""The wrappers of inference servers, with four ranks."""
import os
import sys

import job

RANKS = 4
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pynccl_rank.py")

job.expect_success(job.Job("", RANKS, command=[sys.executable, "-B", SCRIPT]).wait(120), "ok")
