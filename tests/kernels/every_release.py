#!/usr/bin/env python3
"""Device code beside the headers of every CUDA release: each program of tests/kernels/programs compiles for the CPU
stand-in, and a texture reference is refused by name.

 every_release.py STAGE PACKAGES

PACKAGES: a folder for each release, as packaging/cuda-facts.sh leaves it."""
import glob
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

STAGE, PACKAGES = map(os.path.realpath, sys.argv[1:3])
PROGRAMS = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs", "*.cu")))
REFUSED = ":1:1: error: a texture or surface reference, which CUDA 12 removed: not supported by the CPU stand-in\n"


def build(release, source, folder):
    """The status and the output."""
    includes = ["-I" + path for path in sorted(glob.glob("%s/%s/nvidia/*/include" % (PACKAGES, release)))]
    image = os.path.join(folder, release + os.path.basename(source) + ".image")
    ended = subprocess.run([STAGE + "/bin/torchada", "kernels", "build", "--backend=host", "-j", "1", source,
                            "-o", image, *includes],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return ended.returncode, ended.stdout


def main():
    releases = sorted(name for name in os.listdir(PACKAGES) if name[0].isdigit())
    problems = [] if releases else ["no release in " + PACKAGES]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        reference = os.path.join(folder, "reference.cu")
        with open(reference, "w", encoding="utf-8") as out:
            out.write("texture<float, 2> plane;\n")
        tasks = [(release, source) for release in releases for source in [*PROGRAMS, reference]]
        for (release, source), (status, said) in zip(tasks, pool.map(lambda task: build(*task, folder), tasks)):
            if (status, said) != (1, source + REFUSED) if source == reference else status != 0:
                problems.append("%s, %s: status %d\n%s" % (release, source, status, said))
    print("\n".join(problems or ["%d programs with the headers of %s" % (len(PROGRAMS), ", ".join(releases))]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
