"""A process whose static TLS is used up still loads each of our libraries, as it loads NVIDIA's: none
of them has a PT_TLS segment. What the CPU stand-in has is not static."""
import os
import subprocess
import sys

import support
from support import STAGE, fixture, start

SMALL = fixture("loader_initial_exec.so")
MOST = 400  # Copies until the loader must refuse one; it refused the 27th with glibc 2.36.

# Loads copies of a library with static TLS until the loader refuses one, then the libraries given.
PROGRAM = """
import ctypes, os, shutil, sys
small, folder, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(most):
    copy = os.path.join(folder, "copy%d.so" % number)
    shutil.copy(small, copy)
    try:
        ctypes.CDLL(copy)
    except OSError as error:
        print("full", "cannot allocate memory in static TLS block" in str(error), flush=True)
        break
for path in sys.argv[4:]:
    try:
        ctypes.CDLL(path)
        print("loaded", path, flush=True)
    except OSError as error:
        print("refused", path, error, flush=True)
"""


def files_in(*folders):
    """The libraries there, one name for each file."""
    found = {}
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(STAGE, folder))):
            path = os.path.join(STAGE, folder, name)
            if ".so" in name and os.path.isfile(path):
                status = os.stat(path)
                found.setdefault((status.st_dev, status.st_ino), path)
    return list(found.values())


def segments_and_flags(path):
    return subprocess.run(["readelf", "-lWd", path], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


class StaticTls(support.LoaderTest):

    def test_no_library_has_a_tls_segment(self):
        libraries = files_in("lib", "libexec")
        self.assertGreater(len(libraries), 8)
        for path in libraries:
            with self.subTest(path):
                self.assertNotRegex(segments_and_flags(path), r"(?m)^ *TLS |STATIC_TLS")

    def test_the_stand_in_needs_no_static_tls(self):
        for path in files_in("host/current/lib"):
            with self.subTest(path):
                self.assertNotIn("STATIC_TLS", segments_and_flags(path))

    def test_each_library_loads_when_static_tls_is_used_up(self):
        # The loader loads the audit module itself, when the process starts.
        libraries = [path for path in files_in("lib", "libexec") if "torchada_audit" not in path]
        result = start(sys.executable, "-c", PROGRAM, SMALL, self.make_folder(), str(MOST), *libraries)
        self.check((0, ["True"], libraries), (result.status, result.all("full"), result.all("loaded")),
                   result)

    def test_first_calls_when_static_tls_is_used_up(self):
        program = PROGRAM + "print('status', ctypes.CDLL(sys.argv[4]).cudaFree(None), flush=True)\n"
        for trace in (None, "1"):
            with self.subTest(trace=trace):
                result = start(sys.executable, "-c", program, SMALL, self.make_folder(), str(MOST),
                               support.ours("libcudart.so.12"), TORCHADA_TRACE=trace)
                self.check((0, ["True"], ["0"]), (result.status, result.all("full"), result.all("status")),
                           result)
                self.check(trace is not None, "cudaFree" in result.stderr, result)


if __name__ == "__main__":
    support.main()
