"""A Python with PyTorch's wheel and what its tests import, and the sources of its kernels, in a folder that keeps
them."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "suites"))
# pylint: disable=wrong-import-position
from kept_python import python_with  # noqa: E402

RECIPE = "pytorch-2.6"
REQUIREMENTS = os.path.join(HERE, "tests.txt")


class Installed:
    def __init__(self, stage, work):
        self.work = os.path.realpath(work)
        self.recipes = os.path.join(self.work, "kernels")
        self.sources = os.path.join(self.recipes, RECIPE, "pytorch")
        self.venv = os.path.join(self.work, "venv")
        self.python = os.path.join(self.venv, "bin", "python")
        self.torchada = os.path.join(os.path.realpath(stage), "bin", "torchada")
        # The recipe's capability. What the user's programs have kept in a cache of PyTorch's own may be of another
        # torchada.
        self.environment = {"TORCHADA_KERNELS_FOLDER": self.recipes, "TORCHADA_COMPUTE_CAPABILITY": "8.0",
                            "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "USE_PYTORCH_KERNEL_CACHE": "0"}

    def fetch(self):
        """The recipe's sources, as far as they are not there."""
        subprocess.run([self.torchada, "kernels", "fetch", RECIPE], env={**os.environ, **self.environment}, check=True)

    def install(self):
        """The Python."""
        python_with(self.venv, REQUIREMENTS)
