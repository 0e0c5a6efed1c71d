"""torchada run: what it passes on, what it refuses, what it prints."""
import os
import signal
import sys

import support
from support import HOST, LIB, OF_RUN, STAGE, run, show

TORCHADA = os.path.join(STAGE, "bin", "torchada")
# Only what the command itself sets.
OFFERED = LIB + ":" + OF_RUN
PLAIN = {"LD_LIBRARY_PATH": None, "TORCHADA_MUSA_PATH": None}
NOWHERE = "/nonexistent/torchada-programs"
# Prints which of the names open our libraries. NVIDIA's own may be in the loader's cache.
OPENS = ("import ctypes, sys\n"
         "for name in sys.argv[2:]:\n"
         "    try:\n"
         "        ctypes.CDLL(name)\n"
         "    except OSError:\n"
         "        pass\n"
         "    ours = [line for line in open('/proc/self/maps')\n"
         "            if sys.argv[1] in line and line.strip().endswith('/' + name)]\n"
         "    print(name, 'yes' if ours else 'no')\n")
USES_DEVICE = ("import ctypes\n"
               "n = ctypes.c_int(-77)\n"
               "print(ctypes.CDLL('libcudart.so.12').cudaGetDeviceCount(ctypes.byref(n)), n.value)")


def musa_is_here():
    """Does not use the command's way of searching."""
    folders = ["/usr/local/musa"] + run("/sbin/ldconfig", "-p").stdout.split()
    return any("libmusart" in word for word in folders) or os.path.exists(folders[0])


def torchada(*words, **environment):
    return run(TORCHADA, *words, **dict(PLAIN, **environment))


class Command(support.ProgramTest):

    def ended(self, status, result):
        self.assertEqual(status, result.returncode, show(result))

    def shell(self, text, *flags, **environment):
        return torchada("run", "--backend=host", *flags, "--", "/bin/sh", "-c", text, **environment)

    def test_exit_status(self):
        for status in (0, 1, 7, 255):
            result = self.shell("echo out; echo err >&2; exit %d" % status)
            self.assertEqual((status, "out\n", "err\n"),
                             (result.returncode, result.stdout, result.stderr))

    def test_signal(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGABRT):
            self.ended(-number, self.shell("ulimit -c 0; kill -%d $$" % number))

    def test_not_found(self):
        result = torchada("run", "--backend=host", "--", "torchada-programs-no-such-command")
        self.ended(127, result)
        self.assertIn("torchada-programs-no-such-command", result.stderr)
        self.assertEqual(1, len(result.stderr.splitlines()), show(result))
        self.ended(127, torchada("run", "--backend=host", "--", NOWHERE + "/program"))

    def test_not_executable(self):
        for path in (os.path.abspath(__file__), "/"):
            result = torchada("run", "--backend=host", "--", path)
            self.ended(126, result)
            self.assertIn(path, result.stderr)

    def test_bad_usage(self):
        for words in (["run"], ["run", "--"], [], ["no-such-command"],
                      ["run", "--backend=nothing", "--", "/bin/true"],
                      ["run", "--abi=14", "--backend=host", "--", "/bin/true"],
                      ["run", "--abi=../..", "--backend=host", "--", "/bin/true"],
                      ["run", "--no-such-flag", "--", "/bin/true"]):
            with self.subTest(words):
                result = torchada(*words)
                self.ended(2, result)
                self.assertNotEqual("", result.stderr)
                self.assertEqual("", result.stdout)

    def test_words_of_the_program(self):
        """Everything after "--" belongs to the program, whatever it looks like."""
        words = ["--help", "--version", "--abi=13", "-v", "", "two words", "--", "--backend=musa"]
        result = torchada("run", "--backend=host", "--", "/usr/bin/printf", "%s|", *words)
        self.assertEqual((0, "|".join(words) + "|", ""),
                         (result.returncode, result.stdout, result.stderr))

    def test_program_without_dashes(self):
        result = torchada("run", "--backend=host", "/bin/echo", "a", "b")
        self.assertEqual((0, "a b\n", ""), (result.returncode, result.stdout, result.stderr))

    def test_flags_of_a_program_without_dashes(self):
        """From the program's name on, words belong to the program, as with env, nice or timeout;
        otherwise the command asks for "--". No word may silently go to the wrong side."""
        for words in (["-v"], ["--abi=13", "x"], ["-n", "x"], ["--help"], ["--version"]):
            with self.subTest(words):
                result = torchada("run", "--backend=host", "/usr/bin/printf", "%s|", *words)
                self.assertIn((result.returncode, result.stdout),
                              [(0, "|".join(words) + "|"), (2, "")], show(result))

    def test_host_backend_is_used(self):
        result = torchada("run", "--backend=host", "--", sys.executable, "-c", USES_DEVICE)
        self.assertEqual((0, "0 1\n", ""), (result.returncode, result.stdout, result.stderr))

    def test_restricted_to_one_major(self):
        names = sorted(name for name in os.listdir(LIB) if ".so." in name)
        self.assertIn("libcudart.so.12", names)
        for flag, folder in (("--abi=11", "cu11"), ("--abi=12", "cu12"), ("--abi=13", "cu13"),
                             ("--via=path", "")):
            with self.subTest(flag):
                result = torchada("run", "--backend=host", flag, "--", sys.executable, "-c", OPENS,
                                  LIB, *names)
                offered = os.listdir(os.path.join(LIB, folder))
                expected = ["%s %s" % (name, "yes" if name in offered else "no") for name in names]
                self.assertEqual(expected, result.stdout.splitlines(), show(result))
                self.assertEqual(["torchada: audit: %s is not offered: torchada run --abi offers "
                                  "only the libraries in %s; the request fails"
                                  % (name, os.path.join(LIB, folder))
                                  for name in names if name not in offered],
                                 result.stderr.splitlines(), show(result))

    def test_unversioned_name(self):
        script = ("import ctypes, sys\n"
                  "v = ctypes.c_int()\n"
                  "ctypes.CDLL('libcudart.so').cudaRuntimeGetVersion(ctypes.byref(v))\n"
                  "print(v.value // 1000)")
        for flag, major in (("--abi=11", 11), ("--abi=12", 12), ("--abi=13", 13),
                            ("--backend=host", 12)):
            result = torchada("run", "--backend=host", flag, "--", sys.executable, "-c", script)
            self.assertEqual("%d\n" % major, result.stdout, show(result))

    def test_library_path_is_kept(self):
        show_path = "printf %s \"$LD_LIBRARY_PATH\""
        self.assertEqual(OFFERED, self.shell(show_path).stdout)
        self.assertEqual(OFFERED + ":/a:/b", self.shell(show_path, LD_LIBRARY_PATH="/a:/b").stdout)
        self.assertEqual(OFFERED, self.shell(show_path, LD_LIBRARY_PATH="").stdout)

    def test_works_through_a_link(self):
        folder = os.path.join(os.getcwd(), "command_link_%d" % os.getpid())
        os.symlink(TORCHADA, folder)
        self.addCleanup(os.unlink, folder)
        result = run(folder, "run", "--backend=host", "--", "/bin/sh", "-c",
                     "printf %s \"$LD_LIBRARY_PATH\"", **PLAIN)
        self.assertEqual((0, OFFERED), (result.returncode, result.stdout), show(result))


class WithoutMusa(support.ProgramTest):
    """On a machine without MUSA."""

    def test_stand_in_is_said(self):
        result = torchada("run", "--", sys.executable, "-c", USES_DEVICE)
        self.assertEqual((0, "0 1\n"), (result.returncode, result.stdout), show(result))
        self.assertRegex(result.stderr, r"\Atorchada: [^\n]*no MUSA found[^\n]*CPU[^\n]*\n\Z")
        self.assertIn(HOST, result.stderr)

    def test_musa_asked_for(self):
        result = torchada("run", "--backend=musa", "--", "/bin/echo", "started")
        self.assertEqual((2, ""), (result.returncode, result.stdout), show(result))
        self.assertRegex(result.stderr, r"\Atorchada: [^\n]*no MUSA found[^\n]*\n\Z")

    def test_musa_where_a_variable_says(self):
        for name in ("TORCHADA_MUSA_PATH", "MUSA_HOME", "MUSA_PATH"):
            with self.subTest(name):
                result = torchada("run", "--backend=musa", "--", sys.executable, "-c", USES_DEVICE,
                                  **{name: HOST})
                self.assertEqual((0, "0 1\n", ""),
                                 (result.returncode, result.stdout, result.stderr))


if __name__ == "__main__":
    if "WithoutMusa" in sys.argv and musa_is_here():
        print("SKIPPED: this machine has a MUSA, so what happens without one was not tested")
        sys.exit(77)
    support.main()
