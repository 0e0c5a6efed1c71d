"""The driver's library: offered by torchada run, whichever way a program looks for it, and not by the library
path."""
import os
import shutil
import subprocess
import sys

import support
from support import DRIVER, LIB, fixture, start, torchada_run

OURS = os.path.join(DRIVER, "libcuda.so.1")
OPENS = """
import ctypes, os, sys
from ctypes.util import find_library
for name in sys.argv[1:]:
    if name.startswith("find="):
        name = find_library(name[5:]) or "nothing"
    try:
        driver = ctypes.CDLL(name)
        version = ctypes.c_int()
        print("status", driver.cuInit(0), driver.cuDriverGetVersion(ctypes.byref(version)), version.value > 11000)
    except OSError as error:
        print("failed", error)
for path in sorted({line.split(None, 5)[5].strip() for line in open("/proc/self/maps") if "libcuda." in line}):
    print("mapped", path)
"""
PLACES = ("libcuda.so.1", "libcuda.so", "/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib64/libcuda.so",
          "/usr/local/cuda/lib64/stubs/libcuda.so", "/usr/local/cuda/compat/libcuda.so.1", "libcuda-1a2b3c4d.so.1",
          "/usr/lib/wsl/lib/libcuda.so.1")


class Driver(support.LoaderTest):

    def opened(self, *names, words=(), **environment):
        return torchada_run(*words, "--", sys.executable, "-c", OPENS, *names, **environment)

    def is_ours(self, result, count=1):
        self.check((0, "", ["0 0 True"] * count, [OURS]),
                   (result.status, result.stderr, result.all("status"), result.all("mapped")), result)

    def test_every_place(self):
        """Also where programs look for NVIDIA's, and where a file of that name exists or not."""
        for place in PLACES:
            self.is_ours(self.opened(place))
        self.is_ours(self.opened(*PLACES), count=len(PLACES))
        theirs = os.path.join(self.make_folder(), "libcuda.so.1")
        shutil.copy(fixture("loader_plugin.so"), theirs)
        self.is_ours(self.opened(theirs))
        self.is_ours(self.opened("libcuda.so.1", LD_LIBRARY_PATH=os.path.dirname(theirs)))

    def test_each_way(self):
        for via in ("path", "preload", "audit"):
            self.is_ours(self.opened("libcuda.so.1", "libcuda.so", words=["--via=" + via]), count=2)
            self.is_ours(self.opened("libcuda.so.1", words=["--via=" + via, "--abi=11"]))

    def test_find_library(self):
        """It asks the loader's cache, the compiler and the linker, which searches the library path."""
        if not shutil.which("ld") and not os.path.exists("/usr/bin/ld"):
            print("no linker here: find_library was not tried")
            return
        for via in ("path", "audit"):
            self.is_ours(self.opened("find=cuda", words=["--via=" + via]))

    def test_children_without_the_path(self):
        result = torchada_run("--", "/bin/sh", "-c", "unset LD_LIBRARY_PATH; exec \"$0\" -c \"$1\" libcuda.so.1",
                              sys.executable, OPENS)
        self.is_ours(result)

    def test_folders_in_variables(self):
        """As Triton and numba read them: a folder with a name to link with, and a file."""
        shows = "import os; print(os.environ['TRITON_LIBCUDA_PATH']); print(os.environ['NUMBA_CUDA_DRIVER'])"
        result = torchada_run("--", sys.executable, "-c", shows)
        folder, file = result.stdout.splitlines()
        for path in (file, os.path.join(folder, "libcuda.so.1"), os.path.join(folder, "libcuda.so")):
            self.assertTrue(os.path.samefile(OURS, path), path)
        self.is_ours(self.opened(file))
        program = os.path.join(self.make_folder(), "program")
        subprocess.run(["cc", "-x", "c", "-", "-o", program, "-L" + folder, "-lcuda"], check=True, text=True,
                       input="int cuInit(unsigned); int main(void) { return cuInit(0); }\n")
        result = torchada_run("--", program)
        self.check((0, ""), (result.status, result.stderr), result)

    def test_the_library_path_alone(self):
        for folder in (LIB, os.path.join(LIB, "cu11"), os.path.join(LIB, "cu12"), os.path.join(LIB, "cu13"),
                       os.path.join(os.path.dirname(LIB), "lib64")):
            for name in ("libcuda.so.1", "libcuda.so"):
                result = start(sys.executable, "-c", OPENS, name, LD_LIBRARY_PATH=folder)
                self.check([], [path for path in result.all("mapped") if path.startswith(LIB)], result)
        self.is_ours(start(sys.executable, "-c", OPENS, "libcuda.so.1", LD_LIBRARY_PATH=LIB + ":" + DRIVER))


if __name__ == "__main__":
    support.main()
