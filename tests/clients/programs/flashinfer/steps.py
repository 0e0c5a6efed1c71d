"""FlashInfer: its wrapper of the runtime, and a kernel of its own."""
from client_steps import close, main, step
from wrappers import runtime_steps


@step("load")
def load():
    import flashinfer
    return flashinfer


@step("load")
def cudart(load):
    """It looks for the runtime in /proc/self/maps, where torch's is."""
    from flashinfer.comm.cuda_ipc import CudaRTLibrary
    return CudaRTLibrary()


runtime_steps()


@step("kernel")
def kernel(load):
    """The root mean square of rows."""
    import torch
    given, weights = torch.randn(4, 128, dtype=torch.half), torch.ones(128, dtype=torch.half)
    out = load.rmsnorm(given.cuda(), weights.cuda()).cpu()
    expected = given.float() / (given.float().square().mean(dim=1, keepdim=True) + 1e-6).sqrt()
    close(out.float().flatten().tolist(), expected.flatten().tolist(), 1e-2, 1e-3)


main()
