"""packaging/lint.sh in a repository of its own: lint_test.py SOURCE"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv.pop(1)
CLEAN = {
    "a.cpp": "int answer() { return 42; }\n",
    "b.py": "print(42)\n",
    "c.sh": "#!/bin/sh\necho 42\n",
    "bin/d": "#!/usr/bin/env bash\necho 42\n",
    "bin/e": "#!/usr/bin/env python3\nprint(42)\n",
    "bin/data": "neither\n",
}
DEFECTS = [
    ("cpp", "a.cpp", "int  answer( ){return 42;}\n", "a.cpp"),
    ("python", "b.py", "import os\n", "F401"),
    ("python", "bin/e", "#!/usr/bin/env python3\nprint(answer)\n", "F821"),
    ("shell", "c.sh", "#!/bin/sh\necho $1\n", "SC2086"),
    ("shell", "bin/d", "#!/usr/bin/env bash\ncd $1 && ls\n", "SC2086"),
]


class Lint(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="torchada-lint-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ["packaging/lint.sh", ".clang-format", ".flake8", ".shellcheckrc"]:
            os.makedirs(os.path.dirname(os.path.join(self.folder, name)), exist_ok=True)
            shutil.copy(os.path.join(SOURCE, name), os.path.join(self.folder, name))
        for name, text in CLEAN.items():
            self.write(name, text)
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *words):
        subprocess.run(["git", "-C", self.folder, *words], check=True)

    def lint(self, status, *words, folder=None, **environment):
        ended = subprocess.run([os.path.join(folder or self.folder, "packaging/lint.sh"), *words], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, cwd="/",
                               env={**os.environ, **environment})
        self.assertEqual(status, ended.returncode, ended.stdout)
        return ended.stdout

    def test_clean(self):
        self.assertEqual("cpp: clang-format, 1 files\npython: flake8, 2 files\nshell: shellcheck, 3 files\n",
                         self.lint(0))

    def test_each_defect(self):
        for kind, name, text, said in DEFECTS:
            with self.subTest(name):
                self.write(name, text)
                self.assertIn(said, self.lint(1, kind))
                self.lint(1)
                self.write(name, CLEAN[name])
        self.lint(0)

    def test_defects_of_two_kinds_are_both_named(self):
        self.write("b.py", "import os\n")
        self.write("c.sh", "#!/bin/sh\necho $1\n")
        said = self.lint(1)
        self.assertIn("F401", said)
        self.assertIn("SC2086", said)

    def test_worktree(self):
        tree = os.path.join(self.folder, "tree")
        self.git("worktree", "add", "-q", tree)
        self.assertIn("python: flake8, 2 files", self.lint(0, folder=tree))

    def test_removed_file(self):
        os.remove(os.path.join(self.folder, "bin/e"))
        self.assertIn("python: flake8, 1 files", self.lint(0, "python"))

    def test_no_repository(self):
        shutil.rmtree(os.path.join(self.folder, ".git"))
        self.assertIn("expected a git clone", self.lint(2, GIT_CEILING_DIRECTORIES=os.path.dirname(self.folder)))

    def test_missing_tool(self):
        tools = os.path.join(self.folder, "tools")
        os.mkdir(tools)
        for tool in ["bash", "env", "git", "dirname", "sed"]:
            os.symlink(shutil.which(tool), os.path.join(tools, tool))
        self.assertIn("flake8 is not installed", self.lint(2, "python", PATH=tools))

    def test_usage(self):
        self.assertIn("unknown argument 'rust'", self.lint(2, "rust"))
        self.assertIn("lint.sh shell", self.lint(0, "--help"))


if __name__ == "__main__":
    unittest.main()
