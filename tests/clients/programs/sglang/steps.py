"""SGLang's wrappers of the runtime and of NCCL."""
from client_steps import main, step
from wrappers import communicates, copies, module_of, refuses, shares

FOLDER = "srt/distributed/device_communicators/"


@step("load")
def cudart():
    """It looks for the runtime in /proc/self/maps."""
    module = module_of("sglang", FOLDER + "cuda_wrapper.py", ["sglang.srt.utils"], is_musa=lambda: False)
    return module.CudaRTLibrary()


@step("load")
def nccl():
    return module_of("sglang", FOLDER + "pynccl_wrapper.py", []).NCCLLibrary()


@step("device")
def copy(cudart):
    copies(cudart)


@step("device")
def share(cudart):
    shares(cudart)


@step("device")
def error_text(cudart):
    refuses(cudart)


@step("device")
def version(nccl):
    assert nccl.ncclGetVersion().startswith("2."), nccl.ncclGetVersion()


@step("device")
def all_reduce(nccl, cudart):
    communicates(nccl, cudart)


main()
