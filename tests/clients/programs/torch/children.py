"""Programs that need a process of their own."""
import os
import subprocess
import sys

EXPANDABLE_MEMORY = """
there = [torch.arange(1000.0 * n).cuda() for n in range(1, 2000, 100)]
assert all(one.cpu().tolist() == list(range(one.numel())) for one in there)
assert any(segment["is_expandable"] for segment in torch.cuda.memory_snapshot())
"""


def in_child(code, **environment):
    ended = subprocess.run([sys.executable, "-c", "import torch\n" + code], env={**os.environ, **environment},
                           stderr=subprocess.PIPE, text=True, check=False)
    sys.stderr.write(ended.stderr)
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {ended.stderr[-1500:]}")


def use_expandable_memory():
    """The driver's virtual memory. torch 2.15 asks NVML before, and does not notice if there is none."""
    in_child(EXPANDABLE_MEMORY, PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True")
