"""FlashInfer's wrapper of the runtime."""
from client_steps import main, step
from wrappers import copies, module_of, refuses, shares


@step("load")
def cudart():
    """It looks for the runtime in /proc/self/maps."""
    return module_of("flashinfer", "comm/cuda_ipc.py", []).CudaRTLibrary()


@step("device")
def copy(cudart):
    copies(cudart)


@step("device")
def share(cudart):
    shares(cudart)


@step("device")
def error_text(cudart):
    refuses(cudart)


main()
