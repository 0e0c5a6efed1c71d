"""Sources compile where no CUDA is installed: with the stand-in's headers alone, for every standard of C++."""
import os
import subprocess
import sys
import unittest

COMPILER, HEADERS, FOLDER = sys.argv[1:]
del sys.argv[1:]


def system_folders():
    """Those of the compiler but for the one in which an installed toolkit may have left links."""
    run = subprocess.run([COMPILER, "-x", "c++", "-E", "-v", "/dev/null"], capture_output=True, text=True, check=True)
    text = run.stderr.split("#include <...> search starts here:\n")[1].split("End of search list.")[0]
    return [line.strip() for line in text.splitlines() if "/usr/local" not in line]


class WithoutToolkit(unittest.TestCase):

    def compile(self, source, *flags):
        folders = system_folders()
        own = next(folder for folder in folders if "/clang/" in folder)
        words = [COMPILER, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "--cuda-path=/nonexistent",
                 "-nocudainc", "-nocudalib", "-fsyntax-only", "-Wno-everything", "-nostdinc", "-DTORCHADA_WARP_SIZE=32",
                 "-I", HEADERS, "-include", os.path.join(HEADERS, "torchada_device.h")]
        for folder in (os.path.join(own, "cuda_wrappers"), *folders):
            words += ["-isystem", folder]
        run = subprocess.run([*words, *flags, source], capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (run.returncode, run.stderr), source)

    def test_host_code(self):
        for standard in ("c++11", "c++14", "c++17", "c++20", "gnu++17"):
            with self.subTest(standard):
                self.compile(os.path.join(FOLDER, "host_api.cu"), "-std=" + standard)

    def test_programs(self):
        programs = os.path.join(FOLDER, "programs")
        for name in sorted(os.listdir(programs)):
            if name.endswith(".cu"):
                with self.subTest(name):
                    self.compile(os.path.join(programs, name), "-std=c++17")


unittest.main()
