"""torchada activate and deactivate: files below the test's own home directory, and shells that read
them."""
import os
import shutil
import stat

import support
from support import FAILED, NO, OK, STAGE, USAGE, start, torchada

LIB = os.path.join(STAGE, "lib")
BEGIN, END = "# >>> torchada >>>", "# <<< torchada <<<"


class ActivateTest(support.CommandTest):

    def setUp(self):
        self.home = self.folder()

    def at_home(self, name):
        return os.path.join(self.home, name)

    def write(self, name, text):
        with open(self.at_home(name), "w", encoding="utf-8") as out:
            out.write(text)

    def read(self, name):
        with open(self.at_home(name), encoding="utf-8") as file:
            return file.read()

    def say(self, *words, status=OK, shell="/bin/bash", **environment):
        return self.done(torchada(*words, HOME=self.home, SHELL=shell, **environment), status)

    def path_in(self, *shell, **environment):
        """LD_LIBRARY_PATH in a login shell, or "unset"."""
        result = start(*shell, "-c", 'echo "${LD_LIBRARY_PATH-unset}"', HOME=self.home, **environment)
        return self.done(result).stdout.strip()


class Files(ActivateTest):

    def test_shells_find_it(self):
        for shell, words, name in (("/bin/sh", ("sh", "-l"), ".profile"),
                                   ("/bin/bash", ("bash", "-l"), ".profile"),
                                   ("/usr/bin/zsh", ("zsh", "-l"), ".zprofile")):
            with self.subTest(shell):
                if shutil.which(words[0]) is None:
                    self.fail(words[0] + " is not installed (packaging/install-build-deps.sh)")
                self.assertEqual("unset", self.path_in(*words))
                self.say("activate", shell=shell)
                self.assertIn(BEGIN, self.read(name))
                self.assertEqual(LIB, self.path_in(*words))
                self.assertEqual(LIB + ":/a:/b", self.path_in(*words, LD_LIBRARY_PATH="/a:/b"))
                # A login shell inside a login shell.
                self.assertEqual("/a:" + LIB, self.path_in(*words, LD_LIBRARY_PATH="/a:" + LIB))
                self.say("deactivate", shell=shell)
                self.assertFalse(os.path.exists(self.at_home(name)))
                self.assertEqual("unset", self.path_in(*words))

    def test_the_file_that_bash_reads(self):
        self.write(".profile", "")
        self.write(".bash_login", "")
        self.say("activate")
        self.assertEqual("", self.read(".profile"))
        self.assertIn(BEGIN, self.read(".bash_login"))
        # sh does not read .bash_login. deactivate looks in all files that activate may have
        # written.
        self.say("activate", shell="/bin/sh")
        self.assertIn(BEGIN, self.read(".profile"))
        result = self.say("deactivate")
        for name in (".profile", ".bash_login"):
            self.assertIn("removed from " + self.at_home(name), result.stdout)

    def test_zsh_elsewhere(self):
        elsewhere = self.folder()
        self.say("activate", shell="/usr/bin/zsh", ZDOTDIR=elsewhere)
        self.assertEqual([".zprofile"], os.listdir(elsewhere))
        self.assertEqual([], os.listdir(self.home))

    def test_what_was_there_stays(self):
        for before in ("export A=1\n", "export A=1", "\n\n", "# >>> conda >>>\n# <<< conda <<<\n", "umlaut \u00e4\n"):
            with self.subTest(before):
                self.write(".profile", before)
                self.say("activate")
                self.assertTrue(self.read(".profile").startswith(before))
                self.say("deactivate")
                self.assertEqual(before, self.read(".profile"))

    def test_an_empty_file_stays(self):
        self.write(".profile", "")
        for abi in "--abi=12", "--abi=13":
            self.say("activate", abi)
        self.say("deactivate")
        self.assertEqual("", self.read(".profile"))

    def test_lines_added_later_stay(self):
        self.write(".profile", "export A=1")
        self.say("activate")
        self.write(".profile", self.read(".profile") + "export B=2\n")
        self.say("deactivate")
        self.assertEqual("export A=1\nexport B=2\n", self.read(".profile"))

    def test_again(self):
        self.say("activate")
        once = self.read(".profile")
        self.assertIn("nothing was changed", self.say("activate").stdout)
        self.assertEqual(once, self.read(".profile"))
        self.say("activate", "--abi=13")
        self.assertEqual(once.replace(LIB + "'", LIB + "/cu13'").replace(LIB + ":'", LIB + "/cu13:'"),
                         self.read(".profile"))
        self.assertEqual(1, self.read(".profile").count(BEGIN))

    def test_what_is_written_is_shown(self):
        shown = self.say("activate").stdout
        lines = self.read(".profile").split(BEGIN + "\n")[1].split(END)[0]
        self.assertIn(lines, shown)
        self.assertIn(self.at_home(".profile"), shown)

    def test_mode_and_link_stay(self):
        self.write("dotfile", "export A=1\n")
        os.chmod(self.at_home("dotfile"), 0o600)
        os.symlink("dotfile", self.at_home(".profile"))
        self.say("activate")
        self.assertTrue(os.path.islink(self.at_home(".profile")))
        self.assertIn(BEGIN, self.read("dotfile"))
        self.assertEqual(0o600, stat.S_IMODE(os.stat(self.at_home("dotfile")).st_mode))
        self.say("deactivate")
        self.assertEqual("export A=1\n", self.read("dotfile"))
        self.assertEqual([".profile", "dotfile"], sorted(os.listdir(self.home)))

    def test_file(self):
        self.say("activate", "--file=" + self.at_home("mine.sh"))
        self.assertEqual(["mine.sh"], os.listdir(self.home))
        self.say("deactivate", "--file=" + self.at_home("mine.sh"))
        self.assertEqual([], os.listdir(self.home))

    def test_programs_run_with_it(self):
        self.say("activate")
        result = start("sh", "-lc", "python3 -c 'import ctypes; print(ctypes.CDLL(\"libcudart.so.12\")._name);"
                       "print([l.split()[-1] for l in open(\"/proc/self/maps\") if \"libcudart\" in l][0])'",
                       HOME=self.home)
        self.assertIn(os.path.join(LIB, "libcudart.so.12"), self.done(result).stdout)


class Printed(ActivateTest):

    def evaluated(self, *words, **environment):
        """LD_LIBRARY_PATH after eval, in each shell."""
        lines = self.say(*words).stdout
        out = set()
        for shell in ("sh", "bash", "zsh"):
            result = start(shell, "-c", lines + 'echo "${LD_LIBRARY_PATH-unset}"', **environment)
            out.add(self.done(result).stdout.strip())
        self.assertEqual([], os.listdir(self.home))
        self.assertEqual(1, len(out), out)
        return out.pop()

    def test_activate(self):
        self.assertEqual(LIB, self.evaluated("activate", "--print"))
        self.assertEqual(LIB + "/cu11:/x", self.evaluated("activate", "--print", "--abi=11", LD_LIBRARY_PATH="/x"))

    def test_deactivate(self):
        for before, after in ((None, "unset"), (LIB, "unset"), ("/a", "/a"), ("/a:%s:/b" % LIB, "/a:/b"),
                              ("%s:%s/cu13:%s:/b c" % (LIB, LIB, LIB), "/b c"), (LIB + "64", LIB + "64"),
                              ("/a:" + LIB, "/a")):
            self.assertEqual(after, self.evaluated("deactivate", "--print", LD_LIBRARY_PATH=before))


class Refused(ActivateTest):

    def refused(self, pattern, *words, status=USAGE, **environment):
        before = {name: self.read(name) for name in os.listdir(self.home)}
        result = self.say(*words, status=status, **environment)
        self.assertRegex(result.stderr, pattern)
        self.assertEqual("", result.stdout)
        self.assertEqual(before, {name: self.read(name) for name in os.listdir(self.home)})

    def test_nothing_there(self):
        self.refused("nothing to remove", "deactivate", status=NO)
        self.write("plain", "x\n")
        self.refused("nothing to remove: .*/plain has", "deactivate", "--file=" + self.at_home("plain"), status=NO)

    def test_system_is_to_be_confirmed(self):
        there = os.path.exists("/etc/profile.d/torchada.sh")
        self.refused("(?s)NVIDIA GPU.*--yes", "activate", "--system", status=NO)
        self.assertEqual(there, os.path.exists("/etc/profile.d/torchada.sh"))

    def test_contradictions(self):
        for words in (["--yes"], ["--system", "--file=x"], ["--print", "--file=x"], ["--print", "--system"]):
            self.refused("--", "activate", *words)
        self.refused("cannot be given together", "deactivate", "--system", "--file=x")

    def test_shells_of_another_language(self):
        for shell in ("/usr/bin/fish", "/bin/tcsh"):
            self.refused(os.path.basename(shell) + " does not read sh start-up files", "activate", shell=shell)

    def test_no_home(self):
        self.done(torchada("activate", HOME=None), FAILED)
        self.done(torchada("deactivate", HOME=None), FAILED)

    def test_damaged_lines(self):
        self.write(".profile", "a\n%s\nexport X=1\n" % BEGIN)
        for command in ("activate", "deactivate"):
            self.refused(r"\.profile:2: .*by hand", command, status=FAILED)

    def test_not_writable(self):
        self.refused("No such file", "activate", "--file=" + self.at_home("missing/file"), status=FAILED)
        self.refused("is not a regular file", "activate", "--file=" + self.home, status=FAILED)


if __name__ == "__main__":
    support.main()
