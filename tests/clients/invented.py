"""For the tests of the harness: an invented client, and an invented installation whose commands say what the test
wants."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(HERE, "run.py")

# `run` starts the program; `check` and `doctor` print what lies beside them, and count how often they were asked.
COMMAND = """#!/usr/bin/env python3
import os, sys
folder = os.path.dirname(os.path.abspath(__file__))
if sys.argv[1] == "run":
    program = sys.argv[sys.argv.index("--") + 1:]
    os.execve(program[0], program, {**os.environ, "TORCHADA_STARTED": "1"})
if sys.argv[1:3] == ["kernels", "fetch"]:
    sys.exit(0)
with open(os.path.join(folder, "..", "..", "asked"), "a") as out:
    out.write(" ".join(sys.argv[1:]) + "\\n")
print(open(os.path.join(folder, "..", "share", sys.argv[1])).read())
status = {"runs": 0, "partly": 1, "unexamined": 1, "cannot": 4, "broken": 139,
          "kernels": 1, "clear": 0, "warns": 0, "unknown": 0, "both": 0, "stops": 1}
sys.exit(status[open(os.path.join(folder, "..", "share", sys.argv[1] + ".word")).read()])
"""
SCRIPT = """'What is tried.'
import ctypes, os, sys, time
from client_steps import step, equal, close, main

@step("load")
def load():
    return 2

@step("query")
def work(load):
    %s

@step("copy")
def after(load):
    equal(load, 2)

main()
"""
YAML = """
name: invented
version: "1.0"
part: the package
megabytes: 1
seconds: 60
steps: {load: ok, work: %s, after: ok}
"""
REPORT = {"path": "/x/steps.py", "reasons": ["because"], "decides": True}


class Invented(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="torchada-harness-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.stage, self.clients = self.path("stage"), self.path("clients")
        self.results, self.work = self.path("results"), self.path("work")
        for name in ("stage/bin", "stage/share", "clients/invented", "work"):
            os.makedirs(self.path(*name.split("/")))
        self.write("stage/bin/torchada", COMMAND)
        os.chmod(self.path("stage", "bin", "torchada"), 0o755)
        self.says("runs", "clear")
        self.client("equal(load, 2)")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)

    def client(self, body, expected="ok", part="the package", seconds=60):
        self.write("clients/invented/steps.py", SCRIPT % body)
        self.write("clients/invented/client.yaml",
                   (YAML % expected).replace("the package", part).replace("seconds: 60", f"seconds: {seconds}"))

    def says(self, check, doctor):
        findings = {"clear": [], "stops": [("error", "x")], "warns": [("warning", "x")],
                    "unknown": [("warning", "script-not-examined")], "kernels": [("warning", "script-kernels")],
                    "both": [("warning", "script-not-examined"), ("warning", "x")]}.get(doctor)
        severity = [{"id": name, "severity": severity, "message": "m", "evidence": []}
                    for severity, name in findings]
        self.write("stage/share/check", json.dumps({"verdict": check, "reports": [{**REPORT, "verdict": check}]}))
        self.write("stage/share/doctor", json.dumps({"stops": doctor == "stops", "findings": severity}))
        self.write("stage/share/check.word", check)
        self.write("stage/share/doctor.word", doctor)
        self.write("stage/share/tables.bin", check + doctor)  # Another build.

    def start(self, status, *words, stage=None, **environment):
        ended = subprocess.run([sys.executable, "-B", RUN, "--stage", stage or self.stage, "--results", self.results,
                                "--work", self.work, "--clients", self.clients, *words],
                               capture_output=True, text=True, check=False, timeout=800,
                               env={**os.environ, **environment})
        self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
        self.assertEqual([], os.listdir(self.work), "it left files")
        return ended.stdout

    def result(self):
        with open(os.path.join(self.results, "invented.json"), encoding="utf-8") as file:
            return json.load(file)

    def outcomes(self):
        return {name: (step["outcome"], step["message"]) for name, step in self.result()["steps"].items()}
