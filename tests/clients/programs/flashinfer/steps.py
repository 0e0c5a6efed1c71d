"""FlashInfer's wrapper of the runtime."""
from client_steps import main, step
from wrappers import module_of, runtime_steps


@step("load")
def cudart():
    """It looks for the runtime in /proc/self/maps."""
    return module_of("flashinfer", "comm/cuda_ipc.py", []).CudaRTLibrary()


runtime_steps()
main()
