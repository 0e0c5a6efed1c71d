"""Starts the ranks of a job and watches them. Standard library only."""
import os
import signal
import subprocess
import sys
import tempfile
import time

STAGE = os.path.realpath(os.environ["COLLECTIVES_STAGE"])
PROGRAMS = os.environ["COLLECTIVES_PROGRAMS"]
TREE = os.environ.get("COLLECTIVES_TREE", "5.2")
# Another build of the stand-in, with a sanitizer whose runtime is loaded first.
TREES = os.environ.get("COLLECTIVES_TREES", os.path.join(STAGE, "host"))
SANITIZER = os.environ.get("COLLECTIVES_SANITIZER", "")
# MCCL 2.11 has neither.
REMOTE_ERROR = 6 if TREE not in ("3.1", "4.3") else 2
HAS_FLOAT8 = TREE not in ("3.1", "4.3")


def environment(**more):
    """The caller's environment must not influence a result."""
    found = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8",
             "LD_LIBRARY_PATH": os.path.join(STAGE, "lib"),
             "TORCHADA_MUSA_PATH": os.path.join(TREES, TREE)}
    found.update(more)
    if SANITIZER:
        found.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
                      if name in os.environ})
        found["LD_PRELOAD"] = ":".join(filter(None, [SANITIZER, more.get("LD_PRELOAD")]))
    return found


def enter_environment():
    """Restarts the script in that environment if necessary, because the loader reads it before the
    script runs."""
    if "LD_LIBRARY_PATH" not in os.environ:
        ours = {name: value for name, value in os.environ.items() if name.startswith("COLLECTIVES_")}
        os.execve(sys.executable, [sys.executable, "-B", *sys.argv], environment(**ours))


class Job:
    """RANKS processes of a program. `of_rank` gives ranks variables of their own."""

    def __init__(self, program, ranks, *arguments, of_rank=None, variables=None, command=None):
        self.folder = tempfile.TemporaryDirectory(prefix="collectives-")
        id_file = os.path.join(self.folder.name, "id")
        self.processes = []
        run = command or [os.path.join(PROGRAMS, program)]
        for rank in range(ranks):
            self.processes.append(subprocess.Popen(
                [*run, id_file, str(ranks), str(rank), *map(str, arguments)],
                env=environment(**(variables or {}), **(of_rank or {}).get(rank, {})), stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True))

    def wait(self, seconds):
        """(status, stdout, stderr) of every rank. Fails if a rank has not ended in time."""
        results, end = [], time.monotonic() + seconds
        for process in self.processes:
            try:
                out, err = process.communicate(timeout=max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.kill_all()
                raise AssertionError("rank %d of %s has not ended after %d s" %
                                     (len(results), process.args, seconds)) from None
            results.append((process.returncode, out, err))
        self.folder.cleanup()
        return results

    def wait_for_output(self, text):
        """Waits until every rank has printed this line."""
        for process in self.processes:
            line = process.stdout.readline()
            if line.strip() != text:
                self.kill_all()
                raise AssertionError("expected %r, got %r%s" % (text, line, process.stderr.read()))

    def kill(self, rank, number=signal.SIGKILL):
        self.processes[rank].send_signal(number)

    def kill_all(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()


def expect_success(results, last_word=None):
    for rank, (status, out, err) in enumerate(results):
        if status != 0 or err != "" or (last_word and last_word not in out):
            raise AssertionError("rank %d: status %d\n%s%s" % (rank, status, out, err))


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)
