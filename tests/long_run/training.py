"""The process that trains with PyTorch's wheel, on kernels that are made of PyTorch's sources."""
import os
import sys

import growth
import service

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "kernels", "pytorch"))
# pylint: disable=wrong-import-position
import installed  # noqa: E402

# A folder with PyTorch, as tests/kernels/pytorch_tests.py keeps it; "" if there is none.
FOLDER = os.environ.get("LONG_RUN_PYTORCH", "")
# PyTorch's profiler keeps 8 KiB of each profile, also if it watches the CPU alone.
TOLERANCES = dict(growth.TOLERANCES, private_kib=4096)
IMPORTED = [os.path.join(TESTS, "clients", name) for name in ("programs/torch-kernels", "in_client")]


def install():
    pytorch = installed.Installed(service.STAGE, FOLDER)
    pytorch.fetch()
    pytorch.install()


def training(temporary, _trace, *options):
    """The program that trains. In the rounds before those that count its kernels are made."""
    pytorch = installed.Installed(service.STAGE, FOLDER)
    return service.Rounds(
        temporary, ["--kernels-from=" + installed.RECIPE],
        [pytorch.python, os.path.join(os.path.dirname(__file__), "pytorch_rounds.py"), *options],
        {**pytorch.environment, "TORCHADA_HOST_ACCOUNT": "training", "PYTHONPATH": ":".join(IMPORTED)}, warming=12)
