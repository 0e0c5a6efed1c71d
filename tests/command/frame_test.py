"""What all subcommands share: help, usage errors, failing output, colour."""
import os
import pty
import re
import signal
import subprocess

import support
from support import COMMANDS, FAILED, TORCHADA, USAGE, start, torchada

# One call of each subcommand that writes data.
WRITES = (["coverage"], ["coverage", "--format=json"], ["coverage", "--format=html"],
          ["explain", "cudaMalloc"], ["check", "/bin/sh"], ["info", "--backend=host"],
          ["info", "--backend=host", "--platform"], ["doctor"], ["doctor", "--format=json"],
          ["--help"], ["--version"], ["help"], ["run", "--help"])


class Help(support.CommandTest):

    def test_commands(self):
        for words in (["--help"], ["-h"], ["help"]):
            result = self.done(torchada(*words))
            for name in COMMANDS:
                self.assertRegex(result.stdout, r"(?m)^  %s  +\S" % name)
            self.assertLessEqual(max(len(line) for line in result.stdout.splitlines()), 80)

    def test_each(self):
        for name in COMMANDS:
            text = self.done(torchada(name, "--help")).stdout
            self.assertEqual(text, self.done(torchada("help", name)).stdout)
            self.assertEqual(text, self.done(torchada(name, "-h")).stdout)
            self.assertTrue(text.startswith("usage: torchada %s " % name), text)
            for part in ("options:\n", "-h, --help", "exit status:\n"):
                self.assertIn(part, text)
            self.assertLessEqual(max(len(line) for line in text.splitlines()), 80, text)

    def test_every_option_is_taken(self):
        """The parser knows all options in the help: it refuses a bad value by naming the option."""
        for name in COMMANDS:
            options = re.findall(r"(?m)^  (?:-\w, )?--([\w-]+)(=?)",
                                 torchada(name, "--help").stdout)
            self.assertGreater(len(options), 1)
            for option, takes in options:
                result = torchada(name, "--%s%s" % (option, "" if takes else "=nonsense"))
                if option == "help":
                    continue
                self.assertNotIn("unknown option", result.stderr, str(result))
                self.assertEqual(USAGE, result.status, str(result))

    def test_version(self):
        self.assertRegex(self.done(torchada("--version")).stdout, r"\Atorchada \d+\.\d+\.\d+\n\Z")


class BadUsage(support.CommandTest):

    def refused(self, pattern, *words):
        result = self.done(torchada(*words), USAGE)
        self.assertEqual("", result.stdout)
        self.assertEqual(1, len(result.stderr.splitlines()), str(result))
        self.assertRegex(result.stderr, pattern)

    def test_command(self):
        self.refused("no command")
        self.refused("unknown command 'covrage'; did you mean 'coverage'", "covrage")
        self.refused("unknown command 'xyzzy' ", "xyzzy")
        self.refused("unknown option '--nothing'", "--nothing")
        self.refused("unknown command 'exlpain'; did you mean 'explain'", "help", "exlpain")

    def test_option(self):
        self.refused("unknown option --symbls; did you mean --symbols", "coverage", "--symbls")
        self.refused("unknown option --formt; did you mean --format", "info", "--formt=json")
        self.refused("unknown option -z", "coverage", "-z")
        # gflags' own options must not be available to users.
        for option in ("--flagfile=/etc/passwd", "--fromenv=x", "--undefok=x", "--helpfull"):
            self.refused("unknown option", "coverage", option)

    def test_value(self):
        self.refused("--format=xml: expected text, json, csv, markdown or html", "coverage",
                     "--format=xml")
        self.refused("--format=html: expected text or json", "explain", "--format", "html", "x")
        self.refused("--format needs a value", "coverage", "--format")
        self.refused("--symbols=maybe: expected true or false", "coverage", "--symbols=maybe")
        self.refused("--timeout=1x: expected a number", "info", "--timeout=1x")
        self.refused("--timeout=99999999999: expected a number", "info", "--timeout=99999999999")
        self.refused("--timeout=0: expected a number of seconds, at least 1", "info", "--timeout=0")
        self.refused("--only=nothing: expected a comma-separated list of", "coverage", "--only=supported,nothing")
        self.refused("--only=: expected a comma-separated list of", "coverage", "--only=")
        self.refused("--abi=14: expected 11, 12 or 13", "coverage", "--abi=14")

    def test_words(self):
        self.refused("unexpected argument 'word'", "info", "word")
        self.refused("unexpected argument 'word'", "info", "--", "word")
        self.refused("unexpected argument 'word'", "coverage", "word")
        self.refused("nothing to explain", "explain")


class Spelling(support.CommandTest):

    def test_forms(self):
        """--name=value, --name value, a single dash, underscores, and switches turned off."""
        wanted = self.done(torchada("coverage", "--format=csv", "--library=nccl")).stdout
        for words in (["--format", "csv", "--library", "nccl"], ["-format=csv", "-library=nccl"],
                      ["--library=nccl", "--symbols", "--nosymbols", "--format=csv"],
                      ["--library=nccl", "--symbols=true", "--no-symbols", "--format=csv"],
                      ["--library=nccl", "--symbols=false", "--format=csv"],
                      ["--library=cublas", "--library=nccl", "--format=csv"]):
            self.assertEqual(wanted, self.done(torchada("coverage", *words)).stdout, words)


class Output(support.CommandTest):

    def test_full(self):
        for words in WRITES:
            with open("/dev/full", "w", encoding="utf-8") as full:
                ended = subprocess.run([TORCHADA, *words], stdout=full, stderr=subprocess.PIPE,
                                       text=True, timeout=100, check=False)
            self.assertEqual(FAILED, ended.returncode, words)
            self.assertRegex(ended.stderr, r"torchada: cannot write to standard output: No space")

    def test_nobody_reads(self):
        for words in WRITES:
            reader, writer = os.pipe()
            os.close(reader)
            ended = subprocess.run([TORCHADA, *words], stdout=writer, stderr=subprocess.PIPE,
                                   text=True, timeout=100, check=False)
            os.close(writer)
            self.assertEqual(FAILED, ended.returncode, words)
            self.assertRegex(ended.stderr, r"torchada: cannot write to standard output: Broken")

    def test_closed(self):
        """A newly opened file must not take the place of a closed stream."""
        for words in WRITES:
            result = start("/bin/sh", "-c", "exec \"$0\" \"$@\" >&-", TORCHADA, *words)
            self.assertEqual(FAILED, result.status, str(result))
            self.assertRegex(result.stderr, "torchada: cannot write to standard output: Bad file")
            result = start("/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", TORCHADA, *words)
            self.assertEqual(FAILED, result.status, str(result))

    def test_program_finds_streams_closed(self):
        """torchada run changes neither closed streams nor signal handling."""
        code = "grep SigIgn /proc/$$/status >&2; test -e /proc/$$/fd/1; echo $? >&2"
        shell = ["/bin/sh", "-c", code]
        direct = start("/bin/sh", "-c", "exec \"$@\" >&-", "sh", *shell)
        through = start("/bin/sh", "-c", "exec \"$@\" >&-", "sh", TORCHADA, "run",
                        "--backend=host", "--", *shell)
        self.assertEqual((0, "1"), (direct.status, direct.stderr.split()[-1]))
        self.assertEqual(0, int(direct.stderr.split()[1], 16) & (1 << (signal.SIGPIPE - 1)))
        self.assertEqual((0, direct.stderr), (through.status, through.stderr), str(through))


class Colour(support.CommandTest):

    def on_terminal(self, *words, **environment):
        leader, follower = pty.openpty()
        merged = {**os.environ, "TERM": "xterm", **environment}
        with subprocess.Popen([TORCHADA, *words], stdout=follower, stderr=subprocess.PIPE,
                              env=merged) as process:
            os.close(follower)
            text = b""
            while True:
                try:
                    part = os.read(leader, 65536)
                except OSError:  # the end of the terminal's output
                    break
                if not part:
                    break
                text += part
            self.assertEqual(0, process.wait(100), process.stderr.read())
        os.close(leader)
        return text.decode().replace("\r\n", "\n")

    def test_terminal_only(self):
        library = os.path.join(support.STAGE, "lib", "libcudart.so.12")
        doctored = {"LD_LIBRARY_PATH": os.path.dirname(library),
                    "TORCHADA_MUSA_PATH": os.path.join(support.HOST, "5.2")}
        for words, given in ((["coverage", "--library=nccl", "--symbols"], {}),
                             (["explain", "cudaMalloc"], {}), (["explain", "cudaDeviceProp"], {}),
                             (["info", "--backend=host"], self.own_account()), (["check", library], {}),
                             (["doctor", "--", "/bin/true"], doctored)):
            plain = self.done(torchada(*words, **given)).stdout
            self.assertNotIn("\033", plain)
            coloured = self.on_terminal(*words, **given)
            self.assertIn("\033[1m", coloured)
            self.assertEqual(self.stable(plain),
                             self.stable(re.sub("\033\\[[0-9]*m", "", coloured)))
            for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                self.assertEqual(self.stable(plain),
                                 self.stable(self.on_terminal(*words, **given, **variables)))
            self.assertIn("\033", self.on_terminal(*words, **given, NO_COLOR=""))

    @staticmethod
    def stable(text):
        return re.sub(r"[\d.]+ GiB free", "", text)

    def test_data_is_never_coloured(self):
        for words in (["coverage", "--format=json"], ["explain", "--format=json", "cudaMalloc"]):
            self.assertNotIn("\033", self.on_terminal(*words))


if __name__ == "__main__":
    support.main()
