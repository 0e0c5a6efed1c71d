"""The libraries use no network and write no file: checked with strace."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import INSUFFICIENT_DRIVER, NATIVE, SKIPPED, main

NETWORK = "socket,connect,bind,listen,accept,accept4,sendto,sendmsg"
FILES = "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,symlink,symlinkat,link,linkat"


def can_trace():
    if shutil.which("strace") is None:
        return False
    probe = subprocess.run(["strace", "-o", "/dev/null", "/bin/true"], capture_output=True, check=False)
    return probe.returncode == 0


class Quiet(unittest.TestCase):
    def calls(self, **environment):
        with tempfile.NamedTemporaryFile("r") as log:
            result = subprocess.run(
                ["strace", "-f", "-qq", "-o", log.name, "-e", f"trace={NETWORK},{FILES}",
                 os.path.join(NATIVE, "asks")], capture_output=True, text=True, timeout=60,
                env={**os.environ, **environment}, check=False)
            self.assertEqual(0, result.returncode, result.stderr)
            return result.stdout, log.read().splitlines()

    def check(self, calls):
        self.assertTrue(any("libcudart.so.12" in call for call in calls), "strace saw nothing")
        for call in calls:
            if "/dev/shm/torchada-musa-" in call:
                continue  # The stand-in's account of device memory, which all processes share.
            self.assertNotRegex(call, rf"\b({NETWORK.replace(',', '|')})\(", "a network call")
            self.assertNotRegex(call, r"O_WRONLY|O_RDWR|O_CREAT|\b(creat|mkdir|rename|unlink|symlink|link)",
                                "something was written")

    def test_with_the_cpu_tree(self):
        answer, calls = self.calls()
        self.assertEqual("0 1 unset\n", answer)
        self.check(calls)

    def test_without_musa(self):
        answer, calls = self.calls(TORCHADA_MUSA_PATH="/nonexistent", TORCHADA_LOG="off")
        self.assertEqual(f"{INSUFFICIENT_DRIVER} -7 unset\n", answer)
        self.check(calls)


if __name__ == "__main__":
    if not can_trace():
        print("SKIPPED: no strace, or it may not trace here: files and network were not looked at")
        sys.exit(SKIPPED)
    main()
