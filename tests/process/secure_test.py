"""A setuid program started by another user reads none of our variables. Root must create one."""
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

from support import DRIVER, HOST, INSUFFICIENT_DRIVER, LIB, NATIVE, SKIPPED, main, works

NOBODY = "65534"
CACHE = "/etc/ld.so.cache"


def why_skipped(folder):
    if os.geteuid() != 0:
        return "not root, so no setuid copy can be made"
    if shutil.which("setpriv") is None:
        return "no setpriv (util-linux)"
    if os.statvfs(folder).f_flag & os.ST_NOSUID:
        return f"{folder} is mounted nosuid"
    return None


class Secure(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="torchada-secure-")
        self.addCleanup(shutil.rmtree, self.folder)
        os.chmod(self.folder, 0o755)
        # The program finds the library through an absolute run path, as a setuid program may.
        self.library = os.path.join("/tmp", "torchada-secure-lib")
        shutil.rmtree(self.library, ignore_errors=True)
        os.mkdir(self.library, 0o755)
        self.addCleanup(shutil.rmtree, self.library)
        shutil.copy(os.path.join(LIB, "libcudart.so.12"), self.library)
        self.host = os.path.join(self.folder, "musa")
        shutil.copytree(HOST, self.host)
        shutil.copytree(DRIVER, os.path.join(self.host, "lib"), dirs_exist_ok=True)
        self.program = os.path.join(self.folder, "asks")
        shutil.copy(os.path.join(NATIVE, "asks"), self.program)

    def run_as_nobody(self, *before, visible="0"):
        environment = {
            "PATH": "/usr/bin:/bin", "TORCHADA_MUSA_PATH": self.host, "MUSA_HOME": self.host, "TORCHADA_LOG": "off",
            "TORCHADA_STRICT": "1", "TORCHADA_SUMMARY": "1", "TORCHADA_LOG_FILE": os.path.join(self.folder, "log"),
            "CUDA_VISIBLE_DEVICES": visible, "NCCL_DEBUG": "INFO"
        }
        return subprocess.run([*before, "setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups",
                               self.program], capture_output=True, text=True, timeout=30,
                              env=environment, check=False)

    def test_plain_program_reads_them(self):
        for visible in ("0", "GPU-"):  # The beginning of the only device's UUID.
            result = self.run_as_nobody(visible=visible)
            self.assertEqual("0 1 0\n", result.stdout, result.stderr)

    def test_setuid_program_does_not(self):
        os.chmod(self.program, 0o4755)
        self.assertTrue(os.stat(self.program).st_mode & stat.S_ISUID)
        result = self.run_as_nobody(visible="GPU-")
        self.assertEqual(f"{INSUFFICIENT_DRIVER} -7 unset\n", result.stdout, result.stderr)
        # TORCHADA_LOG=off is not read either, nor are variables that load or write more.
        self.assertEqual(1, len(result.stderr.splitlines()), result.stderr)
        self.assertIn("no MUSA found (TORCHADA_LOG=debug lists the places tried)", result.stderr)

    def run_with_cache(self, *folders):
        """The loader of a setuid program finds the libraries in its cache alone (ldconfig)."""
        if not works("unshare", "-m", "mount", "--bind", "/dev/null", CACHE):
            print("SKIPPED: no right to mount, so the loader's cache was not tested")
            return None
        moved = os.path.join(self.folder, "lib")  # Not where the program's own path leads.
        shutil.copytree(self.library, moved)
        os.remove(os.path.join(self.library, "libcudart.so.12"))
        configuration, cache = os.path.join(self.folder, "configuration"), os.path.join(self.folder, "cache")
        with open(configuration, "w", encoding="utf-8") as out:
            out.write("\n".join([moved, *folders]) + "\n")
        subprocess.run(["/sbin/ldconfig", "-X", "-C", cache, "-f", configuration], check=True,
                       stderr=subprocess.DEVNULL)
        os.chmod(self.program, 0o4755)
        return self.run_as_nobody("unshare", "-m", "/bin/sh", "-c", f'mount --bind {cache} {CACHE} && exec "$0" "$@"')

    def test_setuid_program_finds_us_in_the_loaders_cache(self):
        result = self.run_with_cache()
        if result is None:
            return
        self.assertEqual(f"{INSUFFICIENT_DRIVER} -7 unset\n", result.stdout, result.stderr)
        self.assertIn("no MUSA found", result.stderr)

    def test_setuid_program_finds_musa_in_the_loaders_cache(self):
        result = self.run_with_cache(os.path.join(self.host, "lib"))
        if result is None:
            return
        self.assertEqual(("0 1 unset\n", ""), (result.stdout, result.stderr))


if __name__ == "__main__":
    reason = why_skipped("/tmp")
    if reason:
        print("SKIPPED: setuid programs were not tested:", reason)
        sys.exit(SKIPPED)
    main()
