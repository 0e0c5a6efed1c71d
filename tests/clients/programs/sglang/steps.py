"""SGLang's wrappers of the runtime and of NCCL."""
from client_steps import main, step
from wrappers import module_of, nccl_steps, runtime_steps

FOLDER = "srt/distributed/device_communicators/"


@step("load")
def cudart():
    """It looks for the runtime in /proc/self/maps."""
    module = module_of("sglang", FOLDER + "cuda_wrapper.py", ["sglang.srt.utils"], is_musa=lambda: False)
    return module.CudaRTLibrary()


@step("load")
def nccl():
    return module_of("sglang", FOLDER + "pynccl_wrapper.py", []).NCCLLibrary()


runtime_steps()
nccl_steps()
main()
