"""The harness itself, with invented clients. Asks no package index.

CLIENTS_STAGE is the installation of torchada for the test that uses a real one. The others use an invented
installation, whose commands say what the test wants."""
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(HERE, "run.py")

# `run` starts the program; `check` and `doctor` print what lies beside them, and count how often they were asked.
COMMAND = """#!/usr/bin/env python3
import os, sys
folder = os.path.dirname(os.path.abspath(__file__))
if sys.argv[1] == "run":
    program = sys.argv[sys.argv.index("--") + 1:]
    os.execv(program[0], program)
with open(os.path.join(folder, "..", "..", "asked"), "a") as out:
    out.write(sys.argv[1] + "\\n")
print(open(os.path.join(folder, "..", "share", sys.argv[1])).read())
status = {"runs": 0, "partly": 1, "unexamined": 1, "cannot": 4, "broken": 139,
          "clear": 0, "warns": 0, "unknown": 0, "both": 0, "stops": 1}
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
megabytes: 1
seconds: 3
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

    def client(self, body, expected="ok"):
        self.write("clients/invented/steps.py", SCRIPT % body)
        self.write("clients/invented/client.yaml", YAML % expected)

    def says(self, check, doctor):
        findings = {"clear": [], "stops": [("error", "x")], "warns": [("warning", "x")],
                    "unknown": [("warning", "script-not-examined")],
                    "both": [("warning", "script-not-examined"), ("warning", "x")]}.get(doctor)
        severity = [{"id": name, "severity": severity, "message": "m", "evidence": []}
                    for severity, name in findings]
        self.write("stage/share/check", json.dumps({"verdict": check, "reports": [{**REPORT, "verdict": check}]}))
        self.write("stage/share/doctor", json.dumps({"stops": doctor == "stops", "findings": severity}))
        self.write("stage/share/check.word", check)
        self.write("stage/share/doctor.word", doctor)
        self.write("stage/share/tables.json", check + doctor)  # Another build.

    def start(self, status, *words, stage=None):
        ended = subprocess.run([sys.executable, "-B", RUN, "--stage", stage or self.stage, "--results", self.results,
                                "--work", self.work, "--clients", self.clients, *words],
                               capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
        self.assertEqual([], os.listdir(self.work), "it left files")
        return ended.stdout

    def result(self):
        with open(os.path.join(self.results, "invented.json"), encoding="utf-8") as file:
            return json.load(file)

    def outcomes(self):
        return {name: (step["outcome"], step["message"]) for name, step in self.result()["steps"].items()}


class Outcomes(Invented):
    def test_what_works(self):
        self.start(0)
        self.assertEqual({"load": ("ok", ""), "work": ("ok", ""), "after": ("ok", ""), "exit": ("ok", "")},
                         self.outcomes())
        self.assertEqual("whole", self.result()["level"])
        self.assertEqual([], self.result()["unexpected"])

    def test_a_wrong_result(self):
        self.client("close([load, 2.5], [2, 2.4])")
        out = self.start(1)
        self.assertEqual(("wrong", "element 1: 2.5, expected 2.4"), self.outcomes()["work"])
        self.assertIn("invented: work: wrong: element 1: 2.5, expected 2.4; expected ok", out)
        self.assertEqual("copies", self.result()["level"])

    def test_an_error(self):
        self.client("raise OSError('no libfoo.so')")
        self.start(1)
        self.assertEqual(("error", "OSError: no libfoo.so"), self.outcomes()["work"])

    def test_an_expected_error(self):
        self.says("partly", "stops")
        self.client("raise OSError('no libfoo.so')", "{error: libfoo}")
        self.assertIn("| yes |", self.start(1))  # The doctor is wrong: something works.
        self.client("raise OSError('no libfoo.so')", "{error: libbar}")
        self.assertIn("expected error: libbar", self.start(1))

    def test_what_torchada_says_of_an_error(self):
        """By the step's end: it says some things only once."""
        self.says("partly", "warns")
        for steps, status, missing in (
                ("{error: libfoo, said: cudaFoo}, after: ok", 0, ""),
                ("{error: libfoo, said: cudaBar}, after: ok", 1, "and torchada says cudaBar"),
                ("{error: libfoo, said: cudaFoo}, after: {error: x, said: cudaFoo}", 1, "; expected error: x"),
                ("{said: cudaFoo}, after: ok", 2, ""), ("{error: libfoo, said: 1}, after: ok", 2, "")):
            self.client("print('torchada: cudaFoo is not supported', file=sys.stderr); raise OSError('no libfoo.so')")
            self.write("clients/invented/client.yaml", (YAML % steps).replace(", after: ok}", "}"))
            self.assertIn(missing, self.start(status))
        self.write("clients/invented/steps.py", (SCRIPT % "pass").replace("equal(load, 2)\n", "raise OSError('none')\n")
                   .replace("return 2", "sys.stderr.write('torchada: cudaFoo\\n'); return 2"))
        self.write("clients/invented/client.yaml",
                   (YAML % "ok").replace("after: ok", "after: {error: none, said: cudaFoo}"))
        self.start(0)

    def test_an_expected_error_that_went_away(self):
        self.client("equal(load, 2)", "{error: libfoo}")
        self.assertIn("invented: work: ok; expected error: libfoo", self.start(1))

    def test_archives_of_sources(self):
        self.write("kernel.cu", "content")
        archive = self.path("sources.tar.gz")
        with tarfile.open(archive, "w:gz") as file:
            file.add(self.path("kernel.cu"), "project-1.0/kernel.cu")
        with open(archive, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.client("equal(open(os.environ['CLIENT_SOURCES'] + '/project/kernel.cu').read(), 'content')")
        for sha256, status, said in ((digest, 0, "whole"), ("0" * 64, 3, f"its SHA-256 is {digest}, expected 0000")):
            self.write("clients/invented/client.yaml", YAML % "ok" + f"sources: {{project: {{url: 'file://{archive}', "
                       f"sha256: '{sha256}'}}}}\n")
            self.assertIn(said, self.start(status))
        self.write("clients/invented/client.yaml", YAML % "ok" + "sources: {project: {url: x}}\n")
        self.start(2)

    def test_a_crash(self):
        self.client("os.abort()")
        self.assertIn("invented: work: crash: SIGABRT; expected ok", self.start(1))
        # The steps after it are tried in another process.
        self.assertEqual(("ok", ""), self.outcomes()["after"])

    def test_an_end_within_a_step(self):
        self.client("os._exit(0)")
        self.start(1)
        self.assertEqual(("crash", "exit status 0"), self.outcomes()["work"])
        self.assertEqual(("ok", ""), self.outcomes()["after"])

    def test_a_hang(self):
        self.client("os.fork() or time.sleep(1e6); time.sleep(1e6)")  # The child must end too.
        self.assertIn("invented: work: hang: no answer within 3 s; expected ok", self.start(1))
        self.assertEqual(("ok", ""), self.outcomes()["after"])

    def test_a_step_that_another_needs(self):
        self.write("clients/invented/steps.py", SCRIPT.replace("return 2", "raise ImportError('x')") % "pass")
        self.start(1)
        self.assertEqual(("unreached", "needs load"), self.outcomes()["work"])
        self.assertEqual("does not load", self.result()["level"])

    def test_a_step_that_needs_one_that_crashed(self):
        self.write("clients/invented/steps.py", SCRIPT.replace("main()", """@step("query")
def last(work):
    pass

main()""").replace("def after(load)", "def after(load, work)") % "os.abort()")
        self.write("clients/invented/client.yaml",
                   (YAML % "ok").replace("after: ok", "after: unreached, last: unreached"))
        self.start(1)
        self.assertEqual(("crash", "SIGABRT"), self.outcomes()["work"])
        for name in ("after", "last"):
            self.assertEqual(("unreached", "needs work"), self.outcomes()[name])

    def test_a_crash_at_the_end(self):
        self.client("import atexit; atexit.register(os.abort)")
        self.start(1)
        self.assertEqual(("crash", "SIGABRT"), self.outcomes()["exit"])
        self.assertEqual(("ok", ""), self.outcomes()["work"])

    def test_a_hang_at_the_end(self):
        self.client("import threading; threading.Thread(target=time.sleep, args=(1e6,)).start()")
        self.start(1)
        self.assertEqual(("hang", "no answer within 3 s"), self.outcomes()["exit"])
        self.assertEqual(("ok", ""), self.outcomes()["after"])

    def test_a_script_that_cannot_start(self):
        self.write("clients/invented/steps.py", SCRIPT.replace(
            "main()", "if sys.argv[1] != 'list':\n    os.abort()\nmain()") % "pass")
        self.start(1)
        self.assertEqual({("crash", "SIGABRT")}, {self.outcomes()[name] for name in ("load", "work", "after")})

    def test_a_script_that_is_not_python(self):
        self.client(")")
        self.assertIn("SyntaxError", self.start(3))

    def test_steps_that_the_client_does_not_list(self):
        self.write("clients/invented/client.yaml", (YAML % "ok").replace("after: ok", "other: ok"))
        out = self.start(1)
        self.assertIn("invented: after: ok; expected not in client.yaml", out)
        self.assertIn("invented: other: not in steps.py; expected ok", out)

    def test_what_torchada_says_belongs_to_a_step(self):
        self.client("print('torchada: refused', file=sys.stderr)")
        self.start(0)
        self.assertEqual(["torchada: refused"], self.result()["steps"]["work"]["said"])
        self.assertEqual([], self.result()["steps"]["after"]["said"])


class Claims(Invented):
    def judgements(self):
        return self.result()["check"]["judgement"], self.result()["doctor"]["judgement"]

    def test_true_promises(self):
        self.start(0)
        self.assertEqual(("", ""), self.judgements())

    def test_false_promises(self):
        self.client("raise OSError('absent')", "{error: absent}")
        out = self.start(1)
        self.assertEqual(("false promise", "false promise"), self.judgements())
        self.assertIn("false promise of check: it said 'runs; steps.py: because'; level: copies", out)
        self.assertIn("unexpected steps: 0, false promises: 2, false alarms: 0", out)

    def test_in_part_and_nothing_works(self):
        self.says("partly", "stops")
        self.write("clients/invented/steps.py", SCRIPT.replace("return 2", "raise ImportError('x')") % "pass")
        self.write("clients/invented/client.yaml", (YAML % "unreached").replace(
            "load: ok", "load: {error: x}").replace("after: ok", "after: unreached"))
        self.assertIn("false promises: 1, false alarms: 0", self.start(1))
        self.assertEqual(("false promise", ""), self.judgements())

    def test_false_alarms(self):
        self.says("cannot", "stops")
        self.assertIn("false promises: 0, false alarms: 2", self.start(1))
        self.assertEqual(("false alarm", "false alarm"), self.judgements())

    def test_files_that_the_program_does_not_load(self):
        """They do not decide."""
        self.says("partly", "warns")
        self.write("stage/share/check", json.dumps({"verdict": "partly", "reports": [
            {**REPORT, "verdict": "partly"}, {**REPORT, "verdict": "cannot", "decides": False}]}))
        self.client("raise OSError('absent')", "{error: absent}")
        self.start(0)
        self.assertEqual(("", ""), self.judgements())
        self.assertEqual("partly", self.result()["check"]["words"])
        self.assertEqual(["steps.py: because"], self.result()["check"]["reasons"])

    def test_what_doctor_says(self):
        """An error: no step of the device works. A warning: not all do. Not examined: nothing is said."""
        works, fails = "equal(load, 2)", "raise OSError('absent')"
        all_fail = SCRIPT.replace("equal(load, 2)", fails) % fails
        for doctor, all_work, some_work, none_works in (
                ("clear", "", "false promise", "false promise"), ("warns", "", "", "false promise"),
                ("both", "", "", "false promise"), ("unknown", "", "", ""),
                ("stops", "false alarm", "false alarm", "")):
            self.says("unexamined", doctor)
            for judgement, body, yaml, script in (
                    (all_work, works, YAML % "ok", SCRIPT % works),
                    (some_work, fails, YAML % "{error: absent}", SCRIPT % fails),
                    (none_works, fails, (YAML % "{error: absent}").replace("after: ok", "after: {error: absent}"),
                     all_fail)):
                self.write("clients/invented/client.yaml", yaml)
                self.write("clients/invented/steps.py", script)
                self.start(1 if judgement else 0)
                self.assertEqual(("", judgement), self.judgements(), (doctor, body))

    def test_a_file_that_was_loaded_although_it_lacks_a_library(self):
        library = os.path.realpath(json.__file__).replace("__init__.py", "x")  # Any name that is not mapped.
        mapped = """import mmap
    with open(__file__, "rb") as file:
        load_all = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    globals()["kept"] = load_all"""
        self.client(mapped + "; raise OSError('absent')", "{error: absent}")
        script = self.path("clients", "invented", "steps.py")
        for path, found, judgement in ((library, "", ""), (script, "", "false alarm"), (script, "/x/libx.so", "")):
            self.says("partly", "stops")
            self.write("stage/share/tables.json", path + found)
            self.write("stage/share/check", json.dumps({"verdict": "partly", "reports": [
                {**REPORT, "verdict": "partly"},
                {**REPORT, "path": path, "verdict": "cannot", "decides": False,
                 "other_libraries": [{"name": "libx.so", "listed": True, "found": found}]}]}))
            self.start(1)
            self.assertEqual((judgement, "false alarm"), self.judgements())

    def test_no_answer(self):
        self.says("broken", "clear")
        self.assertIn("no answers: 1", self.start(1))
        self.assertEqual(("no answer", ""), self.judgements())


class Levels(unittest.TestCase):
    """By what worked. The numbers of values are written by hand here."""

    def level(self, *steps, ended="ok"):
        sys.path.insert(0, HERE)
        from judging import level_of  # pylint: disable=import-outside-toplevel
        made = [("load", "ok", 0), *steps, ("host", ended, 0)]
        return level_of({str(i): {"kind": kind, "outcome": outcome, "compared": compared}
                         for i, (kind, outcome, compared) in enumerate(made)})

    def test_each(self):
        failed = ("kernel", "error", 0)
        self.assertEqual("loads", self.level(failed))
        self.assertEqual("queries", self.level(("query", "ok", 0), failed))
        self.assertEqual("copies", self.level(("query", "ok", 0), ("copy", "ok", 3), failed))
        self.assertEqual("library calls", self.level(("library", "ok", 1), ("copy", "ok", 3), failed))
        self.assertEqual("kernels", self.level(("kernel", "ok", 1), ("library", "wrong", 5)))
        self.assertEqual("whole", self.level(("kernel", "ok", 1), ("copy", "ok", 3)))
        self.assertEqual("whole", self.level(("query", "ok", 0)))

    def test_what_compares_nothing_does_not_count(self):
        self.assertEqual("copies", self.level(("library", "ok", 0), ("copy", "ok", 1), ("kernel", "crash", 0)))
        self.assertEqual("loads", self.level(("library", "ok", 0), ("kernel", "error", 0)))

    def test_a_bad_end_is_not_whole(self):
        self.assertEqual("copies", self.level(("copy", "ok", 1), ended="crash"))

    def test_a_step_on_the_cpu_that_fails_is_not_whole(self):
        self.assertEqual("kernels", self.level(("kernel", "ok", 1), ("host", "error", 0)))

    def test_what_cannot_be_loaded(self):
        self.assertEqual("does not load", self.level(("load", "error", 0), ("query", "unreached", 0)))


class Keeping(Invented):
    def asked(self):
        try:
            with open(self.path("asked"), encoding="utf-8") as file:
                return file.read().split().count("check")
        except FileNotFoundError:
            return 0

    def test_a_second_run_takes_the_result(self):
        for times, words in ((1, ()), (1, ()), (2, ("--again",)), (2, ("--table",))):
            self.start(0, *words)
            self.assertEqual(times, self.asked())

    def test_another_build_or_client_is_run(self):
        self.start(0)
        self.says("cannot", "clear")
        self.start(1)
        self.assertEqual(2, self.asked())
        self.client("close([load], [2])")
        self.start(1)
        self.assertEqual(3, self.asked())
        self.write("clients/invented/beside.py", "")  # The script may import it.
        self.start(1)
        self.assertEqual(4, self.asked())

    def test_other_expectations_are_judged_without_a_run(self):
        self.start(0)
        self.client("equal(load, 2)", "{error: absent}")
        self.assertIn("work: ok; expected error: absent", self.start(1))
        self.assertEqual(1, self.asked())

    def test_a_script_that_clients_share(self):
        self.client("equal(load, 3)")
        os.makedirs(self.path("shared"))
        os.rename(self.path("clients", "invented", "steps.py"), self.path("shared", "steps.py"))
        self.start(2)
        for name in ("invented", "other"):
            os.makedirs(self.path("clients", name), exist_ok=True)
            self.write(f"clients/{name}/client.yaml", (YAML % "{error: x}").replace(
                "name: invented", f"name: {name}\nscript: ../../shared/steps.py"))
        out = self.start(1)
        for name in ("invented", "other"):
            self.assertIn(f"{name}: work: wrong: result: 2, expected 3", out)
        # A change of it is a change of both clients.
        self.write("shared/steps.py", SCRIPT % "raise OSError('x')")
        self.assertIn("unexpected steps: 0", self.start(1))

    def test_bad_files_are_refused(self):
        for field in ("script: absent.py", "script: 3", "stops: 3", "megabytes: many", "steps: {load: wrong}",
                      "steps: {load: hang}", "steps: {load: {error: }}", "steps: {load: {error: no}}", "steps: ["):
            self.write("clients/invented/client.yaml", (YAML % "ok") + field + "\n")
            self.start(2)

    def test_unknown_clients_are_refused(self):
        self.start(2, "other")


class Recording(Invented):
    """What is kept of a result, and the document that follows from it."""

    def setUp(self):
        super().setUp()
        self.records, self.page, self.readme = self.path("records"), self.path("clients.md"), self.path("README_CN.md")
        self.client("equal(load, 2); close([1, 2, 3], [1, 2, 3])")
        self.start(0)
        self.write("README_CN.md", "# Title\n\n<!-- programs -->\n<!-- end of programs -->\n\nRest.\n")

    def recorded(self, **changes):
        sys.path.insert(0, HERE)
        from recording import record  # pylint: disable=import-outside-toplevel
        result = {**self.result(), "revision": "0123456789abcdef", **changes}
        return record(result, self.records)

    def document(self, status, *words):
        ended = subprocess.run([sys.executable, "-B", os.path.join(HERE, "document.py"), *words, "--clients",
                                self.clients, "--results", self.records, self.page, self.readme],
                               capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(status, ended.returncode, ended.stdout + ended.stderr)
        return ended.stdout

    def text(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_the_document_follows(self):
        self.assertEqual("", self.recorded())
        self.document(0)
        self.document(0, "--check")
        self.assertRegex(self.text(self.page), r"\| invented 1.0 \| .* \| whole \| 4 of 4 \| 6 \| runs \| no problems")
        self.assertIn("| `0123456789ab` |", self.text(self.page))
        self.assertIn("| 全部步骤 | invented 1.0 |", self.text(self.readme))
        self.assertIn("\n\nRest.\n", self.text(self.readme))

    def test_a_document_that_was_changed_by_hand(self):
        self.recorded()
        self.document(0)
        for path in (self.page, self.readme):
            before = self.text(path)
            self.write(os.path.basename(path), before.replace("invented 1.0", "invented 1.1"))
            self.assertIn(f"{path}: differs from what was recorded", self.document(1, "--check"))
            self.write(os.path.basename(path), before)

    def test_what_was_not_run(self):
        os.mkdir(self.records)
        self.document(0)
        self.assertRegex(self.text(self.page), r"\| invented 1.0 \| .* \| not run \|")

    def test_what_stops_a_client(self):
        self.client("print('torchada: a | b', file=sys.stderr); raise OSError('no `libfoo.so`')", "{error: libfoo}")
        self.says("partly", "warns")
        self.start(0)
        self.recorded()
        self.document(0)
        self.assertIn("| invented 1.0 | work | `error: OSError: no 'libfoo.so'` | `a \\| b` |", self.text(self.page))

    def test_records_that_do_not_fit(self):
        self.recorded()
        self.document(0)
        self.client("pass", "{error: absent}")
        self.assertIn("invented: work: recorded ok, client.yaml expects error: absent", self.document(1, "--check"))
        self.client("pass")
        self.write("clients/invented/steps.py", (SCRIPT % "pass").replace("def after", "def later"))
        self.assertIn("recorded with other steps: after, later;", self.document(1, "--check"))
        self.client("pass")
        self.write("clients/invented/client.yaml", (YAML % "ok").replace('"1.0"', '"2.0"'))
        self.assertIn("recorded with version 1.0, client.yaml has 2.0", self.document(1, "--check"))
        os.rename(os.path.join(self.records, "invented.json"), os.path.join(self.records, "other.json"))
        self.assertIn("results/other.json: no client of this name", self.document(1, "--check"))

    def test_what_is_not_recorded(self):
        self.assertIn("differ from every commit", self.recorded(revision=""))
        self.assertIn("not recorded: no network", self.recorded(failure="no network"))
        self.assertFalse(os.path.exists(self.records))

    def test_paths_of_this_machine_are_left_out(self):
        self.client("raise OSError(__import__('sys').executable)", "{error: bin/python}")
        self.says("partly", "warns")
        self.start(0)
        self.assertEqual("OSError: venv/bin/python", self.result()["steps"]["work"]["message"])


class Installing(Invented):
    def wheel(self, require="", good=True, size=0):
        """Puts a wheel beside the client, with a module that returns 2, and names it in requirements.txt."""
        os.makedirs(self.path("wheels"), exist_ok=True)
        path = self.path("wheels", "invented_package-1.0-py3-none-any.whl")
        info = "invented_package-1.0.dist-info"
        files = {"invented_package.py": "two = 2\n" + "#" * size,
                 info + "/METADATA": "Metadata-Version: 2.1\nName: invented-package\nVersion: 1.0\n" + require,
                 info + "/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
        record = "".join("%s,sha256=%s,%d\n" % (name, base64.urlsafe_b64encode(
            hashlib.sha256(text.encode()).digest()).decode().rstrip("="), len(text)) for name, text in files.items())
        with zipfile.ZipFile(path, "w") as out:
            for name, text in {**files, info + "/RECORD": record + info + "/RECORD,,\n"}.items():
                out.writestr(name, text)
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.write("clients/invented/requirements.txt",
                   "--no-index\n--find-links %s\ninvented-package==1.0 --hash=sha256:%s\n" % (
                       self.path("wheels"), digest if good else "0" * 64))
        self.write("clients/invented/steps.py", SCRIPT.replace(
            "return 2", "import invented_package; return invented_package.two") % "equal(load, 2)")

    def test_a_package(self):
        self.wheel()
        self.start(0)
        self.assertEqual(("ok", ""), self.outcomes()["load"])

    def test_packages_that_clients_share(self):
        """They are installed once, and each client finds an empty home."""
        self.wheel()
        self.write("clients/invented/steps.py", """
import os, sys
from client_steps import step, equal, main

@step("query")
def work():
    import invented_package
    equal(os.listdir(os.environ["HOME"]), ["report.jsonl"])
    equal(os.path.exists(sys.prefix + "/mark"), "marked" in os.environ)
    for path in (os.environ["HOME"], sys.prefix):
        open(path + "/mark", "w").close()

main()
""")
        for name, more in (("other", "environment: {marked: there}\nscript: ../invented/steps.py\n"
                            "requirements: ../invented"), ("invented", "")):
            os.makedirs(self.path("clients", name), exist_ok=True)
            self.write(f"clients/{name}/client.yaml", (YAML % "ok").replace("load: ok, ", "").replace(
                ", after: ok", "").replace("name: invented", f"name: {name}") + more + "\n")
        self.start(0)
        os.remove(self.path("clients", "invented", "requirements.txt"))
        self.start(2)

    def test_another_hash(self):
        self.wheel(good=False)
        out = self.start(3)
        self.assertIn("invented: not tried", out)
        self.assertIn("HASH", out.upper())
        self.assertFalse(os.path.exists(os.path.join(self.results, "invented.json")))

    def test_no_hash(self):
        self.wheel()
        self.write("clients/invented/requirements.txt",
                   "--no-index\n--find-links %s\ninvented-package==1.0\n" % self.path("wheels"))
        self.assertIn("Hashes are required", self.start(3))

    def test_what_a_package_requires_is_not_fetched(self):
        self.wheel(require="Requires-Dist: absent-package\n")
        self.start(0)

    def test_a_path_for_check_that_is_absent(self):
        self.write("clients/invented/client.yaml", YAML % "ok" + "check: [absent]\n")
        self.assertIn("absent: not found after the installation", self.start(3))

    def test_too_large(self):
        self.assertIn("invented needs 2 MB, the limit is 1 MB", self.start(3, "--gigabytes=0.001"))

    def test_larger_than_it_says(self):
        self.wheel(size=4000000)
        self.assertIn("the limit is 3 MB", self.start(3, "--gigabytes=0.003"))

    def test_another_python(self):
        self.write("clients/invented/client.yaml", YAML % "ok" + "python: '2.7'\n")
        self.assertIn("pinned for Python 2.7", self.start(3))


class Real(Invented):
    """With a build of torchada: it reaches the CPU stand-in, and check and doctor are asked as they are."""

    def test_a_copy(self):
        stage = os.environ["CLIENTS_STAGE"]
        self.client("""cudart = ctypes.CDLL("libcudart.so.12")
    pointer, there, back = ctypes.c_void_p(), bytes(range(256)), ctypes.create_string_buffer(256)
    equal(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(256)), 0)
    equal(cudart.cudaMemcpy(pointer, there, ctypes.c_size_t(256), 1), 0)
    equal(cudart.cudaMemcpy(back, pointer, ctypes.c_size_t(256), 2), 0)
    equal(back.raw, there)""")
        self.start(0, stage=stage)
        self.assertEqual("whole", self.result()["level"])
        self.assertEqual("runs", self.result()["check"]["words"])
        self.assertEqual("", self.result()["check"]["judgement"])


class Programs(unittest.TestCase):
    """The clients of this repository: their files agree, though nothing is installed."""

    def test_files(self):
        sys.path.insert(0, HERE)
        from client import clients_below  # pylint: disable=import-outside-toplevel
        from judging import ON_GPU  # pylint: disable=import-outside-toplevel
        from playing import declared  # pylint: disable=import-outside-toplevel
        found = clients_below(os.path.join(HERE, "programs"))
        self.assertGreaterEqual(len(found), 20)
        for client in found:
            environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": os.path.join(HERE, "in_client")}
            steps = declared(sys.executable, client, environment)
            self.assertEqual([*steps, "exit"], list(client.steps), client.name)
            self.assertTrue(set(ON_GPU) & set(steps.values()), client.name)
            for path in client.requirements:
                with open(path, encoding="utf-8") as file:
                    for line in file.read().splitlines():
                        self.assertRegex(line, r"^(--no-binary [\w.-]+|[\w.-]+==\S+ --hash=sha256:[0-9a-f]{64})$", path)


if __name__ == "__main__":
    unittest.main()
