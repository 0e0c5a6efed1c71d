"""The command in a mount namespace without /proc; without the permission to create one, it tests
nothing."""
import os
import subprocess
import sys

import support
from support import STAGE, TORCHADA, start

EMPTY = 'mount -t tmpfs none /proc && exec "$@"'


def may_mount():
    command = ["unshare", "-m", "/bin/sh", "-c", EMPTY, "sh", "/bin/true"]
    try:
        return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


class WithoutProc(support.LoaderTest):

    def started(self, *words, **environment):
        return start("unshare", "-m", "/bin/sh", "-c", EMPTY, "sh", *words, **environment)

    def test_finds_itself(self):
        link = os.path.join(self.make_folder(), "torchada")
        os.symlink(TORCHADA, link)
        for command in (TORCHADA, link, "torchada"):
            for words in (["--version"], ["explain", "cudaMalloc"], ["coverage"]):
                result = self.started(command, *words,
                                      PATH=os.path.join(STAGE, "bin") + ":" + os.environ["PATH"])
                self.check((0, ""), (result.status, result.stderr), result)

    def test_runs_a_program(self):
        script = ("import ctypes\ncount = ctypes.c_int()\n"
                  "print(ctypes.CDLL('libcudart.so.12').cudaGetDeviceCount(ctypes.byref(count)),"
                  " count.value)")
        result = self.started(TORCHADA, "run", "--backend=host", "--", sys.executable, "-c", script,
                              TORCHADA_MUSA_PATH=None)
        self.check((0, "0 1\n"), (result.status, result.stdout), result)


if __name__ == "__main__":
    if not may_mount():
        print("SKIPPED: no right to mount, so nothing was tested without /proc")
        sys.exit(77)
    support.main()
