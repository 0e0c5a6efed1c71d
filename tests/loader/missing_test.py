"""CUDA libraries that torchada does not replace and that the loader does not find: the audit module
says which, once each, to processes that use a library of torchada."""
import os
import shutil
import subprocess
import sys

import support
from support import AUDIT, fixture, start, torchada_run

OPENER = fixture("loader_opener")
SPARSE = "libcusparse.so.97"  # A number that no machine has.
NETWORKS = "libcudnn.so.97"
SOLVERS = "libcusolver.so.97"
SPARSE_LINE = ("torchada: audit: libcusparse.so.97 was not found (cuSPARSE, sparse matrices): torchada "
               "does not replace it, and what the program does with it fails; MUSA's counterpart is "
               "muSPARSE (libmusparse): the program must be ported\n")
FORKS = """
import ctypes, os, sys
def ask(name):
    try: ctypes.CDLL(name)
    except OSError: pass
ctypes.CDLL("libcudart.so.12")
ask(sys.argv[1])
ask("libcurand.so.10")
sys.stderr.flush()
child = os.fork()
if child == 0:
    for name in sys.argv[1:]: ask(name)
    sys.exit(0)
os.waitpid(child, 0)
"""


def line_starts(*names):
    return ["torchada: audit: %s was not found (" % name for name in names]


class Missing(support.LoaderTest):

    def said(self, result):
        return [line.partition("(")[0] + "(" for line in result.stderr.splitlines()]

    def asked(self, *words, **environment):
        return start(OPENER, *words, **dict({"LD_AUDIT": AUDIT}, **environment))

    def test_said_once(self):
        """Wherever the first library of torchada is opened: before, between or after."""
        for words in (("libcudart.so.12", SPARSE), (SPARSE, "libcudart.so.12"),
                      (SPARSE, "libcudart.so.12", SPARSE, "libcurand.so.10", SPARSE),
                      ("libcudart.so.12", SPARSE, SPARSE, "libcusparse.so.96")):
            result = self.asked(*words)
            self.check((0, SPARSE_LINE), (result.status, result.stderr), result)

    def test_each_library(self):
        names = (SPARSE, NETWORKS, "libnvidia-ml.so.97", SOLVERS, "libcudnn_ops.so.97",
                 "/nonexistent/libnppial.so.97", "libunknown.so.97", "libcudart.so.97")
        result = self.asked("libcudart.so.12", *names)
        self.check(line_starts(SPARSE, NETWORKS, "libnvidia-ml.so.97", SOLVERS,
                               "/nonexistent/libnppial.so.97"), self.said(result), result)
        self.assertEqual(8, len(result.all("failed")), str(result))

    def test_before_the_process_goes_on(self):
        """The line comes when the program asks for the next library, not at its end."""
        script = ("import ctypes, os\\n"
                  "ctypes.CDLL('libcudart.so.12')\\n"
                  "for name in ('%s', 'libcurand.so.10'):\\n"
                  "    try: ctypes.CDLL(name)\\n"
                  "    except OSError: pass\\n"
                  "os._exit(0)" % SPARSE).replace("\\n", "\n")
        result = start(sys.executable, "-c", script, LD_AUDIT=AUDIT)
        self.check(SPARSE_LINE, result.stderr, result)

    def test_needed(self):
        """A library is missing that a module of the program is linked with."""
        result = self.asked("libcudart.so.12", "module=" + fixture("loader_needs_absent.so"))
        self.check(line_starts(NETWORKS), self.said(result), result)

    def test_program_cannot_start(self):
        """The loader ends a program that is linked with a missing library; the line comes first."""
        result = start("/bin/true", LD_AUDIT=AUDIT,
                       LD_PRELOAD=fixture("loader_needs_absent_and_runtime.so"))
        self.check(127, result.status, result)
        self.check(line_starts(NETWORKS)[0], self.said(result)[0], result)
        self.assertIn("error while loading shared libraries: " + NETWORKS, result.stderr)

    def test_control_characters(self):
        result = self.asked("libcudart.so.12", "/\033[31m\nx/libcusparse.so.97")
        self.check([r"torchada: audit: /\x1b[31m\nx/libcusparse.so.97 was not found ("],
                   self.said(result), result)

    def test_direction_of_text(self):
        """Marks that would show the rest of the line the other way round."""
        result = self.asked("libcudart.so.12", "/\u202e\u00fc/libcusparse.so.97")
        self.check(["torchada: audit: /\\u{202e}\u00fc/libcusparse.so.97 was not found ("],
                   self.said(result), result)

    def test_long_name(self):
        """A name that fills the line has its end all the same."""
        result = self.asked("/" + "\033" * 600 + "/libcudart.so.12", TORCHADA_LOG="debug")
        self.check(("torchada: audit: /" + r"\x1b" * 600)[:2400], result.stderr.split("\n")[0],
                   result)

    def test_reader_that_is_gone(self):
        """A line for a pipe that nobody reads does not end the program."""
        reading, writing = os.pipe()
        os.close(reading)
        self.addCleanup(os.close, writing)
        ended = subprocess.run(
            [OPENER, "libcudart.so.12", SPARSE, "libcurand.so.10"], stdout=subprocess.DEVNULL,
            stderr=writing, timeout=50, check=False,
            env={"LD_AUDIT": AUDIT, "TORCHADA_MUSA_PATH": support.HOST})
        self.assertEqual(0, ended.returncode)

    def test_nothing_to_say(self):
        for words in ((SPARSE,), (SPARSE, "/bin/true"), ("libcudart.so.12", "libc.so.6")):
            result = self.asked(*words, TORCHADA_SUMMARY="1")
            self.assertNotIn("audit", result.stderr, str(result))
        result = self.asked("libcudart.so.12", SPARSE, TORCHADA_LOG="off")
        self.check("", result.stderr, result)

    def test_found_in_the_end(self):
        """Programs try several names and places, or first ask whether a library is loaded."""
        folder = self.make_folder()
        found = os.path.join(folder, "libcudnn.so.96")
        shutil.copy(fixture("loader_plugin.so"), found)
        for words in ((NETWORKS, found), (NETWORKS, "libcudnn.so.96"), (found, NETWORKS),
                      ("resident=libcudnn.so.96", "resident=" + NETWORKS, found),
                      ("/nonexistent/libcudnn.so.96", found)):
            result = self.asked("libcudart.so.12", *words, LD_LIBRARY_PATH=folder)
            self.check((0, ""), (result.status, result.stderr), result)

    def test_summary(self):
        script = ("import ctypes, sys\\n"
                  "for name in sys.argv[1:]:\\n"
                  "    try: ctypes.CDLL(name)\\n"
                  "    except OSError: pass\\n").replace("\\n", "\n")
        result = torchada_run("--summary", "--", sys.executable, "-c", script, "libcudart.so.12",
                              SPARSE, NETWORKS, SPARSE, TORCHADA_LOG="off")
        lines = [line for line in result.stderr.splitlines() if "audit" in line]
        self.assertEqual(3, len(lines), str(result))
        self.assertRegex(lines[0], r"\Atorchada: audit: summary of process \d+: 2 CUDA libraries "
                         r"were not found\Z")
        self.check(["torchada: audit:   libcudnn.so.97 (cuDNN, neural networks)",
                    "torchada: audit:   libcusparse.so.97 (cuSPARSE, sparse matrices)"], lines[1:],
                   result)

    def test_fork(self):
        """A child says what it misses itself, and not once more what its parent misses."""
        result = start(sys.executable, "-c", FORKS, SPARSE, NETWORKS, LD_AUDIT=AUDIT)
        self.check(line_starts(SPARSE, NETWORKS), self.said(result), result)


if __name__ == "__main__":
    support.main()
