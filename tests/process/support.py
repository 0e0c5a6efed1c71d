"""Shared by the scripts in this folder. Uses only the standard library.

CMakeLists.txt starts every script with its own environment, see there.
"""
import os
import subprocess
import sys
import unittest

STAGE = os.path.realpath(os.environ["PROCESS_STAGE"])
LIB = os.path.join(STAGE, "lib")
HOST = os.path.join(STAGE, "host", "current")
# A copy of HOST's libraries needs these beside them.
DRIVER = os.path.join(STAGE, "host", "driver", os.path.basename(os.path.realpath(HOST)))
NATIVE = os.environ["PROCESS_NATIVE"]  # Folder of the compiled helpers.

INSUFFICIENT_DRIVER = 35
SKIPPED = 77


def run_python(code, **environment):
    """Runs Python code in a new process; returns the finished process, with text streams."""
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **environment}, check=False)


def main():
    program = unittest.main(exit=False)
    sys.exit(0 if program.result.wasSuccessful() else 1)
