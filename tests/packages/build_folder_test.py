"""quickstart.sh and test.sh on one build folder, in any order and whatever an earlier run left there."""
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CACHE_OF_TESTS = {"TORCHADA_BUILD_TESTS": "ON", "TORCHADA_BUILD_BENCHMARKS": "ON", "TORCHADA_BUILD_HOST": "ON",
                  "TORCHADA_SANITIZE": "", "CMAKE_BUILD_TYPE": "RelWithDebInfo"}


def cached(folder):
    """{name: value} of a CMakeCache.txt."""
    lines = (folder / "CMakeCache.txt").read_text(encoding="utf-8").splitlines()
    split = (line.split("=", 1) for line in lines if "=" in line and not line.startswith(("#", "//")))
    return {name.split(":")[0]: value for name, value in split}


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.programs = self.scratch / "bin"
        self.programs.mkdir()

    def script(self, path, text):
        path.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        path.chmod(0o755)

    def run_script(self, *words, fakes=True):
        path = f"{self.programs}:{os.environ['PATH']}" if fakes else os.environ["PATH"]
        return subprocess.run(words, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "PATH": path})


class Configure(Scratch):
    def cache(self, **values):
        """A folder with the cache of an earlier run, the part of it that configure.sh looks at."""
        folder = self.scratch / "build"
        (folder / "CMakeFiles").mkdir(parents=True)
        values = {"CMAKE_GENERATOR": "Ninja", "CMAKE_HOME_DIRECTORY": SOURCE, "CMAKE_CACHEFILE_DIR": folder, **values}
        text = "".join(f"{name}:INTERNAL={value}\n" for name, value in values.items())
        (folder / "CMakeCache.txt").write_text(text, encoding="utf-8")
        return folder

    def configure(self, folder, fakes=True):
        return self.run_script(SOURCE / "packaging" / "configure.sh", folder, fakes=fakes)

    def test_options_of_an_earlier_run_do_not_stay(self):
        folder = self.cache(TORCHADA_BUILD_TESTS="OFF", TORCHADA_BUILD_BENCHMARKS="OFF", TORCHADA_BUILD_HOST="OFF",
                            TORCHADA_SANITIZE="thread", CMAKE_BUILD_TYPE="Debug")
        done = self.configure(folder, fakes=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = cached(folder)
        self.assertEqual({name: found[name] for name in CACHE_OF_TESTS}, CACHE_OF_TESTS)
        self.assertTrue((folder / "build.ninja").exists())

    def test_starts_afresh_where_cmake_would_refuse(self):
        self.script(self.programs / "cmake", "exit 0\n")
        for values in ({"CMAKE_GENERATOR": "Unix Makefiles"}, {"CMAKE_HOME_DIRECTORY": "/elsewhere"},
                       {"CMAKE_CACHEFILE_DIR": "/elsewhere/build"}):
            with self.subTest(values):
                folder = self.cache(**values)
                (folder / "stage").mkdir()
                done = self.configure(folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("configuring it afresh", done.stdout)
                self.assertEqual(os.listdir(folder), ["stage"])  # What was built stays.
                shutil.rmtree(folder)

    def test_keeps_a_cache_that_fits(self):
        self.script(self.programs / "cmake", "exit 0\n")
        folder = self.cache()
        self.assertEqual(self.configure(folder).returncode, 0)
        self.assertEqual(sorted(os.listdir(folder)), ["CMakeCache.txt", "CMakeFiles"])

    def refused(self, folder, words):
        done = self.configure(folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(words, done.stderr)

    def test_refuses_what_is_no_build_folder(self):
        self.script(self.programs / "cmake", "echo cmake was called; exit 1\n")
        file = self.scratch / "file"
        file.touch()
        self.refused(file, f"{file} is not a directory")
        self.refused(SOURCE, "is the source folder")
        if os.geteuid() != 0:
            locked = self.scratch / "locked"
            locked.mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
            self.refused(locked, "belongs to")


class Floor(Scratch):
    """test.sh in a tree of its own, where building and linting do nothing."""

    def setUp(self):
        super().setUp()
        self.tree = self.scratch / "tree"
        (self.tree / "packaging").mkdir(parents=True)
        (self.tree / "tests").mkdir()
        shutil.copy(SOURCE / "packaging" / "test.sh", self.tree / "packaging")
        shutil.copy(SOURCE / "tests" / "floor.txt", self.tree / "tests")
        for name in ("configure.sh", "lint.sh"):
            self.script(self.tree / "packaging" / name, "exit 0\n")
        self.script(self.programs / "cmake", "exit 0\n")

    def with_tests(self, count):
        self.script(self.programs / "ctest",
                    f'echo "$@" >>{self.scratch}/asked\ncase " $* " in *" -N "*) echo "Total Tests: {count}" ;; esac\n')
        return self.run_script(self.tree / "packaging" / "test.sh", "--no-install")

    def test_too_few_tests_fail(self):
        floor = int((SOURCE / "tests" / "floor.txt").read_text(encoding="utf-8"))
        self.assertGreater(floor, 3000)
        for count in (0, floor - 1):
            done = self.with_tests(count)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"found {count} tests in build, expected at least {floor} (tests/floor.txt)", done.stderr)

    def test_enough_tests_run(self):
        floor = int((SOURCE / "tests" / "floor.txt").read_text(encoding="utf-8"))
        self.assertEqual(self.with_tests(floor).returncode, 0)
        self.assertIn("--no-tests=error", (self.scratch / "asked").read_text(encoding="utf-8").splitlines()[-1])

    def test_build_needs_a_folder(self):
        for name in ("test.sh", "quickstart.sh"):
            for words in (("--build",), ("--build", "")):
                done = self.run_script(SOURCE / "packaging" / name, *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn("--build: expected a folder", done.stderr)


if __name__ == "__main__":
    unittest.main()
