"""Collectives with random deaths, again and again, beside the service."""
import os
import subprocess
import sys
import threading

SCRIPT = os.path.join(os.path.dirname(__file__), "..", "collectives", "deaths_test.py")
AT_ONCE, PAUSE = 4, 20


class Deaths:
    def __init__(self, temporary):
        self.environment = {
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "TMPDIR": temporary,
            "COLLECTIVES_STAGE": os.environ["LONG_RUN_STAGE"],
            "COLLECTIVES_PROGRAMS": os.environ["LONG_RUN_COLLECTIVES"]}
        self.done, self.failure = 0, None
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.repeat)
        self.thread.start()

    def repeat(self):
        while not self.ending.wait(PAUSE if self.done else 0):
            ended = subprocess.run([sys.executable, "-B", SCRIPT, str(AT_ONCE)], env=self.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if ended.returncode != 0:
                self.failure = ended.stdout
                return
            self.done += AT_ONCE

    def end(self):
        self.ending.set()
        self.thread.join()
