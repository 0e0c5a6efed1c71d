"""CUDA programs with kernels, run with the kernels' images for MUSA and without.

A program compares its results itself. It prints "right" for each one, and ends with 0."""
import os
import re
import subprocess
import sys
import unittest

STAGE, IMAGES, PROGRAMS, SOURCES = (
    os.environ["KERNELS_" + name] for name in ("STAGE", "IMAGES", "PROGRAMS", "SOURCES"))
TORCHADA = os.path.join(STAGE, "bin", "torchada")


def image_of(program):
    return os.path.join(IMAGES, program + ".image")


def code_of(program):
    """The names in the source of what is launched, and of the variables that are written first."""
    with open(os.path.join(SOURCES, program + ".cu"), encoding="utf-8") as source:
        text = source.read()
    return (re.findall(r"(\w+)(?:<[^;<>]*>)?<<<", text) +
            re.findall(r"cudaMemcpyToSymbol\((?:\w+::)*(\w+)", text))


class Programs(unittest.TestCase):

    def start(self, program, *options, command="run", **environment):
        ended = subprocess.run(
            [TORCHADA, command, "--backend=host", *options, "--", os.path.join(PROGRAMS, program)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
            env={**os.environ, **environment})
        self.shown = "%s %s: %s\n%s%s" % (program, " ".join(options), ended.returncode, ended.stdout,
                                          ended.stderr)
        return ended

    def is_right(self, ended):
        self.assertEqual(0, ended.returncode, self.shown)
        self.assertRegex(ended.stdout, r"\A(right\n)+\Z", self.shown)

    def test_with_the_image(self):
        for program in os.listdir(PROGRAMS):
            with self.subTest(program=program):
                ended = self.start(program, "--kernels=" + image_of(program))
                self.is_right(ended)
                self.assertEqual("", ended.stderr)

    def test_with_a_folder_of_images(self):
        for program in os.listdir(PROGRAMS):
            with self.subTest(program=program):
                self.is_right(self.start(program, "--kernels=" + IMAGES))

    def is_refused(self, program, ended, why):
        """The program sees 209, and the first line names the code."""
        self.assertEqual(1, ended.returncode, self.shown)
        self.assertRegex(ended.stdout, r" \(209\)\n\Z", self.shown)
        self.assertRegex(
            ended.stderr, r"\Atorchada: libcudart\.so\.[0-9.]+: \w+ is not supported: "
            r"(kernel|device variable) (_Z\w*|(\w+|\(anonymous namespace\))::)?(%s)[^;]* %s: "
            r"make .* \(torchada kernels build\) and .*; "
            r"returning cudaErrorNoKernelImageForDevice \(209\)\n" % ("|".join(code_of(program)), why),
            self.shown)

    def test_without_the_image(self):
        for program in os.listdir(PROGRAMS):
            with self.subTest(program=program):
                self.is_refused(program, self.start(program), "has no MUSA image")

    def test_with_another_image(self):
        self.is_refused("saxpy", self.start("saxpy", "--kernels=" + image_of("scan")),
                        "is in none of the 1 kernel libraries of TORCHADA_KERNELS")

    def test_the_summary_counts_what_is_refused(self):
        ended = self.start("variables", "--summary", "--kernels=" + image_of("variables"))
        self.is_right(ended)
        self.assertRegex(ended.stderr, r"\Atorchada: summary of process \d+ \(.*\): no call was refused\n\Z")
        self.assertIn(": 1 call refused for 1 reason\n", self.start("saxpy", "--summary").stderr)

    def test_the_trace_shows_what_is_served(self):
        launch = r"(?m)^\w*[lL]aunchKernel\(.*\) = (\w+) "
        ended = self.start("saxpy", command="trace", TORCHADA_KERNELS=image_of("saxpy"))
        self.is_right(ended)
        self.assertEqual(["cudaSuccess"], re.findall(launch, ended.stderr), self.shown)
        ended = self.start("saxpy", command="trace")
        self.assertEqual(["cudaErrorNoKernelImageForDevice"], re.findall(launch, ended.stderr), self.shown)

    def test_strict_mode_lets_served_code_run(self):
        self.is_right(self.start("variables", "--strict", "--kernels=" + image_of("variables")))
        ended = self.start("saxpy", "--strict")
        self.assertLess(ended.returncode, 0, self.shown)
        self.assertRegex(ended.stderr, r"kernel (_Z5saxpyfPKfPfi|saxpy\(float, .*\)) has no MUSA image")


if __name__ == "__main__":
    if not os.path.isdir(PROGRAMS):
        print("SKIPPED: no nvcc here, so no program that it built was run")
        sys.exit(77)
    wanted = sorted(os.environ["KERNELS_NAMES"].split())
    if sorted(os.listdir(PROGRAMS)) != wanted:
        sys.exit("%s: expected %s, found %s" % (PROGRAMS, wanted, sorted(os.listdir(PROGRAMS))))
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
