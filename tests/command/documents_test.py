"""Manual pages and completions must match the command's options, and must work in man and in
shells."""
import os
import re
import shutil
import subprocess
import sys

import support
from support import COMMANDS, SKIPPED, STAGE, torchada

MAN = os.path.join(STAGE, "share", "man", "man1")
BASH = os.path.join(STAGE, "share", "bash-completion", "completions", "torchada")
ZSH = os.path.join(STAGE, "share", "zsh", "site-functions", "_torchada")
FORMATS = ["text", "json", "csv", "markdown", "html"]
# Scripts rely on these: a status that comes or goes is a change that users notice. Written by hand, not taken from the
# definitions.
STATUSES = {
    "run": [0, 2, 126, 127],
    "trace": [0, 2, 3, 126, 127],
    "coverage": [0, 2, 3],
    "check": [0, 1, 2, 3, 4],
    "doctor": [0, 1, 2, 3],
    "explain": [0, 1, 2, 3],
    "info": [0, 1, 2, 3],
    "support-bundle": [0, 2, 3],
    "verify": [0, 1, 2, 3],
    "bench": [0, 2, 3],
    "activate": [0, 1, 2, 3],
    "deactivate": [0, 1, 2, 3],
    "kernels": [0, 1, 2, 3, 4],
}


def pages():
    return sorted(os.path.join(MAN, name) for name in os.listdir(MAN))


class Manual(support.CommandTest):

    def test_one_for_each(self):
        self.assertEqual(sorted(["torchada.1"] + ["torchada-%s.1" % name for name in COMMANDS]),
                         [os.path.basename(page) for page in pages()])

    def test_groff(self):
        for page in pages():
            ended = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8", page],
                                   capture_output=True, text=True, check=False)
            self.assertEqual((0, "", ""), (ended.returncode, ended.stdout, ended.stderr), page)

    def test_says_what_help_says(self):
        for name in COMMANDS:
            ended = subprocess.run(["groff", "-man", "-Tascii", "-P-c",
                                    os.path.join(MAN, "torchada-%s.1" % name)],
                                   capture_output=True, text=True, check=True)
            page = " ".join(re.sub(".\b", "", ended.stdout).split())
            text = torchada(name, "--help").stdout
            for option in re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", text):
                self.assertIn(option, page)

    def statuses(self, name):
        """What --help says about exit statuses: {number: meaning}."""
        text = torchada(name, "--help").stdout.split("exit status:\n")[1].split("\n\n")[0]
        lines = re.sub(r"\n {3,}", " ", text).splitlines()
        return dict(re.fullmatch(r"  (\d+) +(.*)", line).groups() for line in lines)

    @staticmethod
    def page_statuses(name):
        """What the manual page says of the exit status: {number: meaning}."""
        with open(os.path.join(MAN, "torchada-%s.1" % name), encoding="utf-8") as file:
            part = file.read().split('.SH "EXIT STATUS"\n')[1].split(".SH ")[0]
        page = re.findall(r"(?m)^\.TP\n\.B (\d+)\n(.*)$", part)
        return {number: " ".join(meaning.replace("\\-", "-").split()) for number, meaning in page}

    def test_exit_statuses(self):
        for name in COMMANDS:
            self.assertEqual(self.page_statuses(name), self.statuses(name), name)

    def test_documented_statuses(self):
        """The manual page of each command has the statuses listed above, and no other."""
        self.assertEqual(sorted(COMMANDS), sorted(STATUSES))
        for name in COMMANDS:
            self.assertEqual(STATUSES[name], sorted(map(int, self.page_statuses(name))), name)


class Mandoc(support.CommandTest):

    def test_lint(self):
        ended = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages()], capture_output=True,
                               text=True, check=False)
        # The pages have no date, so that the same definitions give the same bytes.
        findings = [line for line in ended.stdout.splitlines() if "missing date" not in line]
        self.assertEqual([], findings)


class Bash(support.CommandTest):

    def completed(self, line, folder=None):
        code = ("set -u; source \"$1\"; COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=() COMP_CWORD=0\n"
                "complete -p torchada >&2; _torchada; printf '%s\\n' \"${COMPREPLY[@]-}\"")
        ended = subprocess.run(["bash", "--norc", "-c", code, "bash", BASH, line], text=True,
                               capture_output=True, cwd=folder, check=False)
        self.assertEqual((0, "complete -F _torchada torchada\n"), (ended.returncode, ended.stderr))
        return sorted(ended.stdout.split())

    def test_commands(self):
        self.assertEqual(sorted(COMMANDS + ["help", "--help", "--version"]),
                         self.completed("torchada "))
        self.assertEqual(["coverage"], self.completed("torchada cov"))
        self.assertEqual(sorted(COMMANDS), self.completed("torchada help "))

    def test_options(self):
        for name in COMMANDS:
            text = torchada(name, "--help").stdout
            options = {a + b for a, b in re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)(=?)", text)}
            self.assertEqual(sorted(options), self.completed("torchada %s --" % name))
        self.assertEqual(["--symbols"], self.completed("torchada coverage --format=csv --s"))

    def test_values(self):
        for line in ("torchada coverage --format=", "torchada coverage --format ",
                     "torchada coverage --symbols --format="):
            self.assertEqual(sorted(FORMATS), self.completed(line))
        self.assertEqual(["json"], self.completed("torchada info --format=j"))
        self.assertEqual(["11", "12", "13"], self.completed("torchada run --abi="))
        self.assertEqual(["supported,unsupported"],
                         self.completed("torchada coverage --only=supported,u"))
        self.assertEqual([""] * 0, self.completed("torchada info --timeout="))

    def test_folders(self):
        folder = self.folder()
        os.mkdir(os.path.join(folder, "musa-5"))
        with open(os.path.join(folder, "musa-file"), "w", encoding="utf-8"):
            pass
        self.assertEqual(["musa-5"], self.completed("torchada info --musa-root=mu", folder))
        self.assertEqual(["musa-5"], self.completed("torchada coverage --diff mu", folder))
        self.assertIn("musa-file", self.completed("torchada run mu", folder))


class Zsh(support.CommandTest):

    def completed(self, line):
        """What _arguments and _describe would offer, in a zsh without a terminal."""
        code = r"""
            autoload -Uz compinit && compinit -u -d "$TMPDIR/zcompdump"
            source "$1"
            (( $+functions[_torchada] )) || { print -u2 'no function'; exit 9 }
            [[ $_comps[torchada] == _torchada ]] || { print -u2 'not registered'; exit 9 }
            _describe() { print -rl -- ${commands%%:*} }
            _arguments() { print -rl -- "$@" }
            words=(${(z)2}) CURRENT=$#words
            [[ $2 == *' ' ]] && words+=('') && (( CURRENT++ ))
            _torchada
        """
        ended = subprocess.run(["zsh", "-f", "-c", code, "zsh", ZSH, line], capture_output=True,
                               text=True, env={**os.environ, "TMPDIR": self.folder()}, check=False)
        self.assertEqual((0, ""), (ended.returncode, ended.stderr), line)
        return ended.stdout.splitlines()

    def test_syntax(self):
        ended = subprocess.run(["zsh", "-n", ZSH], capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (ended.returncode, ended.stderr))

    def test_commands(self):
        self.assertEqual(sorted(COMMANDS + ["help"]), sorted(self.completed("torchada ")))

    def test_options(self):
        for name in COMMANDS:
            text = torchada(name, "--help").stdout
            offered = self.completed("torchada %s -" % name)
            options = set(re.findall(r"(?m)^(--[\w-]+)(?:=|\[)", "\n".join(offered)))
            wanted = set(re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", text)) - {"--help"}
            self.assertEqual(wanted, options)
        line = [item for item in self.completed("torchada coverage -") if "--format" in item][0]
        self.assertTrue(line.endswith(":format:(%s)" % " ".join(FORMATS)), line)


if __name__ == "__main__":
    NEEDS = {"Manual": "groff", "Mandoc": "mandoc", "Bash": "bash", "Zsh": "zsh"}
    for name, program in NEEDS.items():
        if name in sys.argv and shutil.which(program) is None:
            print("SKIPPED: no %s, so what it reads was not tried" % program)
            sys.exit(SKIPPED)
    support.main()
