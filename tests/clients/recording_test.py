"""What is kept of a result, of which build it is, and the document that follows."""
import os
import re
import shutil
import subprocess
import sys
import unittest

import build
from invented import HERE, SCRIPT, YAML, Invented
from recording import RESULTS, record


class Recording(Invented):
    def setUp(self):
        super().setUp()
        self.records, self.page, self.readme = self.path("records"), self.path("clients.md"), self.path("README_CN.md")
        self.client("equal(load, 2); close([1, 2, 3], [1, 2, 3])")
        self.start(0)
        self.write("README_CN.md", "# Title\n\n<!-- programs -->\n<!-- end of programs -->\n\nRest.\n")

    def recorded(self, **changes):
        return record({**self.result(), "revision": "0123456789abcdef", **changes}, self.records)

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
        self.assertRegex(self.text(self.page),
                         r"\| invented 1.0 \| the package \| .* \| whole \| 4 of 4 \| 6 \| runs \| no problems")
        self.assertIn("| 完整 | invented |", self.text(self.readme))
        self.assertIn("\n\nRest.\n", self.text(self.readme))

    def test_a_traceback_of_a_child(self):
        """The page shows what it ends with."""
        self.client("raise ValueError", expected="{error: E}")
        frames = "from a cut frame\n{0}  File \"steps.py\", line 2, in work\n{0}    raise E(1)\n{0}          ^^^^\n"
        for rank in ("", "[rank0]: "):
            steps = self.result()["steps"]
            steps["work"].update(outcome="error", message=f"E: status -6: {frames.format(rank)}{rank}E: 1\n more")
            self.recorded(steps=steps)
            self.document(0)
            self.assertIn(f"| invented 1.0 | work | `error: E: status -6: {rank}E: 1 more` |", self.text(self.page))

    def test_a_part_of_a_package(self):
        """It is named, and not whole."""
        self.client("equal(load, 2)", part="one module")
        self.recorded()
        self.document(0)
        self.assertRegex(self.text(self.page), r"\| invented 1.0 \| one module \| .* \| copies \| 4 of 4 \|")
        self.assertIn("| 拷贝 | 仅运行其中一部分：invented |", self.text(self.readme))

    def test_a_record_of_a_part_that_client_yaml_calls_the_package(self):
        self.recorded(partly=["torch is a mock"])
        self.assertIn("invented: part: 'the package', but it was recorded that torch is a mock; run it again",
                      self.document(1, "--check"))
        self.client("equal(load, 2)", part="one module")
        self.document(0)

    def test_a_program_with_several_rows(self):
        """It counts once: by its best row of the package, or else of a part."""
        def row(name, level, part="the package"):
            os.makedirs(self.path("clients", name), exist_ok=True)
            self.write(f"clients/{name}/steps.py", (SCRIPT % "equal(load, 2)").replace("copy", level))
            self.write(f"clients/{name}/client.yaml", (YAML % "ok").replace(
                "name: invented", f"name: {name}\nprogram: invented").replace("the package", part).replace(
                    "after: ok", "after: ok, exit: {crash: SIGABRT}"))
            steps = self.result()["steps"]
            steps["exit"].update(outcome="crash", message="SIGABRT")
            self.recorded(name=name, steps=steps)

        for rows, shown in (([("one", "copy"), ("two", "library"), ("three", "kernel", "a part")], "库调用 | invented"),
                            ([("one", "copy", "a"), ("two", "library", "b")], "库调用 | 仅运行其中一部分：invented")):
            shutil.rmtree(self.clients)
            shutil.rmtree(self.records, ignore_errors=True)
            for made in rows:
                row(*made)
            self.document(0)
            self.assertIn("\n\n1 programs that", self.text(self.page))
            self.assertIn("\n| library calls | 1 |\n\n", self.text(self.page))
            found = re.findall(r"^\| (?:one|two|three) 1.0 \| .* of 4", self.text(self.page), re.M)
            self.assertEqual(len(rows), len(found))
            self.assertIn(f"| {shown} |", self.text(self.readme))
            self.assertEqual(1, self.text(self.readme).count("invented"))

    def test_a_program_built_for_musa(self):
        """It has a table of its own on the page, and none in the README."""
        self.write("clients/invented/client.yaml", YAML % "ok" + "built_for: MUSA\n")
        os.mkdir(self.records)
        self.document(0)
        self.assertRegex(self.text(self.page), r"\n\| invented 1.0 \| .* \| not run \| \| \|\n")
        self.start(0)
        self.assertEqual("", self.recorded())
        self.document(0)
        self.document(0, "--check")
        page = self.text(self.page)
        self.assertRegex(page, r"## Programs built for MUSA\n\n1 programs (.|\n)*"
                         r"\n\| invented 1.0 \| the package \| .* \| whole \| 4 of 4 \| 6 \|\n")
        self.assertTrue(page.split("\n\n")[1].startswith("0 programs"), page)
        self.assertNotIn("invented", self.text(self.readme))

    def test_a_document_that_was_changed_by_hand(self):
        self.recorded()
        self.document(0)
        for path in (self.page, self.readme):
            before = self.text(path)
            self.write(os.path.basename(path), before.replace("| invented", "| other"))
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

    def test_crashes_without_torchada(self):
        self.says("partly", "warns")
        for body, said in (("os.abort()", "`crash: SIGABRT`, and so without torchada"),
                           ("'TORCHADA_STARTED' in os.environ and os.abort()", "`crash: SIGABRT`")):
            self.client(body, "{crash: SIGABRT}")
            self.start(0)
            self.recorded()
            self.document(0)
            self.assertIn(f"| invented 1.0 | work | {said} |", self.text(self.page))
            self.assertIn("What crashed was run again without torchada", self.text(self.page))

    def test_programs_that_compared_a_library(self):
        for kind, number in (("query", 0), ("library", 1)):
            self.write("clients/invented/steps.py", (SCRIPT % "equal(load, 2)").replace("query", kind))
            self.start(0)
            self.recorded()
            self.document(0)
            self.assertIn(f"What a library computed was compared in {number} programs", self.text(self.page))

    def test_the_page_says_which_build_it_was(self):
        """And that there were several, if so."""
        os.makedirs(self.path("clients", "other"))
        self.write("clients/other/steps.py", SCRIPT % "equal(load, 2)")
        self.write("clients/other/client.yaml", (YAML % "ok").replace("name: invented", "name: other"))
        self.recorded(torchada="a" * 64, date="2026-01-01")
        self.recorded(torchada="a" * 64, date="2026-01-01", name="other")
        self.document(0)
        self.assertIn("All results are of one build of torchada.", self.text(self.page))
        self.assertIn("| `aaaaaaaaaaaa` | `0123456789ab` | 2026-01-01 | invented, other |", self.text(self.page))
        # Of the same commit, but with other libraries.
        self.recorded(torchada="b" * 64, date="2026-01-01", name="other")
        self.assertIn("differs from what was recorded", self.document(1, "--check"))
        self.document(0)
        self.assertNotIn("one build", self.text(self.page))
        self.assertIn("The results are of **2 builds** of torchada", self.text(self.page))
        for letter, name in (("a", "invented"), ("b", "other")):
            self.assertIn(f"| `{letter * 12}` | `0123456789ab` | 2026-01-01 | {name} |", self.text(self.page))

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
        self.assertIn("the sources changed while it ran", self.recorded(revision=""))
        self.assertIn("not recorded: no network", self.recorded(failure="no network"))
        self.assertFalse(os.path.exists(self.records))

    def test_paths_of_this_machine_are_left_out(self):
        named = {"sys.executable": "venv/bin/python", "os.environ['HOME']": "home",
                 "__file__": "tests/clients/programs/invented/steps.py",
                 "sys.modules['client_steps'].__file__": "tests/clients/in_client/client_steps.py",
                 f"{self.results!r} + '/invented.log'": "results/invented.log",
                 f"{self.results!r} + '-too'": self.results + "-too",
                 f"{build.ROOT!r} + '/LICENSE'": "checkout/LICENSE",
                 "os.environ['TORCHADA_MUSA_PATH']": "/opt/torchada/host/current"}
        self.client(f"raise OSError(' '.join([{', '.join(named)}]))", "{error: .}")
        self.says("partly", "warns")
        self.start(0)
        self.assertEqual("OSError: " + " ".join(named.values()), self.result()["steps"]["work"]["message"])

    def test_records_of_this_repository_name_no_folder_of_a_machine(self):
        for name in os.listdir(RESULTS):
            found = re.findall(r".{40}/(?:tmp|home|root|work|mnt|media)/.{40}", self.text(os.path.join(RESULTS, name)))
            self.assertEqual([], found, name)


class Builds(Invented):
    """A result is recorded only if the build is of the sources."""

    def setUp(self):
        super().setUp()
        self.root, self.built = os.path.realpath(self.path("sources")), self.path("sources", "out", "stage")
        os.mkdir(self.root)
        self.write("sources/CMakeLists.txt", """cmake_minimum_required(VERSION 3.25)
project(invented NONE)
configure_file(library ${CMAKE_BINARY_DIR}/stage/lib/library COPYONLY)
add_custom_target(installed_files)
""")
        self.write("sources/library", "first")
        self.write("sources/.gitignore", "/out/\n")
        self.git("init", "-q")
        self.first = self.commit()
        subprocess.run(["cmake", "-S", self.root, "-B", os.path.dirname(self.built), "-G", "Ninja"], check=True,
                       capture_output=True)

    def git(self, *words):
        return subprocess.run(["git", "-C", self.root, "-c", "user.name=x", "-c", "user.email=x", *words], check=True,
                              capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-q", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def library(self):
        with open(os.path.join(self.built, "lib", "library"), encoding="utf-8") as file:
            return file.read()

    def test_a_build_that_is_older_than_its_sources(self):
        """It is built anew, so it is of the commit that is recorded."""
        self.assertEqual(self.first, build.commit_of(self.built, self.root))
        before = build.identity_of(self.built)
        self.write("sources/library", "second")
        second = self.commit()
        self.assertEqual("first", self.library())
        self.assertEqual(second, build.commit_of(self.built, self.root))
        self.assertEqual("second", self.library())
        self.assertNotEqual(before, build.identity_of(self.built))

    def refused(self, why, stage=None):
        with self.assertRaisesRegex(build.BuildError, why):
            build.commit_of(stage or self.built, self.root)

    def test_sources_that_differ_from_every_commit(self):
        for name in ("library", "new"):
            self.write("sources/" + name, "changed")
            self.refused("the sources differ from every commit")
            self.assertEqual("first", self.library())
            self.commit()

    def test_what_follows_from_results_may_differ(self):
        os.makedirs(os.path.join(self.root, "tests", "clients", "results"))
        self.write("sources/tests/clients/results/x.json", "{}")
        self.assertEqual(self.first, build.commit_of(self.built, self.root))

    def test_a_build_that_fails(self):
        self.write("sources/CMakeLists.txt", "error")
        self.commit()
        self.refused("installed_files cannot be built")

    def test_a_build_of_other_sources(self):
        self.refused("expected the folder 'stage' of a build of", self.stage)
        self.refused("expected the folder 'stage' of a build of", os.path.dirname(self.built))
        self.root = os.path.realpath(self.clients)
        self.refused("expected the folder 'stage' of a build of")

    def test_a_record_needs_such_a_build(self):
        before = sorted(os.listdir(RESULTS))
        self.start(3, "--record")
        self.assertEqual(before, sorted(os.listdir(RESULTS)))
        self.assertFalse(os.path.exists(os.path.join(self.results, "invented.json")), "it ran all the same")


if __name__ == "__main__":
    unittest.main()
