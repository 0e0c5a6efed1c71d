"""SGLang's wrappers of the runtime and of NCCL: a copy, and an all-reduce of one rank. Argument: the folder of its
device_communicators, of which these are two files. The rest of SGLang is not there."""
import ctypes
import importlib
import sys
import types

for name in ("sglang", "sglang.srt", "sglang.srt.utils"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["sglang.srt.utils"].is_musa = lambda: False
sys.path.insert(0, sys.argv[1])
cudart = importlib.import_module("cuda_wrapper").CudaRTLibrary()
nccl = importlib.import_module("pynccl_wrapper").NCCLLibrary()

FLOAT, SUM = 7, 0
values, back, pointer = (ctypes.c_float * 4)(1, 2, 3, 4), (ctypes.c_float * 4)(), cudart.cudaMalloc(16)
cudart.cudaMemcpy(pointer, ctypes.c_void_p(ctypes.addressof(values)), 16)
communicator = nccl.ncclCommInitRank(1, nccl.ncclGetUniqueId(), 0)
nccl.ncclAllReduce(pointer, pointer, 4, FLOAT, SUM, communicator, ctypes.c_void_p())
cudart.cudaDeviceSynchronize()
cudart.cudaMemcpy(ctypes.c_void_p(ctypes.addressof(back)), pointer, 16)
nccl.ncclCommDestroy(communicator)
cudart.cudaFree(pointer)
print("SGLang's wrappers: NCCL", nccl.ncclGetVersion(), "and", list(back))
