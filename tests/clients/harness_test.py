"""The harness itself, with invented clients. Asks no package index.

CLIENTS_STAGE is the installation of torchada for the tests that use a real one. The others use an invented
installation."""
import base64
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import unittest
import zipfile

from client import clients_below
from debian import packages_of
from invented import HERE, REPORT, SCRIPT, YAML, Invented
from judging import ON_GPU
from playing import declared


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
        self.client("os.fork() or time.sleep(1e6); time.sleep(1e6)", seconds=3)  # The child must end too.
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

    def test_a_crash_that_is_not_torchadas(self):
        self.client("os.abort()")
        self.start(1)
        self.assertEqual("crash: SIGABRT", self.result()["steps"]["work"]["alone"])
        self.assertNotIn("alone", self.result()["steps"]["after"])
        self.client("'TORCHADA_STARTED' in os.environ and os.abort()")
        self.start(1)
        self.assertEqual("ok: ", self.result()["steps"]["work"]["alone"])

    def test_a_hang_at_the_end(self):
        self.client("import threading; threading.Thread(target=time.sleep, args=(1e6,)).start()", seconds=3)
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


class Parts(Invented):
    """What part of a package ran. A mock of one of its modules shows that it was not the package."""

    MOCK = ("from unittest import mock; "
            "sys.modules['torch.cuda'] = sys.modules['torch'] = mock.MagicMock(); equal(load, 2)")

    def test_a_module_that_was_replaced(self):
        self.client(self.MOCK)
        self.assertIn("invented: part: 'the package', but torch is a mock; torch.cuda is a mock; expected the part "
                      "that runs", self.start(3))
        self.assertEqual([], glob.glob(os.path.join(self.results, "*.json")))
        self.client(self.MOCK, part="one module, with a mock of torch")
        self.start(0)
        self.assertEqual("copies", self.result()["level"])
        self.assertEqual(["torch is a mock", "torch.cuda is a mock"], self.result()["partly"])

    def test_a_mock_that_replaces_no_module(self):
        self.client("from unittest import mock; sys.kept = mock.MagicMock(); equal(load, 2)")
        self.start(0)
        self.assertEqual("whole", self.result()["level"])

    def test_a_module_that_was_replaced_before_a_crash(self):
        self.client(self.MOCK.replace("sys.modules['torch'] = ", "").replace("equal(load, 2)", "os.abort()"),
                    "{crash: SIGABRT}")
        self.write("clients/invented/steps.py", (SCRIPT % "os.abort()").replace("return 2", self.MOCK.replace(
            "equal(load, 2)", "return 2")))
        self.assertIn("torch.cuda is a mock", self.start(3))


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

    def test_too_dark(self):
        """Kernels are said to fail, and every step works."""
        self.says("kernels", "kernels")
        self.assertIn("false promises: 0, false alarms: 2", self.start(1))
        self.assertEqual(("false alarm", "false alarm"), self.judgements())
        self.client("raise OSError('absent')", "{error: absent}")
        self.start(0)
        self.assertEqual(("", ""), self.judgements())

    def test_kernels_of_a_recipe(self):
        """They are promised if the answer names the recipe with which the client is started."""
        self.says("kernels", "kernels")
        self.write("clients/invented/client.yaml", YAML % "ok" + "kernels: own\n")
        self.assertIn("false promises: 0, false alarms: 2", self.start(1))
        self.assertEqual(("false alarm", "false alarm"), self.judgements())
        for who in ("check", "doctor"):
            with open(self.path("stage/share", who), encoding="utf-8") as file:
                answer = json.load(file)
            self.write("stage/share/" + who, json.dumps({**answer, "help": "torchada run --kernels-from=own"}))
        self.write("stage/share/tables.bin", "another build")
        self.start(0)
        self.assertEqual(("", ""), self.judgements())

    def test_a_recipe_that_does_not_give_everything(self):
        """A refused step is no false promise if the answer says that something is refused."""
        text = YAML.replace("after: ok", "after: {error: absent}") % "ok" + "kernels: own\n"
        for said, judged in (("", "false promise"), ("; refused all the same: more", "")):
            with self.subTest(said=said):
                self.says("kernels", "kernels")
                for who in ("check", "doctor"):
                    with open(self.path("stage/share", who), encoding="utf-8") as file:
                        answer = json.load(file)
                    help_text = "torchada run --kernels-from=own" + said
                    self.write("stage/share/" + who, json.dumps({**answer, "help": help_text}))
                self.write("clients/invented/steps.py", (SCRIPT % "equal(load, 2)").replace(
                    'equal(load, 2)\n\nmain', 'raise OSError("absent")\n\nmain'))
                self.write("clients/invented/client.yaml", text)
                self.write("stage/share/tables.bin", said)
                self.start(0 if said else 1)
                self.assertEqual((judged, judged), self.judgements())

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
            self.write("stage/share/tables.bin", path + found)
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
                      "steps: {load: hang}", "steps: {load: {error: }}", "steps: {load: {error: no}}", "steps: [",
                      "built_for: HIP", "built_for: 3", "built_for: MUSA\noptions: [--nvml]",
                      "built_for: MUSA\ncheck: [x]", "part: 3", "part: ' '", "part: |\n two\n lines", "program: 3"):
            self.write("clients/invented/client.yaml", (YAML % "ok") + field + "\n")
            self.start(2)
        self.write("clients/invented/client.yaml", (YAML % "ok").replace("part: the package\n", ""))
        self.start(2)

    def test_unknown_clients_are_refused(self):
        self.start(2, "other")


class Installing(Invented):
    def wheel(self, require="", good=True, size=0):
        """Puts a wheel beside the client, with a module that returns 2, and names it in requirements.txt."""
        os.makedirs(self.path("wheels"), exist_ok=True)
        path = self.path("wheels", "invented_package-1.0-py3-none-any.whl")
        info = "invented_package-1.0.dist-info"
        files = {"invented_package.py": "two = 2\n" + "#" * size,
                 "invented_folder/__init__.py": "", "invented_folder/inner.py": "",
                 "invented_broken/__init__.py": "import invented_broken.inner\nraise ImportError",
                 "invented_broken/inner.py": "",
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

    def test_a_file_outside_its_package(self):
        """It is not the package that ran."""
        load = """import importlib.util
    found = importlib.util.find_spec("invented_folder").submodule_search_locations[0] + "/inner.py"
    spec = importlib.util.spec_from_file_location("inner", found)
    sys.modules["inner"] = importlib.util.module_from_spec(spec)
    %s
    equal(load, 2)"""
        self.wheel()
        for more, part, status, level in (("import invented_folder.inner", "the package", 0, "whole"),
                                          ("", "the package", 3, ""), ("", "one module", 0, "copies")):
            self.client(load % more, part=part)
            out = self.start(status)
            if status:
                self.assertIn("but inner.py was loaded as inner, without its package invented_folder", out)
            else:
                self.assertEqual(level, self.result()["level"])

    def test_another_package_that_cannot_be_imported(self):
        """What remains of it says nothing about the one that is tried."""
        self.wheel()
        self.client("""try:
        import invented_broken
    except ImportError:
        pass
    equal("invented_broken.inner" in sys.modules, True)""")
        self.start(0)
        self.assertEqual("whole", self.result()["level"])

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

    def test_another_python_that_is_there(self):
        self.write("clients/invented/client.yaml", YAML % "ok" + "python: '9.9'\n")
        self.write("python9.9", f'#!/bin/sh\necho "$2" >> {self.path("started")}\nexec {sys.executable} "$@"\n')
        os.chmod(self.path("python9.9"), 0o755)
        self.start(0, PATH=f"{self.folder}:{os.environ['PATH']}")
        with open(self.path("started"), encoding="utf-8") as file:
            self.assertIn("venv", file.read().split())


class BuiltForMusa(Invented):
    """A program of MUSA's own: torchada has no part in it."""

    def of_musa(self, body, expected="ok"):
        self.client(body, expected)
        self.write("clients/invented/client.yaml", YAML % expected + "built_for: MUSA\n")

    def test_nothing_is_asked(self):
        self.of_musa("equal('TORCHADA_STARTED' in os.environ, False)")
        self.assertIn("| invented 1.0 | 4 of 4 | yes | whole | - | - |", self.start(0))
        self.assertFalse(os.path.exists(self.path("asked")))
        self.assertFalse({"check", "doctor"} & set(self.result()))

    def test_a_crash_is_not_tried_again(self):
        self.of_musa("os.abort()")
        self.start(1)
        self.assertEqual(("crash", "SIGABRT"), self.outcomes()["work"])
        self.assertNotIn("alone", self.result()["steps"]["work"])

    def test_what_the_stand_in_says(self):
        self.of_musa("sys.stderr.write('torchada host: kernel f\\n'); raise OSError('x')",
                     "{error: x, said: kernel f}")
        self.start(0)
        self.assertEqual(["torchada host: kernel f"], self.result()["steps"]["work"]["said"])

    def test_a_copy(self):
        """The newest tree of the stand-in is there, and no library of CUDA."""
        stage = os.environ["CLIENTS_STAGE"]
        self.of_musa("""from musa_memory import DeviceMemory
    there = bytes(range(256))
    memory = DeviceMemory(256)
    memory.write(there)
    equal(memory.read(256), there)
    ctypes.CDLL("libmusa.so.1"), ctypes.CDLL("libmtml.so.2")
    mapped = open("/proc/self/maps").read()
    equal([name for name in ("libcudart", "libcuda.", "torchada_audit") if name in mapped], [])
    try:
        ctypes.CDLL("libcudart.so.12")
    except OSError:
        return
    raise AssertionError("a library of CUDA was found")""")
        self.start(0, stage=stage)
        self.assertEqual("whole", self.result()["level"])


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

    def test_memory_of_other_programs(self):
        """It is not a client's, and no account of the devices remains."""
        stage = os.environ["CLIENTS_STAGE"]
        hold = ("import ctypes; p = ctypes.c_void_p(); n = ctypes.c_size_t(1 << 28); cudart = "
                "ctypes.CDLL('libcudart.so.12'); print(cudart.cudaMalloc(ctypes.byref(p), n), flush=True); input()")
        environment = {"PATH": "/usr/bin:/bin", "TORCHADA_MUSA_PATH": os.path.join(stage, "host", "current"),
                       "TORCHADA_HOST_DEVICES": "1", "TORCHADA_HOST_MEMORY": "2G"}
        self.client("""cudart = ctypes.CDLL("libcudart.so.12")
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    equal(cudart.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total)), 0)
    print("account", os.environ.get("TORCHADA_HOST_ACCOUNT"), flush=True)
    equal(total.value - free.value < 1 << 28, True)""")
        with subprocess.Popen([os.path.join(stage, "bin", "torchada"), "run", "--", sys.executable, "-c", hold],
                              env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            self.assertEqual("0\n", other.stdout.readline())
            self.start(0, stage=stage)
            other.communicate("\n")
        with open(os.path.join(self.results, "invented.log"), encoding="utf-8") as log:
            account = re.search("^account (.+)$", log.read(), re.M).group(1)
        self.assertEqual([], glob.glob("/dev/shm/torchada-musa-*-" + account))


class Programs(unittest.TestCase):
    """The clients of this repository: their files agree, though nothing is installed."""

    def test_files(self):
        found = clients_below(os.path.join(HERE, "programs"))
        self.assertGreaterEqual(len(found), 20)
        for client in found:
            environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": os.path.join(HERE, "in_client")}
            steps = declared(sys.executable, client, environment)
            self.assertEqual([*steps, "exit"], list(client.steps), client.name)
            self.assertTrue(set(ON_GPU) & set(steps.values()), client.name)
            for path in client.debian:
                self.assertTrue(packages_of(path), path)
            for path in client.requirements:
                with open(path, encoding="utf-8") as file:
                    for line in file.read().splitlines():
                        self.assertRegex(line, r"^(--no-binary [\w.-]+|[\w.-]+==\S+ --hash=sha256:[0-9a-f]{64})$", path)


if __name__ == "__main__":
    unittest.main()
