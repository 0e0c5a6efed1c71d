#!/usr/bin/env python3
"""Programs with the static CUDA runtime of every release, and every release's list of entry points.

 every_release.py STAGE PACKAGES

PACKAGES: a folder for each release, as packaging/cuda-facts.sh leaves it. The wheels of CUDA 11 have no
static runtime; their libcurand has one inside."""
import glob
import os
import re
import subprocess
import sys
import tempfile

STAGE, PACKAGES = map(os.path.realpath, sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
DRIVER, = {os.path.dirname(path) for path in glob.glob(STAGE + "/lib/**/libcuda.so.1", recursive=True)}
OFFERED = {"LD_LIBRARY_PATH": DRIVER, "TORCHADA_MUSA_PATH": STAGE + "/host/current"}
PRIVATE = r"\Atorchada: libcuda\.so\.1: %s needs NVIDIA's own driver: .* returning CUDA_ERROR_NO_DEVICE \(100\)\n\Z"
FAILED = 203  # CURAND_STATUS_INITIALIZATION_FAILED
problems = []


def run(*command, **variables):
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False,
                          env={"PATH": "/usr/bin:/bin", **variables})


def expect(what, expected, got):
    if expected != got:
        problems.append("%s: expected %r, got %r" % (what, expected, got))


def expect_line(what, caller, text):
    if not re.match(PRIVATE % caller, text):
        problems.append("%s: expected one line about %s, got %r" % (what, caller, text))


def check_static_runtime(release, archive):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        subprocess.run(["cc", HERE + "/static_runtime.c", archive, "-o", program, "-ldl", "-lpthread", "-lrt",
                        "-lstdc++", "-lm"], check=True)
        without, offered = run(program), run(program, **OFFERED)
    expect(release + " without a driver", "cudaGetDeviceCount 35\ncudaMalloc 35\ncudaDriverGetVersion 0 0\n",
           without.stdout)
    expect(release, "cudaGetDeviceCount 100\ncudaMalloc 100\ncudaDriverGetVersion 0 13050\n", offered.stdout)
    expect_line(release, "the program", offered.stderr)


def check_library(release, library):
    ask = ("import ctypes; own = ctypes.CDLL(%r); print(own.curandCreateGenerator(ctypes.byref("
           "ctypes.c_void_p()), 100))" % library)
    without, offered = run(sys.executable, "-c", ask), run(sys.executable, "-c", ask, **OFFERED)
    expect(release + " without a driver", "%d\n" % FAILED, without.stdout)
    expect(release, "%d\n" % FAILED, offered.stdout)
    expect_line(release, re.escape(library), offered.stderr)


def check_requests(release, include):
    result = run(sys.executable, "-B", HERE + "/requests_test.py", DRIVER + "/libcuda.so.1", STAGE + "/lib",
                 "Toolkit", CUDA_INCLUDE=include, **OFFERED)
    if result.returncode != 0:
        problems.append("%s: %s%s" % (release, result.stdout, result.stderr))
    return re.search(r"\d+ requests for \d+ names", result.stdout)[0] if result.returncode == 0 else "failed"


def find(folder, name):
    return next(iter(glob.glob("%s/**/%s" % (folder, name), recursive=True)), None)


def main():
    releases = sorted(glob.glob(PACKAGES + "/[0-9]*.[0-9]*"))
    for folder in releases:
        release = os.path.basename(folder)
        archive, library = find(folder, "libcudart_static.a"), find(folder, "libcurand.so.10")
        include = os.path.dirname(find(folder, "cudaTypedefs.h"))
        if archive:
            check_static_runtime(release, archive)
        else:
            check_library(release, library)
        print("CUDA %s: %s, static runtime of %s" % (release, check_requests(release, include),
                                                     os.path.basename(archive or library)))
    for problem in problems:
        print(problem)
    return 0 if releases and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
