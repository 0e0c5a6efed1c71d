#!/usr/bin/env python3
"""The tests of the documents find what they are for: each is shown a small repository with one fault."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
PAGE = """# One
English | [other](B.md)

Words, [a link](#one) and `src/a.cpp`.

```sh
echo "five $((2 + 3))"   # a comment
```

```text
five ...
```

| `a` | b |
|---|---|
| `c` | d |
"""


class Checks(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("A.md", PAGE)
        self.write("B.md", PAGE.replace("B.md", "A.md"))
        self.write("src/a.cpp", 'say("the file " << name << " is gone");\n')
        self.write("src/command/doctor/findings.cpp", 'constexpr std::array kOrder = {"lost"};\n')
        subprocess.run(["git", "init", "-q", self.root], check=True)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def expect(self, status, text, script, *words):
        ended = subprocess.run([sys.executable, "-B", HERE / f"{script}_test.py", *words], cwd=self.root,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(status, ended.returncode, ended.stdout)
        self.assertIn(text, ended.stdout)

    def test_good(self):
        self.expect(0, "no dead link", "links", self.root)
        self.expect(0, "1 sections alike", "translation", "A.md", "B.md")
        self.expect(0, "0 words", "words", self.root)
        self.expect(0, "1 examples", "examples", "A.md", "--source", self.root, "--build", self.root)

    def test_links(self):
        for wrong, finding in (("[x](C.md)", "A.md:18: C.md is not there"), ("[x](#two)", "no such heading"),
                               ("[x](B.md#two)", "no such heading"), ("`src/b.cpp`", "src/b.cpp` is not there")):
            self.write("A.md", PAGE + "\n" + wrong + "\n")
            self.expect(1, finding, "links", self.root)
        self.write("A.md", PAGE)
        self.write("packaging/doc/D.md", "# D\n[x](../../A.md)\n")
        self.expect(1, "is not installed beside it", "links", self.root)

    def test_translation(self):
        for change, finding in ((("# One", "## One"), "level of heading"), (("3))", "4))"), "block"),
                                (("`c`", "`e`"), "code in the first column"), (("| b |", "| b | c |"), "table"),
                                (("(#one)", "(#two)"), "link"), (("Words", "Words\n\nand more"), "paragraphs")):
            self.write("B.md", PAGE.replace("B.md", "A.md").replace(*change))
            self.expect(1, finding, "translation", "A.md", "B.md")

    def test_comments_may_differ(self):
        self.write("B.md", PAGE.replace("B.md", "A.md").replace("a comment", "anmerkung"))
        self.expect(0, "alike", "translation", "A.md", "B.md")

    def test_words(self):
        self.write("A.md", PAGE + "\nThe behavior of `color`.\n")
        self.expect(1, "A.md:18: behavior: write behaviour", "words", self.root)

    def test_examples(self):
        arguments = ("A.md", "--source", self.root, "--build", self.root)
        for change, finding in ((("five ...", "six ..."), "prints something else"),
                                (("five ...", "five ...\nsix"), "prints something else"),
                                (('"five $', "'five $"), "unexpected EOF"),
                                (("five ...\n", ""), "prints something else"),
                                (("```text", "```c"), "no example was run")):
            self.write("A.md", PAGE.replace(*change))
            self.expect(1, finding, "examples", *arguments)
        self.write("A.md", PAGE.replace("five ...", "...\nfive 5\n..."))
        self.expect(0, "1 examples", "examples", *arguments)
        changing = PAGE + "\n```sh\nsudo touch made\n```\n\n```text\nnever shown\n```\n"
        self.write("A.md", changing)
        self.expect(0, "A.md:18: not run here, it changes the machine", "examples", *arguments)
        self.assertFalse((self.root / "made").exists())

    def test_messages(self):
        rows = "".join(f"| `the file ...x{i} is gone` | |\n" for i in range(9))
        page = ("# P\n## Messages of the libraries\n| m | c |\n|---|---|\n| `the file ... is gone` | |\n"
                + rows.replace("x", " ") + "## Findings of doctor\n| f | w |\n|---|---|\n| `found` | |\n")
        self.write("A.md", page)
        self.expect(1, "the finding lost is not listed", "messages", self.root, "A.md")
        self.expect(1, "doctor has no finding found", "messages", self.root, "A.md")
        self.expect(1, "nothing says '0 is gone'", "messages", self.root, "A.md")


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout))
