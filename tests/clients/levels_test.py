"""The level of a client, and of a program that has several."""
import unittest
from types import SimpleNamespace

import document
from client import PACKAGE
from judging import level_of


class Levels(unittest.TestCase):
    """By what worked. The numbers of values are written by hand here."""

    def level(self, *steps, ended="ok", part=PACKAGE):
        made = [("load", "ok", 0), *steps, ("host", ended, 0)]
        return level_of({str(i): {"kind": kind, "outcome": outcome, "compared": compared}
                         for i, (kind, outcome, compared) in enumerate(made)}, part)

    def test_each(self):
        failed = ("kernel", "error", 0)
        self.assertEqual("loads", self.level(failed))
        self.assertEqual("queries", self.level(("query", "ok", 0), failed))
        self.assertEqual("copies", self.level(("query", "ok", 0), ("copy", "ok", 3), failed))
        self.assertEqual("library calls", self.level(("library", "ok", 1), ("copy", "ok", 3), failed))
        self.assertEqual("kernels", self.level(("kernel", "ok", 1), ("library", "wrong", 5)))
        self.assertEqual("whole", self.level(("kernel", "ok", 1), ("copy", "ok", 3)))
        self.assertEqual("whole", self.level(("query", "ok", 2)))

    def test_a_part_is_not_whole(self):
        steps = ("library", "ok", 1), ("copy", "ok", 3)
        self.assertEqual("whole", self.level(*steps))
        self.assertEqual("library calls", self.level(*steps, part="two modules"))
        self.assertEqual("queries", self.level(("query", "ok", 2), part="two modules"))

    def test_what_compared_nothing_is_not_whole(self):
        self.assertEqual("queries", self.level(("query", "ok", 0), ("library", "ok", 0)))

    def test_what_compares_nothing_does_not_count(self):
        self.assertEqual("copies", self.level(("library", "ok", 0), ("copy", "ok", 1), ("kernel", "crash", 0)))
        self.assertEqual("loads", self.level(("library", "ok", 0), ("kernel", "error", 0)))

    def test_a_bad_end_is_not_whole(self):
        self.assertEqual("copies", self.level(("copy", "ok", 1), ended="crash"))

    def test_a_step_on_the_cpu_that_fails_is_not_whole(self):
        self.assertEqual("kernels", self.level(("kernel", "ok", 1), ("host", "error", 0)))

    def test_what_cannot_be_loaded(self):
        self.assertEqual("does not load", self.level(("load", "error", 0), ("query", "unreached", 0)))


class Programs(unittest.TestCase):

    def level(self, *rows):
        """Of a program with these rows: version, level, whether it is the package."""
        entries = [SimpleNamespace(level=level, whole_package=package,
                                   client=SimpleNamespace(name="it", program="it", version=version))
                   for version, level, package in rows]
        (found,) = document.programs_of(entries)
        return found.level

    def test_the_best_row_of_the_package_counts(self):
        self.assertEqual("copies", self.level(("1", "loads", True), ("1", "copies", True), ("1", "kernels", False)))

    def test_a_version_is_whole_if_all_its_rows_are(self):
        self.assertEqual("whole", self.level(("1", "whole", True), ("1", "whole", True), ("2", "loads", True)))
        self.assertEqual("kernels", self.level(("1", "whole", True), ("1", "kernels", True), ("1", "loads", True)))


if __name__ == "__main__":
    unittest.main()
