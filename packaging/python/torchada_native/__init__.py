"""torchada's native layer: unmodified CUDA programs on Moore Threads GPUs.

`torchada run -- python train.py` starts a program with it. activate() does so for this process."""
from torchada_native._activate import ActivationError, activate, second_copies
from torchada_native._command import ROOT, CommandError, check, doctor, info, standing
from torchada_native._platform import Platform, detect_platform, is_cuda_platform, is_musa_platform, is_stand_in

CUDA_HOME: str = ROOT
"""The folder to name where a program asks for CUDA's: its lib64 has torchada's libraries."""

__all__ = ["CUDA_HOME", "ActivationError", "CommandError", "Platform", "activate", "check", "detect_platform", "doctor",
           "info", "is_cuda_platform", "is_musa_platform", "is_stand_in", "second_copies", "standing"]
