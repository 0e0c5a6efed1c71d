"""CUB, Thrust and libcu++ of NVIDIA's, in kernels that run on the stand-in: cccl/*.cu.

cccl_test.py STAGE NVCC [--programs=NAME,NAME] [FOLDER...]: the folders have CCCL, each of a version of its own; none:
that of nvcc's toolkit. Takes minutes. Nothing of NVIDIA's is read but headers of C++."""
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

import toolkit

HERE = os.path.dirname(os.path.abspath(__file__))
words = sys.argv[1:]
STAGE, NVCC = words[:2]
FOLDERS = [word for word in words[2:] if not word.startswith("--")]
CHOSEN = [word.partition("=")[2].split(",") for word in words if word.startswith("--programs=")]
PROGRAMS = sorted(glob.glob(os.path.join(HERE, "cccl", "*.cu")))
if CHOSEN:
    PROGRAMS = [path for path in PROGRAMS if os.path.basename(path)[:-3] in CHOSEN[0]]
ARCHITECTURE = 80


def version_of(folder):
    with open(os.path.join(folder, "thrust", "version.h"), encoding="utf-8") as file:
        number = int(re.search(r"#define THRUST_VERSION\s+(\d+)", file.read()).group(1))
    return "%d.%d.%d" % (number // 100000, number // 100 % 1000, number % 100)


class Cccl(unittest.TestCase):

    def call(self, *command):
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                               timeout=1800)
        self.assertEqual(0, ended.returncode, "%s\n%s" % (" ".join(command), ended.stdout[-4000:]))
        return ended.stdout

    def test_programs(self):
        torchada = os.path.join(STAGE, "bin", "torchada")
        for folder in FOLDERS:
            for source in PROGRAMS:
                name = os.path.basename(source)[:-3]
                with self.subTest(version=version_of(folder), program=name), \
                        tempfile.TemporaryDirectory(prefix="torchada-cccl-") as made:
                    image, program = os.path.join(made, "image"), os.path.join(made, name)
                    # nvcc defines the architectures, and CCCL's names have them inside.
                    self.call(torchada, "kernels", "build", "--backend=host", "-o", image, "-I", folder, "-I", TOOLKIT,
                              "-D__CUDA_ARCH_LIST__=%d0" % ARCHITECTURE, source)
                    self.call(NVCC, "-std=c++17", "-extended-lambda", "-cudart", "shared", "-w", "-Xptxas", "-O0",
                              "-arch=sm_%d" % ARCHITECTURE, "-I", folder, "-o", program, source)
                    said = self.call(torchada, "run", "--backend=host", "--kernels=" + image, "--", program)
                    print("CCCL %s: %s: %d right" % (version_of(folder), name, said.count("right\n")), flush=True)


if __name__ == "__main__":
    if not os.access(NVCC, os.X_OK):
        print("SKIPPED: no nvcc here, so CUB, Thrust and libcu++ were NOT tried")
        sys.exit(77)
    TOOLKIT = toolkit.headers(NVCC)
    own = os.path.join(TOOLKIT, "cccl")
    FOLDERS = FOLDERS or [own if os.path.isdir(own) else TOOLKIT]
    if len(FOLDERS) == 1:
        print("NOT tried: CCCL of other versions than %s; name their folders" % version_of(FOLDERS[0]))
    unittest.main(argv=sys.argv[:1], testRunner=unittest.TextTestRunner(stream=sys.stdout, verbosity=2))
