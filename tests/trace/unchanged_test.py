"""Tracing changes nothing: the conformance tests, which state what each function does, also pass
when traced, and the same number of them.

usage: unchanged_test.py CONFORMANCE...
"""
import os
import re
import sys
import unittest

import support

CONFORMANCE = sys.argv[1:]


class Unchanged(support.TraceTest):

    def passed(self, program, **environment):
        ended = support.start(program, **environment)
        self.assertEqual(0, ended.status, ended.stdout[-4000:] + ended.stderr[-4000:])
        return re.findall(r"(?m)^\[ +OK +\] (\S+)", ended.stdout)

    def test_conformance(self):
        for program in CONFORMANCE:
            with self.subTest(os.path.basename(program)):
                untraced = self.passed(program)
                file = self.path("calls.%p.json")
                traced = self.passed(program,
                                     TORCHADA_TRACE="json,begin,memory,summary:" + file)
                self.assertEqual(untraced, traced)
                self.assertGreater(len(traced), 300)
                records = self.read(self.path("calls.*"))
                self.assertGreater(len(self.calls(records)), 5000)
                self.assertGreater(sum(each["event"] == "callback" for each in records), 10)
                self.assertEqual([], [each["text"] for each in records
                                      if each["event"] == "remark"])
                self.check_ends(records)
                for name in os.listdir(self.folder):
                    os.unlink(self.path(name))

    def check_ends(self, records):
        """Each call that began also ended, except those that ended their process."""
        open_calls = {}
        for each in records:
            stack = open_calls.setdefault((each["process"], each.get("thread")), [])
            if each["event"] == "begin":
                stack.append(each["function"])
            elif each["event"] == "call":
                self.assertEqual(stack.pop(), each["function"])
        left = [stack for stack in open_calls.values() if stack]
        self.assertLessEqual(len(left), 2, left)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
