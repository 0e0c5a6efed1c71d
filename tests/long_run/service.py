"""The long-running program, started with torchada run, and its trace."""
import json
import os
import subprocess
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


class Service:
    """The program with these options. `temporary` is its folder for temporary files."""

    def __init__(self, temporary, trace, *options):
        self.temporary = temporary
        self.samples = []
        # Few arenas of the C library, so that all are there soon, however many cores the machine has.
        environment = {
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TMPDIR": temporary, "MALLOC_ARENA_MAX": "4",
            "TORCHADA_HOST_ACCOUNT": "long_run", "TORCHADA_HOST_DEVICES": "2", "TORCHADA_HOST_MEMORY": "1G",
            "TORCHADA_TRACE": "json:" + trace.path}
        self.process = subprocess.Popen(
            [os.path.join(STAGE, "bin", "torchada"), "run", "--backend=host", "--nvml", "--kernels=" + IMAGE, "--",
             PROGRAM, *options], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

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
        """Its status and what it wrote to stderr."""
        _, err = self.process.communicate(timeout=60)
        return self.process.returncode, err
