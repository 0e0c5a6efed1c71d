#!/usr/bin/env python3
"""packaging/steps.sh, the long test in steps: what runs again, what does not, and what a failure does."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SCRIPT = f"""
set -euo pipefail
. {SOURCE}/packaging/steps.sh
step_good() {{ echo ran >>"$RAN"; echo "good says this"; }}
step_broken() {{ false; echo "set -e was ignored"; }}
step_skips() {{ printf '\t12 - a.test (Skipped)\nSKIPPED: no such device\n'; }}
step_changes() {{ echo changed >>tracked; }}
run_steps full "$@"
"""


class Steps(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.ran = Path(temporary.name, "ran")
        self.ran.touch()
        self.repository = Path(temporary.name, "repository")
        self.repository.mkdir()
        self.git("init", "-q")
        (self.repository / ".gitignore").write_text("full\n")
        self.commit()

    def git(self, *arguments):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *arguments], cwd=self.repository, check=True)

    def commit(self):
        with open(self.repository / "tracked", "a", encoding="utf-8") as file:
            file.write("a line\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "a commit")

    def steps(self, status, *names):
        ended = subprocess.run(["bash", "-c", SCRIPT, "bash", *names], cwd=self.repository, text=True, check=False,
                               capture_output=True, env={**os.environ, "RAN": str(self.ran)})
        self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
        return ended.stdout

    def times_ran(self):
        return len(self.ran.read_text(encoding="utf-8").splitlines())

    def test_a_step_that_passed_is_not_run_again(self):
        self.assertIn("good says this", self.steps(0, "good"))
        self.assertIn("good: passed before", self.steps(0, "good"))
        self.assertEqual(1, self.times_ran())

    def test_another_commit_is_tested_again(self):
        self.steps(0, "good")
        self.commit()
        self.steps(0, "good")
        self.assertEqual(2, self.times_ran())

    def test_uncommitted_changes_are_tested_again(self):
        self.steps(0, "good")
        (self.repository / "new").touch()
        self.steps(0, "good")
        (self.repository / "new").unlink()
        self.steps(0, "good")
        self.assertEqual(3, self.times_ran())

    def test_changes_during_a_step_leave_it_untested(self):
        self.steps(0, "changes")
        self.assertEqual([], list(self.repository.glob("full/*.passed")))

    def test_a_failure_does_not_stop_the_others(self):
        printed = self.steps(1, "broken", "good")
        self.assertIn("good says this", printed)
        self.assertIn("2 steps, 1 failed", printed)
        self.assertIn("broken: FAILED with status 1 after 0 min, see full/broken.log", printed)
        self.assertNotIn("set -e was ignored", printed)

    def test_a_failed_step_is_run_again(self):
        self.steps(1, "broken")
        self.assertNotIn("passed before", self.steps(1, "broken"))

    def test_skipped_tests_are_counted(self):
        self.assertIn("skips: passed in 0 min, 2 skipped\n", self.steps(0, "skips"))
        self.assertIn("good: passed in 0 min\n", self.steps(0, "good"))

    def test_the_log_has_what_a_step_printed(self):
        self.steps(0, "good")
        self.assertEqual("good says this\n", (self.repository / "full" / "good.log").read_text(encoding="utf-8"))


class TestFull(unittest.TestCase):
    def run_it(self, status, *arguments):
        ended = subprocess.run([SOURCE / "packaging" / "test-full.sh", *arguments], capture_output=True, text=True,
                               check=False)
        self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
        return ended

    def test_the_steps_are_listed(self):
        steps = self.run_it(0, "--list").stdout.split()
        script = (SOURCE / "packaging" / "test-full.sh").read_text(encoding="utf-8")
        self.assertEqual(script.count("\nstep_"), len(steps))
        self.assertIn("clients", steps)

    def test_bad_usage(self):
        self.assertIn("test-full.sh BUILD", self.run_it(2).stdout)
        self.assertIn("no step is named nonsense", self.run_it(2, "build", "nonsense").stderr)
        self.assertIn("has no build", self.run_it(2, "/nonexistent").stderr)
        self.assertIn("unknown option --nonsense", self.run_it(2, "--nonsense").stderr)


if __name__ == "__main__":
    unittest.main()
