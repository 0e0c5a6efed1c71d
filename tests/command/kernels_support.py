"""For the tests of torchada kernels: a folder, and a build in it."""
import os
import time

import support
from support import start, torchada

GOOD = """#include <cuda_runtime.h>
__global__ void fill(int* out) { out[threadIdx.x] = VALUE; }
"""


class KernelsTest(support.CommandTest):

    def setUp(self):
        self.where = self.folder()

    def build(self, *words, **environment):
        self.image = os.path.join(self.where, "out.image")
        return torchada("kernels", "build", "-o", self.image, "--backend=host", *words, TMPDIR=self.where,
                        **environment)

    def names_in(self, image):
        return start("strings", "-a", image).stdout.split()

    def leaves_nothing(self):
        left = [name for name in os.listdir(self.where) if name.startswith("torchada-kernels")]
        self.assertEqual([], left)

    def wait_until(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def content_of(self, path):
        """Waits until something is in the file."""
        self.wait_until(lambda: os.path.getsize(path) != 0)
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
