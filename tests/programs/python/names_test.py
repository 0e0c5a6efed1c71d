"""Some clients bind every function of a release when they load. Others look up a name to learn what
the release can do. So all names of a SONAME must resolve, and names of other majors must not. The
lists come from NVIDIA's own files (mappings/cuda)."""
import ctypes
import os
import re

import support
from support import CUBLAS, CUBLASLT, CUDART, CURAND, NCCL

TABLES = os.environ["PROGRAMS_CUDA_TABLES"]
# The toolkit with which programs are built also has names that the newest release dropped.
TOOLKIT = "13.0"


def read_table(library):
    """({release: SONAME}, {name: releases})"""
    with open(os.path.join(TABLES, library + ".yaml"), encoding="utf-8") as table:
        text = table.read()
    sonames = dict(re.findall(r'^  "([\d.]+)": \{soname: ([^,]+),', text, re.MULTILINE))
    names = {}
    for name, body in re.findall(r"^  (\w+):\n((?:    .*\n)+)", text, re.MULTILINE):
        releases = re.findall(r'"([\d.]+)"', re.search(r"releases: \[(.*)\]", body).group(1))
        alias = re.search(r"^    alias_of: (\w+)", body, re.MULTILINE)
        for each in [name] + ([alias.group(1)] if alias else []):
            names.setdefault(each, set()).update(releases)
    return sonames, names


class Names(support.ProgramTest):

    def check(self, library, soname, at_least):
        sonames, names = read_table(library)
        releases = [release for release in sonames if sonames[release] == soname]
        newest = max(releases, key=lambda release: tuple(map(int, release.split("."))))
        expected = {name for name, has in names.items()
                    if newest in has or (TOOLKIT in releases and TOOLKIT in has)}
        self.assertGreaterEqual(len(expected), at_least, "names read from the table of " + soname)
        handle = ctypes.CDLL(soname)
        found = {name for name in names if hasattr(handle, name)}
        self.assertEqual([], sorted(expected - found), "names that %s lacks" % soname)
        self.assertEqual([], sorted(found - expected),
                         "names that %s has but %s has not" % (soname, newest))

    def test_cudart(self):
        self.check("cudart", CUDART, 300)

    def test_cublas(self):
        self.check("cublas", CUBLAS, 450)

    def test_cublaslt(self):
        self.check("cublasLt", CUBLASLT, 45)

    def test_curand(self):
        self.check("curand", CURAND, 27)

    def test_nccl(self):
        self.check("nccl", NCCL, 105)

    def test_majors_differ(self):
        """If the tables were the same for all majors, the other tests would not notice."""
        present = {name: hasattr(ctypes.CDLL(CUDART), name)
                   for name in ("cudaBindTexture", "cudaGetDeviceProperties_v2",
                                "cudaStreamGetCaptureInfo_v3", "cudaThreadExit",
                                "cudaGetDriverEntryPointByVersion")}
        self.assertEqual({"cudaBindTexture": support.ABI == 11,
                          "cudaGetDeviceProperties_v2": support.ABI == 12,
                          "cudaStreamGetCaptureInfo_v3": support.ABI == 12,
                          "cudaThreadExit": support.ABI < 13,
                          "cudaGetDriverEntryPointByVersion": support.ABI > 11}, present)


if __name__ == "__main__":
    support.main()
