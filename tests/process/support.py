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

# Where LLVM was missing, the build has no compiler of device code.
COMPILES = os.path.exists(os.path.join(STAGE, "host", "kernels", "torchada-kernels"))

INSUFFICIENT_DRIVER = 35
SKIPPED = 77


def run_python(code, **environment):
    """Runs Python code in a new process; returns the finished process, with text streams."""
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **environment}, check=False)


def works(*command):
    """Whether a command can be started and succeeds."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


class EveryLibrary(unittest.TestCase):
    """Runs every_library.py in a place."""
    PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "every_library.py")
    PARTS = ("runtime", "driver", "product", "random", "transform", "kernel", "communicator", "management")
    FOLDERS = ("", "driver", "nvml")  # Of the libraries, below lib.

    def check(self, place, refused):
        """Each library works behind the command `place`, or is refused with a text that matches `refused`."""
        if not COMPILES:
            print("SKIPPED: kernel, as there is no compiler of device code")
            refused = {part: said for part, said in refused.items() if part != "kernel"}
        whole = [part for part in self.PARTS if part not in refused and (COMPILES or part != "kernel")]
        ended = self.start(place, *whole)
        self.assertEqual((0, [part + ": right" for part in whole]),
                         (ended.returncode, ended.stdout.splitlines()), self.shown)
        for part, said in refused.items():
            ended = self.start(place, part)
            self.assertEqual(0, ended.returncode, self.shown)
            self.assertRegex(ended.stdout, rf"(?m)^{part}: \w+ returned \d+", self.shown)
            self.assertRegex(ended.stdout + ended.stderr, said, self.shown)

    def start(self, place, *parts):
        # NCCL writes its reasons into its log only if a user asks for it.
        environment = {**os.environ, "NCCL_DEBUG": "WARN",
                       "LD_LIBRARY_PATH": ":".join(os.path.join(LIB, folder) for folder in self.FOLDERS)}
        command = [*place, sys.executable, "-B", self.PROGRAM, *parts]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment, check=False)
        self.shown = f"{' '.join(command)}: {ended.returncode}\n{ended.stdout}{ended.stderr}"
        return ended


def main():
    program = unittest.main(exit=False)
    sys.exit(0 if program.result.wasSuccessful() else 1)
