"""Shared by the scripts in this directory. Standard library only.

CMakeLists.txt starts every script in a clean environment; see there."""
import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

from folders import temporary_folder

STAGE = os.path.realpath(os.environ["COMMAND_STAGE"])
NATIVE = os.environ["COMMAND_NATIVE"]  # directory of the compiled helpers
TORCHADA = os.path.join(STAGE, "bin", "torchada")
HOST = os.path.join(STAGE, "host")
TABLES = os.path.join(STAGE, "..", "generated", "tables.json")  # What share/tables.bin holds.
PACKED = os.path.join(STAGE, "share", "tables.bin")
GENERATOR = os.environ["COMMAND_GENERATOR"]
COMMANDS = ["run", "trace", "coverage", "check", "doctor", "explain", "info", "support-bundle", "verify", "bench",
            "kernels", "activate", "deactivate"]

OK, NO, USAGE, FAILED = 0, 1, 2, 3
SKIPPED = 77


class Result:
    def __init__(self, command, ended):
        self.command, self.status = command, ended.returncode
        self.stdout, self.stderr = ended.stdout, ended.stderr

    def json(self):
        return json.loads(self.stdout)

    def __str__(self):
        return "%s\nstatus %d\nstdout:\n%s\nstderr:\n%s" % (
            " ".join(self.command), self.status, self.stdout[:4000], self.stderr[:4000])


def start(*command, **environment):
    """Runs a program. A value of None unsets the variable."""
    merged = {**os.environ, **environment}
    merged = {name: value for name, value in merged.items() if value is not None}
    return Result(command, subprocess.run(command, env=merged, capture_output=True, text=True,
                                          errors="backslashreplace", stdin=subprocess.DEVNULL,
                                          timeout=100, check=False))


def torchada(*words, **environment):
    return start(TORCHADA, *words, **environment)


class CommandTest(unittest.TestCase):
    maxDiff = None

    def done(self, result, status=OK):
        """Checks the status, and that only errors write to stderr, only with our lines."""
        self.assertEqual(status, result.status, str(result))
        if status == OK:
            self.assertEqual("", result.stderr, str(result))
        else:
            self.assertRegex(result.stderr, r"\A(torchada: [^\n]+\n)+\Z", str(result))
        return result

    def folder(self):
        return temporary_folder(self)

    def file(self, name, text=""):
        """A file in the folder self.where. Returns its path."""
        path = os.path.join(self.where, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def own_account(self):
        """The variable for an account of the devices that no other test uses."""
        name = "command%d" % os.getpid()
        self.addCleanup(lambda: [os.unlink(path) for path in glob.glob("/dev/shm/torchada-musa-*-" + name)])
        return {"TORCHADA_HOST_ACCOUNT": name}

    def installation(self, tables=None, lib=None):
        """The command in a separate installation, with other tables (bytes, or as real_tables()) or libraries."""
        root = self.folder()
        for name in ("bin", "libexec", "share"):
            os.mkdir(os.path.join(root, name))
        # Copies, because the command finds its installation by the location of its own file.
        for name in ("bin", "libexec"):
            shutil.copy(os.path.join(STAGE, name, "torchada"), os.path.join(root, name))
        os.symlink(lib or os.path.join(STAGE, "lib"), os.path.join(root, "lib"))
        os.symlink(HOST, os.path.join(root, "host"))
        packed = os.path.join(root, "share", "tables.bin")
        if isinstance(tables, bytes):
            with open(packed, "wb") as out:
                out.write(tables)
        elif tables is not None:
            written = os.path.join(root, "tables.json")
            with open(written, "w", encoding="utf-8") as out:
                json.dump(tables, out)
            subprocess.run([GENERATOR, "pack", written, "--out=" + packed], check=True)
        return os.path.join(root, "bin", "torchada")


def need_other_users(test):
    """Skips `test` if root runs it and other users cannot reach the command, as in a clone below /root."""
    folder = STAGE
    while os.geteuid() == 0 and folder != "/":
        if not os.stat(folder).st_mode & 0o001:
            test.skipTest(f"{folder} is closed to other users; build elsewhere to run this test")
        folder = os.path.dirname(folder)


def packed_tables():
    with open(PACKED, "rb") as file:
        return file.read()


def real_tables():
    with open(TABLES, encoding="utf-8") as file:
        return json.load(file)


def main():
    program = unittest.main(exit=False, testRunner=unittest.TextTestRunner(stream=sys.stdout,
                                                                           verbosity=2))
    sys.exit(0 if program.result.wasSuccessful() else 1)
