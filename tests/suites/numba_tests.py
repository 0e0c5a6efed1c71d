#!/usr/bin/env python3
"""The tests of numba-cuda for CUDA's driver, which its wheel has.

 numba_tests.py STAGE WORK [FILE...]

FILE: as test_cuda_driver.py. numba-cuda.csv says which are not expected to pass, and why: numba compiles by NVIDIA's
libNVVM."""
import glob
import os
import sys

import by_pytest
from suite import HERE, Suite


def main():
    suite = Suite("numba-cuda", __doc__, "--abi=13")
    of_client = os.path.join(HERE, "..", "clients", "programs", "numba-cuda", "requirements.txt")
    python = by_pytest.environment_of(suite, of_client, os.path.join(HERE, "numba.txt"))
    folder, = glob.glob(os.path.join(suite.work, "venv", "lib", "python3*", "site-packages", "numba_cuda", "numba",
                                     "cuda", "tests", "cudadrv"))
    files = sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, "test_*.py")))
    # The folders that lead to the tests are no package, and one of them has the name of another package: cuda.
    options = ["-p", "numba_fixture", "-o", "consider_namespace_packages=true"]
    return suite.judge(by_pytest.outcomes(suite, python, suite.chosen(files), folder=folder, options=options,
                                          environment={"PYTHONPATH": HERE}))


sys.exit(main())
