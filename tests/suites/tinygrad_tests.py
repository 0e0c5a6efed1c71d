#!/usr/bin/env python3
"""tinygrad's own tests of what its devices have in common, on its CUDA device. It writes a kernel as CUDA C++, gives it
to NVRTC, and launches it through the driver.

 tinygrad_tests.py STAGE WORK [FILE...]

FILE: as backend/test_jit.py. Tests that import torch are left out: they compare with it, and it is another client.
A table tinygrad.csv would say which are not expected to pass; there is none."""
import glob
import os
import re
import sys

import by_pytest
from suite import HERE, Suite

# It fails if one of two times is much longer than the other.
COMPARES_TIMES = "backend/test_schedule.py::TestLimitBufs::test_limit_bufs_linear_scaling"


def compares_with_torch(path):
    with open(path, encoding="utf-8") as file:
        return re.search(r"^\s*(import|from) torch\b", file.read(), re.M)


def main():
    suite = Suite("tinygrad", __doc__, "--abi=12")
    sources = suite.sources()
    python = by_pytest.environment_of(suite, os.path.join(HERE, "tinygrad.txt"))
    tests = os.path.join(sources, "test")
    paths = glob.glob(os.path.join(tests, "test_*.py")) + glob.glob(os.path.join(tests, "backend", "test_*.py"))
    files = sorted(os.path.relpath(path, tests) for path in paths if not compares_with_torch(path))
    environment = {"PYTHONPATH": sources, "DEV": "CUDA", "CACHELEVEL": "0", "TORCHADA_HOST_DEVICES": "6"}
    return suite.judge(by_pytest.outcomes(suite, python, suite.chosen(files), folder=tests, environment=environment,
                                          options=["--deselect=" + COMPARES_TIMES]))


sys.exit(main())
