#!/usr/bin/env python3
"""benchmarks/run.py: what it runs, saves and shows. run_test.py BUILD"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import compare
import run

RUN = Path(__file__).with_name("run.py")
BUILD = sys.argv.pop(1)


def row(**changes):
    return {"program": "calls", "name": "slot <&>", "quantity": "hot", "unit": "ratio", "median": 1.2, "low": 1.1,
            "high": 1.3, "samples": 160, "at_most": 1.2, **changes}


def saved(median, **changes):
    return {"date": "2026-01-02T03:04:05Z", "commit": "abc", "machine": "m", "system": "s", "compiler": "c",
            "build_type": "RelWithDebInfo", "load": 0.1, "results": [row(median=median)], **changes}


class Run(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.history, self.page = Path(folder.name) / "history.json", Path(folder.name) / "page.html"

    def run_py(self, *words, status=0):
        ended = subprocess.run([sys.executable, "-B", RUN, "--build", BUILD, "--history", self.history, *words],
                               capture_output=True, text=True, check=False)
        self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
        return ended

    def write(self, *runs):
        self.history.write_text(json.dumps({"format": "torchada-benchmarks", "version": 1, "runs": runs}))

    def test_quick_run(self):
        """The programs' numbers arrive, whatever their values."""
        ended = self.run_py("--quick", "--only", "adapted", "--page", self.page)
        self.assertRegex(ended.stdout, r"cublasSgemm_v2: 2 enumerators +ratio +\d+\.\d\d \(.*at most 2")
        self.assertIn("[1/1] adapted", ended.stderr)
        self.assertFalse(self.history.exists())
        self.assertIn("cublasGemmEx: 7 enumerators", self.page.read_text())

    def test_compile_time(self):
        """Compiles only if asked to: both the time of the processors and the time on the clock."""
        ended = self.run_py("--quick", "--only", "compile")
        for quantity in ("processor time", "clock"):
            self.assertRegex(ended.stdout, rf"torchada_inspect +{quantity} +[\d.]+ \([\d.-]+\) +s")
        self.assertEqual(["calls"], [name for name, *_ in run.chosen("calls")])
        self.assertNotIn("compile", [name for name, *_ in run.chosen("")])

    def test_interval(self):
        """Order statistics of the binomial distribution: tables of the sign test say 4 and 12 for 15."""
        self.assertEqual((8, 4, 12), compare.interval(range(1, 16)))
        self.assertEqual((3.5, 1, 6), compare.interval(range(1, 7)))
        self.assertEqual((1.5, 1, 2), compare.interval([2, 1]))

    def test_compared(self):
        """What only one of the two has is left out, and the number of functions is no difference."""
        other = [row(name="slot, 422 functions", median=2.0), row(name="gone")]
        this = [row(name="slot, 500 functions", median=1.0), row(name="new")]
        rows = compare.compared([(other, this)] * 15)
        self.assertEqual([("slot, 500 functions".replace("500 ", ""), 0.5, 15)],
                         [(item["name"], item["ratio"], item["turns"]) for item in rows])
        self.assertTrue(compare.differs(rows[0]))
        self.assertFalse(compare.differs({"low": 0.9, "high": 1.1}))

    def test_turns(self):
        """The two builds change places, and counts are taken once."""
        order = []
        compare.in_turns(["a", "b"], ["calls", "instructions"], 2,
                         lambda name, build: order.append(name[0] + build) or [])
        self.assertEqual(["ca", "cb", "ia", "ib", "cb", "ca"], order)

    def test_against_itself(self):
        ended = self.run_py("--against", BUILD, "--only", "adapted", "--turns", "2")
        self.assertRegex(ended.stdout, r"cublasSgemm_v2: 2 enumerators +ratio .* -> .* \d\.\d+ \(\d")
        self.assertIn("no revision", self.run_py("--compare", "no-such-revision", "--only", "adapted", status=1).stderr)

    def test_saving_appends(self):
        self.write(saved(1.0))
        self.run_py("--only", "registration", "--save")
        history = json.loads(self.history.read_text())
        self.assertEqual(2, len(history["runs"]))
        self.assertEqual(saved(1.0), history["runs"][0])
        run = history["runs"][1]
        for what in ("date", "commit", "machine", "system", "compiler", "build_type"):
            self.assertTrue(run[what], what)
        self.assertLess(5, len(run["results"]))

    def test_page(self):
        """Well-formed, self-contained, names escaped, one point for each run; missed
        expectations and other machines are marked."""
        self.write(saved(1.0), saved(1.1, machine="another"), saved(1.4))
        self.run_py("--from-history", "--page", self.page)
        text = self.page.read_text()
        self.assertNotRegex(text, r"https?://|<script|<link|url\(")
        self.assertNotIn("slot <&>", text)
        for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
            xml.etree.ElementTree.fromstring(svg)
        plots = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        self.assertEqual(2, len(plots))
        self.assertEqual(1, plots[1].count('class="other"'))
        self.assertEqual(1, plots[1].count('class="missed"'))
        self.assertIn("at most 1.2, missed in this run", text)

    def test_wrong_words(self):
        self.assertIn("no benchmark 'x'", self.run_py("--only", "x", status=2).stderr)
        self.run_py("--save", "--quick", status=2)
        self.assertIn("holds no run", self.run_py("--from-history", "--page", self.page, status=1).stderr)
        self.history.write_text("{}")
        self.assertIn("history.json: is none of this format", self.run_py("--quick", status=1).stderr)

    def test_not_built(self):
        """A missing program is reported, the others run, and the exit status shows the failure."""
        with tempfile.TemporaryDirectory() as empty:
            (Path(empty) / "CMakeCache.txt").write_text("CMAKE_BUILD_TYPE:STRING=Debug\n")
            ended = subprocess.run([sys.executable, "-B", RUN, "--build", empty, "--history", self.history, "--only",
                                    "calls,adapted"], capture_output=True, text=True, check=False)
        self.assertEqual(1, ended.returncode)
        self.assertEqual(2, ended.stderr.count("is not built"))

    def test_committed_history_is_read(self):
        ended = subprocess.run([sys.executable, "-B", RUN, "--from-history", "--page", self.page], capture_output=True,
                               text=True, check=False)
        self.assertEqual(0, ended.returncode, ended.stderr)


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout))
