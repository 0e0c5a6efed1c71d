#!/usr/bin/env python3
"""NVIDIA's samples for CUDA: each is built by nvcc, its kernels are made into an image, and it is run as its own runner
runs it (test_args.json).

 cuda_samples.py STAGE WORK [SAMPLE...]

Needs nvcc and CMake. cuda-samples.csv says which samples are not expected to pass, and why."""
import glob
import json
import os
import re
import sys

from suite import NVCC, Suite, called

# Not of 7_libNVVM, whose samples compile by NVIDIA's library, and not of 8_Platform_Specific, which is Tegra's.
FOLDERS = ("0_Introduction", "1_Utilities", "2_Concepts_and_Techniques", "3_CUDA_Features", "4_CUDA_Libraries",
           "5_Domain_Specific", "6_Performance")
# One architecture, so that nvcc compiles each source once.
ARCHITECTURES = re.compile(r"^set\(CMAKE_CUDA_ARCHITECTURES .*\)$", re.M)
SECONDS = 1200
# What does not run unless it is named, and why.
LEFT_OUT = {
    "UnifiedMemoryPerf": "measures products of matrices, for longer than 6 minutes",
    "dwtHaar1D": "nothing is known: its data are larger than the copies of its repository that were to be had",
    "graphMemoryFootprint": "hours: each of 512 threads waits for half a second, and here one after the other",
    "randomFog": "as dwtHaar1D",
}
# What only a GPU does in time, with less of it: (names, source, what is replaced). The results are compared as before.
SMALLER = (
    # Matrices of 16 by 16 tiles, and compared with the CPU's, which the sample does on request.
    (re.compile(r".*TensorCoreGemm"), "{}.cu", ((re.compile(r"^#define ([MNK]_TILES) .*$", re.M), r"#define \1 16"),
                                                (re.compile(r"^#define CPU_DEBUG 0$", re.M), "#define CPU_DEBUG 1"))),
    # Each size once instead of 100 times.
    (re.compile("scan"), "main.cpp", ((re.compile(r"iCycles = 100;"), "iCycles = 1;"),)),
)


class Sample:
    def __init__(self, suite, folder, arguments):
        self.suite, self.folder, self.arguments = suite, folder, arguments
        self.name = os.path.basename(folder)
        self.build = os.path.join(suite.work, "build", self.name)

    def failure(self):
        """What was wrong, or ""."""
        return self.built() or self.imaged() or self.ran()

    def built(self):
        change(os.path.join(self.folder, "CMakeLists.txt"),
               ((ARCHITECTURES, "set(CMAKE_CUDA_ARCHITECTURES 80)"),))
        for names, source, replacements in SMALLER:
            if names.fullmatch(self.name):
                change(os.path.join(self.folder, source.format(self.name)), replacements)
        for command in (["cmake", "-S", self.folder, "-B", self.build, "-DCMAKE_CUDA_COMPILER=" + NVCC,
                         "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared", "-DCMAKE_BUILD_TYPE=Release"],
                        ["cmake", "--build", self.build, "-j", str(os.cpu_count())]):
            status, said = called(command, 1800)
            if status:
                return "not built: " + first_error(said)
        # A sample looks for its data, and for what was made of its kernels, from where it runs.
        data = os.path.join(self.build, "data")
        if not os.path.lexists(data):
            os.symlink(os.path.join(self.folder, "data"), data)
        return "" if self.program() else "not built: CMake left it out"

    def program(self):
        path = os.path.join(self.build, self.name)
        return path if os.access(path, os.X_OK) and os.path.isfile(path) else ""

    def imaged(self):
        sources = sorted(glob.glob(os.path.join(self.folder, "**", "*.cu"), recursive=True))
        # What a source includes is no source, and what NVRTC compiles needs no image.
        sources = [source for source in sources if not included(source, sources)]
        if not sources or self.name.endswith("_nvrtc"):
            return ""
        common = os.path.join(self.folder, "..", "..", "..", "Common")
        status, said = self.suite.image(self.image(), sources, "-I", common, "-I", self.folder, "-I",
                                        os.path.join(self.folder, "inc"))
        return "no image: " + first_error(said) if status and "error: no kernel: " not in said else ""

    def image(self):
        return os.path.join(self.build, "kernels.image")

    def ran(self):
        kernels = self.image() if os.path.exists(self.image()) else ""
        for arguments in self.arguments:
            status, said = self.suite.run([self.program(), *arguments], kernels=kernels, seconds=SECONDS,
                                          folder=self.build, environment={"TORCHADA_HOST_DEVICES": "2"})
            if status is None:
                return f"did not end in {SECONDS} s"
            if status:
                return f"status {status}: {first_error(said)}"
        return ""


def change(path, replacements):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for pattern, new in replacements:
        text = pattern.sub(new, text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def included(source, sources):
    name = re.escape(os.path.basename(source))
    for other in sources:
        with open(other, encoding="utf-8", errors="replace") as file:
            if other != source and re.search(r'#include\s*"(.*/)?' + name + '"', file.read()):
                return True
    return False


def first_error(said):
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"error|fail|not supported|refuse|cannot", line, re.I)]
    return (telling or lines[-1:] or ["nothing was said"])[0][:300]


def samples(suite):
    sources = suite.sources()
    with open(os.path.join(sources, "test_args.json"), encoding="utf-8") as file:
        arguments = json.load(file)
    for folder in sorted(sum((glob.glob(os.path.join(sources, "Samples", of, "*", "")) for of in FOLDERS), [])):
        how = arguments.get(os.path.basename(folder[:-1]), {})
        if os.path.exists(os.path.join(folder, "CMakeLists.txt")) and not how.get("skip"):
            runs = how.get("runs") or [how]
            yield Sample(suite, folder[:-1], [run.get("args", []) for run in runs])


def main():
    suite = Suite("cuda-samples", __doc__)
    all_samples = {sample.name: sample for sample in samples(suite)}
    outcomes = {}
    for name in suite.chosen(all_samples):
        if name in LEFT_OUT and not suite.names:
            print(f"{name}: left out: {LEFT_OUT[name]}", flush=True)
            continue
        outcomes[name] = all_samples[name].failure()
        print(f"{name}: {outcomes[name] or 'passed'}", flush=True)
    return suite.judge(outcomes)


sys.exit(main())
