"""Warnings of several ranks: once per node, and none is lost."""
import os
import subprocess
import sys

from support import FUNCTIONS, SONAMES, TORCHADA, CallsTest, main, read

# Calls the functions whose libraries and names follow, says so, and waits like a rank that computes.
RANK = """
import ctypes, sys
for i in range(1, len(sys.argv), 2):
    try:
        getattr(ctypes.CDLL(sys.argv[i]), sys.argv[i + 1], lambda *_: 0)(None, 0)
    except OSError:
        pass
print(flush=True)
sys.stdin.read()
"""
CALL = (SONAMES["cudart"], FUNCTIONS["cudart"])
OTHER_CALL = (SONAMES["nccl"], FUNCTIONS["nccl"])
LINE = "%s: %s is not supported" % CALL


class Ranks(CallsTest):

    def setUp(self):
        self.job = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(os.getpid()), "TORCHELASTIC_RUN_ID": "none"}

    def said(self, ranks, errors=None, start=(), each=None, **environment):
        """Starts all ranks, each with its calls; what they say on stderr while all of them run, and after that."""
        read_end, write_end = os.pipe()
        running = []
        for number, calls in enumerate(ranks):
            variables = {**os.environ, "LOCAL_RANK": str(number), **environment, **(each[number] if each else {})}
            running.append(subprocess.Popen([*start, sys.executable, "-IS", "-c", RANK, *calls], env=variables,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=errors[number] if errors else write_end))
        os.close(write_end)
        for rank in running:
            self.assertEqual(b"\n", rank.stdout.readline())
        for rank in running:
            rank.communicate()
            self.assertEqual(0, rank.returncode)
        with open(read_end, encoding="utf-8") as lines:
            return lines.read()

    def test_once_per_node(self):
        for _ in range(2):  # The second job has the same values, after the first has ended.
            said = self.said([CALL] * 7 + [CALL + OTHER_CALL], **self.job)
            self.assertEqual(1, said.count(LINE), said)
            self.assertEqual(1, said.count("%s: %s is not supported" % OTHER_CALL), "only one rank calls it:\n" + said)

    def test_the_log_file_has_all(self):
        folder = self.folder()
        said = self.said([CALL] * 4, TORCHADA_LOG_FILE=os.path.join(folder, "%p"), **self.job)
        self.assertEqual(1, said.count(LINE), said)
        self.assertEqual([1] * 4, [read(os.path.join(folder, name)).count(LINE) for name in os.listdir(folder)])

    def test_what_is_no_job(self):
        self.assertEqual(3, self.said([CALL] * 3).count(LINE))

    def test_jobs_are_apart(self):
        """Each variable alone makes a job, and tells it from others that run at the same time."""
        names = [*self.job, "SLURM_JOB_ID", "SLURM_STEP_ID", "PMIX_NAMESPACE"]
        jobs = [{name: value + str(os.getpid())} for name in names for value in ("first", "second", "first")]
        said = self.said([CALL] * len(jobs), each=jobs)
        self.assertEqual(2 * len(names), said.count(LINE), said)

    def test_a_file_for_each_rank(self):
        """Whoever reads one of the files finds the line there."""
        folder = self.folder()
        errors = [open(os.path.join(folder, str(number)), "wb") for number in range(3)]
        self.said([CALL] * 3, errors=errors, **self.job)
        for error in errors:
            error.close()
            self.assertEqual(1, read(error.name).count(LINE))

    def test_what_was_asked_for(self):
        """Lines of TORCHADA_LOG=info and summaries come from every rank."""
        said = self.said([CALL] * 3, TORCHADA_LOG="info", TORCHADA_SUMMARY="1", **self.job)
        self.assertEqual((1, 3, 3), (said.count(LINE), said.count("libcudart.so.12: using "),
                                     said.count("summary of")), said)

    def test_audit_module(self):
        # It says that a library is missing when the program asks for the next.
        calls = CALL + ("libcudnn.so.97", "x", SONAMES["nccl"], "x")
        said = self.said([calls] * 3, start=[TORCHADA, "run", "--via=audit"], LD_LIBRARY_PATH="", **self.job)
        self.assertEqual((1, 1), (said.count(LINE), said.count("audit: libcudnn.so.97 was not found")), said)


if __name__ == "__main__":
    main()
