"""CMakePresets.json: CMake reads it, and it names options that exist: presets_test.py SOURCE"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv[1]
NAMES = ["release", "debug", "asan", "tsan", "coverage"]


def run(*words):
    return subprocess.run(words, cwd=SOURCE, capture_output=True, text=True, check=True).stdout


class Presets(unittest.TestCase):
    def test_cmake_reads_them(self):
        for command in [("cmake", "--list-presets"), ("cmake", "--build", "--list-presets"),
                        ("ctest", "--list-presets")]:
            self.assertEqual(NAMES, re.findall(r'^  "(\w+)"', run(*command), re.MULTILINE), command)

    def test_sanitizer_builds_have_what_their_targets_need(self):
        for preset in ["asan", "tsan"]:
            with self.subTest(preset=preset), tempfile.TemporaryDirectory(prefix="torchada-preset-") as build:
                result = subprocess.run(["cmake", "--preset", preset, "-B", build], cwd=SOURCE, capture_output=True,
                                        text=True, check=False)
                self.assertEqual(0, result.returncode, result.stderr)
                result = self.would_build(preset, build)
                self.assertEqual(0, result.returncode, result.stdout + result.stderr)

    def would_build(self, preset, build):
        """Without the rule by which ninja would run CMake again: a dry run goes no further."""
        with open(os.path.join(SOURCE, "CMakePresets.json"), encoding="utf-8") as file:
            presets = json.load(file)["buildPresets"]
        targets = next(each["targets"] for each in presets if each["name"] == preset)
        with open(os.path.join(build, "build.ninja"), encoding="utf-8") as file:
            rules = re.sub(r"(?m)^build build\.ninja: .*\n(?: .*\n)*", "", file.read())
        with open(os.path.join(build, "dry.ninja"), "w", encoding="utf-8") as file:
            file.write(rules)
        return subprocess.run(["ninja", "-C", build, "-f", "dry.ninja", "-n", *targets], capture_output=True, text=True,
                              check=False)

    def test_version_is_that_of_the_oldest_cmake(self):
        with open(os.path.join(SOURCE, "CMakePresets.json"), encoding="utf-8") as file:
            presets = json.load(file)
        self.assertEqual(3, presets["version"], "CMake 3.21 reads up to version 3")

    def test_cache_variables_are_options_of_the_project(self):
        with open(os.path.join(SOURCE, "CMakePresets.json"), encoding="utf-8") as file:
            presets = json.load(file)["configurePresets"]
        with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
            project = file.read()
        names = {name for preset in presets for name in preset.get("cacheVariables", {})}
        for name in names:
            if name.startswith("TORCHADA_"):
                self.assertRegex(project, rf"(option|set)\({name} ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
