"""Which of PyTorch's tests judge the stand-in, and how their files are started."""
import dataclasses
import os
import re

IN_PROCESS, CHOSEN = (os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
                      for name in ("in_process.py", "chosen.txt"))


@dataclasses.dataclass
class File:
    """The tests of a file whose names, CLASS.METHOD, match."""
    pattern: str = ""
    environment: dict = dataclasses.field(default_factory=dict)
    every: int = 1

    def selects(self, name):
        return re.search(self.pattern, name) is not None


FILES = {
    # Operators in float32: against the CPU, against NumPy, with out=, in their variants, and not contiguous.
    "test_ops": File("test_(compare_cpu|numpy_ref|out|variant_consistency_eager|noncontiguous_samples)_.*_cuda_float32",
                     {"PYTORCH_TEST_WITH_SLOW": "1"}, 4),
    "test_torch": File("CUDA", every=4),
    "test_nn": File("CUDA|_cuda", every=4),
    "test_optim": File("CUDA", every=4),
    "test_foreach": File("_cuda_float32$|_cuda$", every=4),
    "test_cuda": File(),
    "test_autocast": File("GPU|Torch"),
    "test_jiterator": File("CUDA"),
    "distributed/test_c10d_nccl": File(environment={"TORCHADA_HOST_DEVICES": "2"}, every=8),
}
