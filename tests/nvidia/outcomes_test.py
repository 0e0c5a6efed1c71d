"""outcomes.csv tells of each conformance test what NVIDIA's own libraries do, and why if they do not pass it.

 outcomes_test.py PROGRAMS KERNELS

PROGRAMS: build/tests/conformance. KERNELS: tests/kernels/programs."""
import csv
import os
import sys
import unittest

import record

PROGRAMS, KERNELS = sys.argv.pop(1), sys.argv.pop(1)
OUTCOMES = {"passed", "failed", "crashed", "hung", "not run"}
ADD = ("outcomes.csv: add a row for each with the outcome 'not run' and the reason 'newer than the recording', or "
       "record again (README.md)")


class Outcomes(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with open(record.RECORDED, encoding="utf-8") as file:
            cls.rows = list(csv.DictReader(file))

    def recorded(self, program):
        return {row["test"] for row in self.rows if row["program"] == program}

    def test_each_conformance_test_has_a_row(self):
        for program in record.PROGRAMS:
            there = set(record.tests_of(os.path.join(PROGRAMS, program)))
            self.assertEqual(set(), there - self.recorded(program), ADD)
            self.assertEqual(set(), self.recorded(program) - there, "outcomes.csv: these tests are gone: remove them")

    def test_each_program_with_kernels_has_a_row(self):
        there = {name[:-len(".cu")] for name in os.listdir(KERNELS) if name.endswith(".cu")}
        self.assertEqual(there, self.recorded("kernels"))

    def test_each_difference_has_a_reason(self):
        self.assertEqual(len(self.rows), len({(row["program"], row["test"]) for row in self.rows}))
        for row in self.rows:
            self.assertIn(row["outcome"], OUTCOMES, row)
            self.assertEqual(row["outcome"] == "passed", not row["why"], row)

    def test_most_pass(self):
        run = [row for row in self.rows if row["outcome"] != "not run"]
        passed = [row for row in run if row["outcome"] == "passed"]
        self.assertGreater(len(passed), 0.7 * len(run))


if __name__ == "__main__":
    unittest.main(verbosity=2)
