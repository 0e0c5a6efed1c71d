"""SGLang: its wrappers of the runtime and of NCCL, collectives and shared buffers of two devices, sleep mode, and a
kernel of its own."""
import ctypes
import json
import os
import subprocess
import sys

from client_steps import available, equal, main, step
from two_ranks import got, two_ranks
from wrappers import nccl_steps, runtime_steps

HERE = os.path.dirname(os.path.abspath(__file__))


@step("load")
def load():
    import sglang
    return sglang


@step("query")
def platform(load):
    from sglang.srt.utils import get_device_name, is_cuda
    available(is_cuda(), "it sees no CUDA")
    assert "NVIDIA" not in get_device_name(0).upper(), get_device_name(0)


@step("load")
def cudart(load):
    """It looks for the runtime in /proc/self/maps, where torch's is."""
    from sglang.srt.distributed.device_communicators.cuda_wrapper import CudaRTLibrary
    return CudaRTLibrary()


@step("load")
def nccl(load):
    from sglang.srt.distributed.device_communicators.pynccl_wrapper import NCCLLibrary
    return NCCLLibrary()


runtime_steps()
nccl_steps()


@step("copy")
def sleep_mode(load):
    """What sleeps with a copy comes back as it was, at its address; what sleeps without one has memory again."""
    from sglang.srt.utils.torch_memory_saver_adapter import TorchMemorySaverAdapter
    with TorchMemorySaverAdapter.create(enable=True).configure_subprocess():
        ended = subprocess.run([sys.executable, os.path.join(HERE, "asleep.py")], capture_output=True, text=True,
                               check=False, stdin=subprocess.DEVNULL)
    sys.stderr.write(ended.stderr)
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {ended.stderr[-1500:]}")
    found = json.loads(ended.stdout.splitlines()[-1])
    equal(found, dict.fromkeys(found, True))


@step("host")
def ranks(load):
    """All that two devices do together."""
    return two_ranks(os.path.join(HERE, "ranks.py"))


@step("library")
def communicator(ranks):
    """Its all-reduce at the start."""
    equal(got(ranks, "communicator"), [True] * 2)


@step("library")
def all_reduce_of_two(ranks):
    """By its wrapper of NCCL."""
    equal(got(ranks, "all_reduce"), [[0, 3, 6, 9]] * 2)


@step("copy")
def shared_buffer(ranks):
    equal(got(ranks, "shared_buffer"), [[2] * 4096, [1] * 4096])


@step("load")
def kernels():
    """They have a package of their own."""
    import sgl_kernel
    return sgl_kernel


@step("kernel")
def kernel(load, kernels):
    """It does not look whether the launch worked."""
    import torch
    given = torch.randn(4, 128, dtype=torch.half)
    out = kernels.silu_and_mul(given.cuda())
    status = ctypes.CDLL("libcudart.so.13").cudaGetLastError()
    available(status == 0, f"status {status}")
    expected = torch.nn.functional.silu(given[:, :64].float()) * given[:, 64:].float()
    equal(torch.allclose(out.cpu().float(), expected, 1e-2, 1e-2), True)


main()
