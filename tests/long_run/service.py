"""The long-running programs, started with torchada run, and the trace of the service-like one."""
import json
import os
import subprocess
import tempfile
import threading

import growth

STAGE, PROGRAM, IMAGE = (os.environ["LONG_RUN_" + name] for name in ("STAGE", "PROGRAM", "IMAGE"))


class Trace:
    """A pipe that takes the trace's records and counts them by library. A file would grow."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "trace")
        os.mkfifo(self.path)
        self.counts = {}
        self.wrong = None
        # Also for writing, so that there is always a reader and the pipe has no end.
        self.descriptor = os.open(self.path, os.O_RDWR)
        self.thread = threading.Thread(target=self.take)
        self.thread.start()

    def take(self):
        with os.fdopen(self.descriptor, encoding="utf-8", closefd=False) as records:
            for line in records:
                if line == "end\n":
                    return
                try:
                    record = json.loads(line)
                except ValueError:
                    self.wrong = self.wrong or line
                    continue
                if "library" in record:
                    self.counts[record["library"]] = self.counts.get(record["library"], 0) + 1

    def close(self):
        os.write(self.descriptor, b"end\n")
        self.thread.join()
        os.close(self.descriptor)


class Rounds:
    """A program that does a round for each line. `temporary` is its folder for temporary files. `warming`: so many
    rounds are done before those that count."""

    def __init__(self, temporary, options, command, environment, warming=0):
        self.temporary, self.warming = temporary, warming
        self.samples = []
        # With TemporaryFile, what it writes there cannot fill a pipe.
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # pylint: disable=consider-using-with
        # Few arenas of the C library, so that all are there soon, however many cores the machine has.
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TMPDIR": temporary, "MALLOC_ARENA_MAX": "4",
                       "TORCHADA_HOST_DEVICES": "2", "TORCHADA_HOST_MEMORY": "1G", **environment}
        self.process = subprocess.Popen(
            [os.path.join(STAGE, "bin", "torchada"), "run", "--backend=host", "--nvml", *options, "--", *command],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def warm_up(self):
        """False if it has ended."""
        done = all(self.do_round() for _ in range(self.warming))
        self.samples.clear()
        return done

    def do_round(self):
        """Has it do one round and measures what it then holds. False if it has ended."""
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return False
        line = self.process.stdout.readline()
        if not line:
            return False
        measured = growth.sample(self.process.pid, self.temporary)
        measured["device_kib"] = -int(line.split()[1]) // 1024
        self.samples.append(measured)
        return True

    def end(self):
        """Its status and what it wrote to stderr, without the kernels that were made for it."""
        self.process.communicate(timeout=60)
        self.errors.seek(0)
        with self.errors:
            said = [line for line in self.errors if not line.startswith("torchada: kernels: ")]
        return self.process.returncode, "".join(said)


def service(temporary, trace, *options):
    """The program that uses all libraries."""
    return Rounds(temporary, ["--kernels=" + IMAGE], [PROGRAM, *options],
                  {"TORCHADA_HOST_ACCOUNT": "long_run", "TORCHADA_TRACE": "json:" + trace.path})
