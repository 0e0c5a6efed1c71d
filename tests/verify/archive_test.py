"""The archive that strangers download (packaging/verify-archive.sh): its contents, verify.sh on the CPU
trees, what it refuses, and what it writes. The archive is made from the build tree, so it runs on this
machine only; test-full.sh makes it in Debian 11 and runs it on old and new distributions."""
import hashlib
import json
import os
import pty
import re
import select
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time

import support

MAKE = os.path.join(support.SOURCE, "packaging", "verify-archive.sh")
SHELLS = [shell for shell in ("/bin/dash", "/bin/bash") if os.path.exists(shell)]


def make(out, *words, tree=support.STAGE, **environment):
    return support.Run(MAKE, *words, tree, out, SOURCE_DATE_EPOCH="1700000000", **environment)


class Archive(support.VerifyTest):

    @classmethod
    def setUpClass(cls):
        cls.out = tempfile.mkdtemp(prefix="torchada verify ")  # The name has a space.
        cls.addClassCleanup(shutil.rmtree, cls.out)
        made = make(cls.out)
        if made.status != 0:
            raise AssertionError(str(made))
        cls.archive = made.stdout.strip()
        with tarfile.open(cls.archive) as archive:
            archive.extractall(cls.out)
        cls.root = cls.archive.removesuffix(".tar.gz")
        cls.script = os.path.join(cls.root, "verify.sh")

    def start(self, *words, cwd=None, shell=None, **environment):
        """Runs verify.sh without a terminal, in a folder of its own."""
        command = ([shell] if shell else []) + [self.script, *words]
        cwd = cwd or self.folder()
        ended = subprocess.run(command, env={**os.environ, **environment}, cwd=cwd, capture_output=True,
                               text=True, stdin=subprocess.DEVNULL, timeout=100, check=False)
        ended.cwd = cwd
        return ended

    def written(self, ended):
        """The report in the folder where verify.sh ran. There is nothing else."""
        names = os.listdir(ended.cwd)
        self.assertEqual(1, len(names), (names, ended.stderr))
        self.assertRegex(names[0], r"\Atorchada-verify-\d{8}-\d{6}\.json\Z")
        with open(os.path.join(ended.cwd, names[0]), encoding="utf-8") as file:
            return support.Report(file.read())

    def refuses(self, status, text, ended):
        self.assertEqual((status, []), (ended.returncode, os.listdir(ended.cwd)), ended.stderr)
        self.assertIn(text, ended.stderr)
        self.assertEqual("", ended.stdout)

    # ---- the archive
    def test_contents(self):
        with tarfile.open(self.archive) as archive:
            members = {member.name.partition("/")[2]: member for member in archive}
        self.assertEqual({"", "verify.sh", "LICENSE", "README.txt", "README_CN.txt", "bin", "bin/torchada",
                          "libexec", "libexec/torchada", "share", "share/tables.bin", "share/glibc",
                          "share/send_to"}, set(members))
        for name, member in members.items():
            self.assertEqual((0, 0, 1700000000), (member.uid, member.gid, member.mtime), name)
            runs = member.isdir() or name.endswith(("torchada", ".sh"))
            self.assertEqual(0o755 if runs else 0o644, member.mode, name)
        for readme in ("README.txt", "README_CN.txt"):
            with open(os.path.join(self.root, readme), encoding="utf-8") as file:
                self.assertIn("A report of torchada verify", file.read())
        form = os.path.join(support.SOURCE, ".github", "ISSUE_TEMPLATE", "report.yml")
        with open(form, encoding="utf-8") as file:
            self.assertIn("name: A report of torchada verify\n", file.read())

    def test_same_tree_same_bytes(self):
        copy = os.path.join(self.folder(), "copy")
        for file in ("bin/torchada", "libexec/torchada", "share/tables.bin"):
            os.makedirs(os.path.dirname(os.path.join(copy, file)), exist_ok=True)
            shutil.copyfile(os.path.join(support.STAGE, file), os.path.join(copy, file))
            os.chmod(os.path.join(copy, file), 0o700)
        again = make(self.folder(), tree=copy)
        self.assertEqual(0, again.status, str(again))
        digests = set()
        for archive in (self.archive, again.stdout.strip()):
            with open(archive, "rb") as file:
                digests.add(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(1, len(digests))

    def test_a_command_that_would_not_run_elsewhere_is_refused(self):
        out = self.folder()
        fake = os.path.join(self.folder(), "tree")
        shutil.copytree(os.path.join(self.root, "share"), os.path.join(fake, "share"))
        os.makedirs(os.path.join(fake, "bin"))
        os.makedirs(os.path.join(fake, "libexec"))
        shutil.copy(os.path.join(self.root, "bin", "torchada"), os.path.join(fake, "bin"))
        source = os.path.join(fake, "program.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write('#include <stdio.h>\nint main(void) { return puts("hello") < 0; }\n')
        program = os.path.join(fake, "libexec", "torchada")
        subprocess.run(["cc", source, "-o", program, "-Wl,--no-as-needed", "-lz"], check=True)
        made = make(out, tree=fake)
        self.assertEqual((1, []), (made.status, os.listdir(out)), str(made))
        self.assertRegex(made.stderr, r"needs libz\S+, which other systems may lack")
        subprocess.run(["cc", source, "-o", program], check=True)
        for newest, status in (("2.99", 0), ("2.1", 1)):
            made = make(out, "--glibc", newest, tree=fake)
            self.assertEqual(status, made.status, str(made))
        self.assertRegex(made.stderr, r"needs glibc 2\.\d+, newer than 2\.1\n")

    def test_usage_of_the_maker(self):
        for words in ((), ("one",), ("--unknown", "a", "b"), ("/nonexistent", "out"), ("--send-to",)):
            run = support.Run(MAKE, *words)
            self.assertEqual(2, run.status, str(run))
        self.assertEqual(0, support.Run(MAKE, "--help").status)

    # ---- running it
    def test_on_a_device(self):
        ended = self.start("--yes", "--musa-root=" + support.tree("5.2"))
        self.assertEqual(0, ended.returncode, ended.stderr)
        report = self.written(ended)
        self.assertEqual("stand-in", report.all["backend"])
        self.assertGreater(len(report.of("confirmed")), 1000)
        # What is shown is the beginning of what is written.
        self.assertIn('"devices": [{"name":"torchada host (CPU)","architecture":"mp_31"}]', ended.stdout)
        self.assertIn("Then come %d facts" % len(report.results), ended.stdout)
        self.assertIn("A report of torchada verify", ended.stderr)

    def test_the_report_names_nothing_of_the_machine(self):
        # A library that cannot be loaded: the loader's message has its path.
        root = self.copy_of("5.2")
        place = os.path.join(root, socket.gethostname())
        os.rename(os.path.join(root, "lib"), place)
        os.symlink(place, os.path.join(root, "lib"))
        for name in os.listdir(place):
            if name.startswith("libmurand"):
                os.remove(os.path.join(place, name))
                shutil.copy(os.path.join(support.STAGE, "bin", "torchada"), os.path.join(place, name))
        ended = self.start("--yes", "--musa-root=" + root)
        report = self.written(ended)
        self.assertIn("libmurand", report.results["symbol:murand/murandCreateGenerator"]["found"])
        text = json.dumps(report.all)
        places = [root, support.STAGE, self.root, ended.cwd, "/tmp", "/usr/", "/home", "/root"]
        for word in (*places, *([socket.gethostname()] if len(socket.gethostname()) > 2 else [])):
            self.assertNotIn(word, text)
        self.assertNotRegex(text, r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-")

    def test_files_only(self):
        for sdk, least in (("3.1", 500), ("4.3", 600), ("5.2", 400)):
            # Without the driver nothing of MUSA could be loaded.
            root = os.path.join(self.folder(), "musa")
            shutil.copytree(os.path.join(support.tree(sdk), "lib"), os.path.join(root, "lib"))
            shutil.copy(os.path.join(support.tree(sdk), "version.json"), root)
            ended = self.start("--yes", "--files-only", "--musa-root=" + root)
            self.assertEqual(0, ended.returncode, ended.stdout + ended.stderr)
            report = self.written(ended)
            self.assertEqual((sdk, "stand-in", []),
                             (report.all["sdk"][:3], report.all["backend"], report.all["devices"]))
            self.assertGreater(len(report.of("confirmed")), least)
            self.assertEqual(set(), report.of("contradicted"))
            self.assertLessEqual({id.split(":")[0] for id in report.of("confirmed") | report.of("absent")},
                                 {"symbol", "soname"})

    def test_files_that_lack_a_function(self):
        root = self.copy_of("5.2")
        lib = os.path.join(root, "lib")
        name = min(name for name in os.listdir(lib) if name.startswith("libmublas.so."))  # The SONAME.
        target = os.path.realpath(os.path.join(lib, name))
        os.remove(os.path.join(lib, name))
        subprocess.run([sys.executable, support.HIDE_NAMES, target, os.path.join(lib, name), "mublasSgemm"],
                       check=True, capture_output=True)
        ended = self.start("--yes", "--files-only", "--musa-root=" + root)
        self.assertEqual(1, ended.returncode, ended.stdout + ended.stderr)
        self.assertIn("symbol:mublas/mublasSgemm", self.written(ended).of("contradicted"))
        self.assertIn("contradicted symbol:mublas/mublasSgemm", ended.stdout)

    def test_no_device(self):
        ended = self.start("--yes", "--musa-root=" + support.tree("5.2"), MUSA_VISIBLE_DEVICES="-1")
        self.assertEqual(0, ended.returncode, ended.stderr)
        self.assertEqual([], self.written(ended).all["devices"])
        self.assertIn("only its files were checked: MUSA", ended.stdout)
        self.assertIn("musaErrorNoDevice", ended.stdout)

    def test_contradiction(self):
        root = self.copy_of("5.2", ["mublas"])
        ended = self.start("--yes", "--musa-root=" + root, SPOILT="operation")
        self.assertEqual(1, ended.returncode, ended.stderr)
        self.assertEqual({"value:mublas/mublasOperation_t/MUBLAS_OP_T"}, self.written(ended).of("contradicted"))

    def test_any_shell_and_any_folder(self):
        link = os.path.join(self.folder(), "link")
        os.symlink(self.script, link)
        commands = [[shell, self.script] for shell in SHELLS]
        commands += [["sh", "./verify.sh"], ["sh", "verify.sh"], [link]]
        for command in commands:
            cwd = "/" if os.path.isabs(command[-1]) else self.root
            for words, text in ((["--help"], "usage: ./verify.sh"), ([], "verify.sh: nothing was written")):
                ended = subprocess.run([*command, *words, *([] if words else FEW(support.tree("5.2")))], cwd=cwd,
                                       capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                                       timeout=100)
                self.assertEqual(0, ended.returncode, (command, ended.stderr))
                self.assertIn(text, ended.stdout + ended.stderr)

    def test_the_sdk_is_found_by_its_variables(self):
        for name in ("TORCHADA_MUSA_PATH", "MUSA_HOME", "MUSA_PATH", "MUSA_INSTALL_PATH"):
            ended = self.start("--files-only", **{name: support.tree("4.3")})
            self.assertEqual(0, ended.returncode, ended.stderr)
            self.assertIn("SDK 4.3.", ended.stdout)

    # ---- refusals
    def posed(self, **tools):
        """A folder of tools that say something else about this machine."""
        folder = self.folder()
        for name, said in tools.items():
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n%s\n" % said)
            os.chmod(path, 0o755)
        return folder + ":" + os.environ["PATH"]

    def test_other_machines(self):
        uname = 'case $1 in -s) echo %s ;; -m) echo %s ;; esac'
        for tools, text in (
                ({"uname": uname % ("Linux", "aarch64")}, "this processor is aarch64; it needs Linux on x86-64"),
                ({"uname": uname % ("Darwin", "x86_64")}, "this system is Darwin"),
                ({"getconf": "echo glibc 2.3"}, "this system has glibc 2.3; it needs"),
                ({"getconf": "echo glibc 1.99"}, "this system has glibc 1.99; it needs")):
            self.refuses(3, text, self.start("--yes", "--musa-root=" + support.tree("5.2"), PATH=self.posed(**tools)))
        # A glibc with a longer version is not older, and one that cannot be asked may do.
        for said in ("echo glibc 2.100", "exit 1"):
            ended = self.start("--files-only", "--musa-root=" + support.tree("5.2"), PATH=self.posed(getconf=said))
            self.assertEqual(0, ended.returncode, ended.stderr)

    def test_no_sdk(self):
        ended = self.start("--yes")
        self.refuses(3, "no MUSA found; name its directory with --musa-root, or in MUSA_HOME", ended)

    def test_no_version(self):
        root = self.folder()
        shutil.copytree(os.path.join(support.tree("5.2"), "lib"), os.path.join(root, "lib"))
        self.refuses(3, "cannot tell the version of this SDK", self.start("--files-only", "--musa-root=" + root))

    def test_usage(self):
        for words, text in ((["--unknown"], "unknown option '--unknown' (--help"), (["word"], "unknown option 'word'"),
                            (["--output"], "--output needs a value"), (["--output="], "--output needs a value"),
                            (["--musa-root", "/no/such/folder"], "--musa-root=/no/such/folder: no such folder"),
                            (["--musa-root=/etc"], "no libmusart found")):
            self.refuses(2, text, self.start(*words))

    def test_incomplete_archive(self):
        root = os.path.join(self.folder(), "broken")
        shutil.copytree(self.root, root)
        os.remove(os.path.join(root, "libexec", "torchada"))
        cwd = self.folder()
        for missing, text in (("libexec", "cannot start here"), ("bin", "files are missing or may not be run")):
            shutil.rmtree(os.path.join(root, missing))
            ended = subprocess.run([os.path.join(root, "verify.sh"), "--yes"], cwd=cwd, capture_output=True, text=True,
                                   stdin=subprocess.DEVNULL, check=False, timeout=100)
            ended.cwd = cwd
            self.refuses(3, text, ended)

    def test_output(self):
        cwd = self.folder()
        few = FEW(support.tree("5.2"))
        ended = self.start("--yes", "--output", "report of mine", *few, cwd=cwd)
        self.assertEqual(0, ended.returncode, ended.stderr)
        self.assertEqual(["report of mine"], os.listdir(cwd))
        with open(os.path.join(cwd, "report of mine"), encoding="utf-8") as file:
            support.Report(file.read())
        ended = self.start("--yes", "--output=report of mine", *few, cwd=cwd)
        self.assertEqual(2, ended.returncode, ended.stderr)
        self.assertIn("report of mine exists already", ended.stderr)
        ended = self.start("--yes", "--output=none/file", *few)
        self.refuses(3, "cannot write to none; name a file elsewhere", ended)

    def test_started_in_the_same_second(self):
        """Each writes a report of its own."""
        cwd = self.folder()
        clock = self.posed(date="echo 20200101-000000")
        command = [self.script, "--yes", *FEW(support.tree("5.1"))]
        running = [subprocess.Popen(command, env={**os.environ, "PATH": clock}, cwd=cwd, text=True,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                   for _ in range(3)]
        said = [one.communicate(timeout=100)[1] for one in running]
        names = ["torchada-verify-20200101-000000%s.json" % suffix for suffix in ("", "-2", "-3")]
        self.assertEqual(sorted(names), sorted(os.listdir(cwd)), said)
        self.assertEqual(sorted(names), sorted(line.split()[-1] for text in said for line in text.splitlines()
                                               if line.startswith("verify.sh: wrote ")))
        for name in names:
            with open(os.path.join(cwd, name), encoding="utf-8") as file:
                support.Report(file.read())

    def test_full_disk(self):
        ended = self.start("--yes", "--output=/dev/full/x", *FEW(support.tree("5.2")))
        self.refuses(3, "cannot write to /dev/full", ended)

    # ---- on a terminal
    def talk(self, answers, *words, at=r"\[n\] ", **environment):
        """Answers the questions on a terminal. Returns the status, what was shown, and the folder."""
        cwd = self.folder()
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(cwd)
            os.environ.update(environment, TERM="xterm", PAGER="cat")
            os.execv(self.script, [self.script, *words])
        shown, end, waiting = "", time.monotonic() + 100, list(answers)
        asked = 0
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                got = os.read(terminal, 65536)
            except OSError:
                break
            shown += got.decode()
            if waiting and len(re.findall(at, shown)) > asked:
                asked = len(re.findall(at, shown))
                os.write(terminal, waiting.pop(0).encode())
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown, cwd

    def test_asks(self):
        few = FEW(support.tree("5.2"))
        for answers, files in ((["n\n"], 0), (["\n"], 0), (["\x04"], 0), (["y\n"], 1), (["s\n", "y\n"], 1)):
            status, shown, cwd = self.talk(answers, *few)
            self.assertEqual((0, files), (status, len(os.listdir(cwd))), shown[-2000:])
            self.assertIn('"devices": []', shown)  # Before the question.
            self.assertEqual("s\n" in answers, '"id":"symbol:mublas/mublasSgemm"' in shown)
            self.assertIn("wrote" if files else "nothing was written", shown)

    def test_shows_its_steps(self):
        _, shown, _ = self.talk(["n\n"], "--musa-root=" + support.tree("5.2"))
        self.assertRegex(shown, r"step 1 of 2: asking MUSA for its devices")
        self.assertRegex(shown, r"step 2 of 2: \[=+ *\] \d+ of \d+ probes")

    def test_stopped(self):
        """Ctrl-C while a probe hangs: no file and no process stays."""
        root = self.copy_of("5.2", ["musart"])
        status, shown, cwd = self.talk(["\x03"], "--musa-root=" + root, at="step 2 of 2", SPOILT="hang")
        self.assertEqual((130, []), (status, os.listdir(cwd)), shown[-2000:])
        self.assertIn("stopped; nothing was written", shown)
        self.assertEqual([], support.processes_with(root))


def FEW(root):
    """Options for a run that takes no time."""
    return ["--files-only", "--musa-root=" + root]


if __name__ == "__main__":
    support.main()
