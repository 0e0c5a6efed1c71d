"""Which machine this is, in the words of the Python torchada."""
from __future__ import annotations

import enum
import functools
import os
import subprocess

from torchada_native._command import COMMAND


class Platform(enum.Enum):
    """The values of the Python torchada."""

    CUDA = "cuda"
    MUSA = "musa"
    CPU = "cpu"


@functools.lru_cache(maxsize=None)
def _answering() -> str:
    """What answers CUDA calls under `torchada run`: "musa", "host" (the CPU stand-in) or "none"."""
    said = subprocess.run([COMMAND, "info", "--platform"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    return said.stdout.strip()


def detect_platform() -> Platform:
    """MUSA where a Moore Threads GPU answers, else CUDA where NVIDIA's driver is loaded, else CPU: also
    with the CPU stand-in (is_stand_in). TORCHADA_PLATFORM=musa, cuda or cpu decides it."""
    forced = os.environ.get("TORCHADA_PLATFORM", "").lower()
    if forced in [platform.value for platform in Platform]:
        return Platform(forced)
    if _answering() == "musa":
        return Platform.MUSA
    return Platform.CUDA if os.path.exists("/proc/driver/nvidia/version") else Platform.CPU


def is_musa_platform() -> bool:
    """Whether a Moore Threads GPU answers."""
    return detect_platform() == Platform.MUSA


def is_cuda_platform() -> bool:
    """Whether this is a machine with NVIDIA's driver."""
    return detect_platform() == Platform.CUDA


def is_stand_in() -> bool:
    """Whether the CPU stand-in answers CUDA calls, because there is no MUSA."""
    return _answering() == "host"
