#!/usr/bin/env python3
"""The document tests must find their faults: each gets a small repository with one fault."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import words_test

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
        self.expect(0, "2 documents, 0 tables, 0 words", "words", self.root)
        self.expect(0, "0 lines too wide", "prose_width", self.root)
        self.expect(0, "1 examples", "examples", "A.md", "--source", self.root, "--build", self.root)

    def test_links(self):
        for wrong, finding in (("[x](C.md)", "A.md:18: C.md is not there"), ("[x](#two)", "no such heading"),
                               ("[x](B.md#two)", "no such heading"), ("\n[over\n`two`\nlines](C.md)", "A.md:21: C.md"),
                               ("`src/b.cpp`", "src/b.cpp` is not there")):
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

    def test_links_to_translations(self):
        """A link to C_CN.md#... is that to C.md#..., if the headings have the same place."""
        self.write("C.md", "# C\n## Two\n## Three\n")
        self.write("C_CN.md", "# C\n## 二\n## 三\n")
        self.write("A.md", PAGE + "\n[x](C.md#two)\n")
        for anchor, status, finding in (("二", 0, "alike"), ("三", 1, "link: A.md:18")):
            self.write("B.md", PAGE.replace("B.md", "A.md") + f"\n[x](C_CN.md#{anchor})\n")
            self.expect(status, finding, "translation", "A.md", "B.md")

    def test_comments_may_differ(self):
        self.write("B.md", PAGE.replace("B.md", "A.md").replace("a comment", "anmerkung"))
        self.expect(0, "alike", "translation", "A.md", "B.md")

    def test_words(self):
        self.write("A.md", PAGE + "\nThe behavior of `color`.\n")
        self.expect(1, "A.md:18: behavior: write behaviour", "words", self.root)
        for _, example, instead in words_test.SLOW:
            self.write("A.md", PAGE + f"\n{example}\n")
            self.expect(1, f"write {instead}", "words", self.root)
        self.write("A.md", PAGE)
        self.write("mappings/forward/a.yaml", '# "is, too"\nreasons:\n  one: "MTML tells the clock"\n')
        self.expect(1, "mappings/forward/a.yaml:3: 'MTML tells': write reports", "words", self.root)

    def test_prose_width(self):
        for line in ("x" * 100, "|" + "x" * 200 + "|", "[" + "x" * 80 + "](B.md#" + "x" * 80 + ")",
                     "```text\n" + "x" * 200 + "\n```", "x" * 80 + " <https://example.com/" + "x" * 80 + ">"):
            self.write("A.md", PAGE + "\n" + line + "\n")
            self.expect(0, "2 documents, 0 lines too wide", "prose_width", self.root)
        for line in ("x" * 101, "- " + "x" * 99, "## " + "x" * 98, "[" + "x" * 99 + "](B.md)"):
            self.write("A.md", PAGE + "\n" + line + "\n")
            self.expect(1, "A.md:18: 101 columns, expected at most 100", "prose_width", self.root)
        self.write("README_CN.md", "x" * 200 + "\n")
        self.expect(1, "2 documents, 1 lines too wide", "prose_width", self.root)
        self.expect(0, "1 documents, 0 lines too wide", "prose_width", self.root, "B.md")
        self.write("README.md", "x\n" * 151)
        self.expect(1, "README.md: 151 lines, expected at most 150", "prose_width", self.root, "README.md")

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

    def test_pictures(self):
        """A terminal is drawn by the script, and read back by the test."""
        draw = HERE.parents[1] / "packaging/doc/terminal_svg.py"
        output = "== it\n\n  torchada: libx: cudaA -> musaA in /home/%s/lib/a\n%s MiB\n"
        self.write("show.sh", f"printf 'built\n{output}' me $((2 * 3))")
        drawn = subprocess.run([sys.executable, draw, "bash show.sh"], input=output % ("you", 77), capture_output=True,
                               text=True, check=True)
        self.write("A.md", PAGE + "\n![a\nterminal](p.svg) [another](q.svg)\n")
        self.write("q.svg", '<svg xmlns="http://www.w3.org/2000/svg"><text>no terminal</text></svg>')
        arguments = ("A.md", "--source", self.root, "--build", self.root)
        self.write("p.svg", drawn.stdout)
        self.expect(0, "2 examples", "examples", *arguments)
        for change in (("musaA", "musaB"), ("== it", "== that"), ('preserve"></text>', 'preserve">x</text>'),
                       ("bash", "true"), ('<tspan class="varies">77</tspan>', "77"), ("/lib/a", "/lib/b")):
            self.assertIn(change[0], drawn.stdout)
            self.write("p.svg", drawn.stdout.replace(*change))
            self.expect(1, "prints something else than p.svg shows", "examples", *arguments)

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
