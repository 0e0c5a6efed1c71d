"""vLLM's wrappers of the runtime and of NCCL."""
import os
from types import SimpleNamespace

from client_steps import main, step
from wrappers import loaded_library, module_of, nccl_steps, runtime_steps

FOLDER = "distributed/device_communicators/"
PLATFORM = SimpleNamespace(is_rocm=lambda: False)
REPLACED = ["vllm.envs", "vllm.logger", "vllm.platforms", "vllm.utils", "vllm.utils.system_utils", "vllm.utils.nccl"]


@step("load")
def cudart():
    """It looks for the runtime in /proc/self/maps, then takes the path in a variable."""
    module = module_of("vllm", FOLDER + "cuda_wrapper.py", ["vllm", *REPLACED], find_loaded_library=loaded_library,
                       current_platform=PLATFORM)
    return module.CudaRTLibrary(loaded_library("libcudart") or os.environ["VLLM_CUDART_SO_PATH"])


@step("load")
def nccl():
    module = module_of("vllm", FOLDER + "pynccl_wrapper.py", ["vllm", *REPLACED], current_platform=PLATFORM)
    return module.NCCLLibrary(os.environ.get("VLLM_NCCL_SO_PATH", "libnccl.so.2"))


runtime_steps()
nccl_steps()
main()
