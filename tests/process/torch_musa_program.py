"""The program of torch_musa_test.py: an extension has loaded MUSA before the wrappers come."""
import ctypes
import os
import sys

SIZE = 4096
DEFAULT = 4

if "--patched" in sys.argv:
    # Like the Python torchada: rewrites names for MUSA's libraries, and only for those.
    class PatchedLibrary(ctypes.CDLL):
        def __getattr__(self, name):
            if "libmusart" in (self._name or "") and name.startswith("cuda"):
                name = "musa" + name[4:]
            return super().__getattr__(name)

    ctypes.CDLL = PatchedLibrary

torch = ctypes.CDLL(os.environ["TORCH_LIKE"])
torch.torch_allocate.restype = torch.torch_stream.restype = ctypes.c_void_p
torch.torch_allocate.argtypes = [ctypes.c_size_t, ctypes.c_int]
torch.torch_knows.argtypes = [ctypes.c_void_p]
tensor, stream = torch.torch_allocate(SIZE, 0x5A), torch.torch_stream()
assert tensor and stream


def mapped(name):
    """Paths of mapped files whose line has `name`, as vLLM and SGLang look for libraries."""
    with open("/proc/self/maps") as maps:
        lines = [line for line in maps if name in line]
    return sorted({line[line.index("/"):].strip() for line in lines})


# vLLM takes the first mapping of libcudart, or the variable; the base name must start with
# libcudart.
path = (mapped("libcudart") or [os.environ.get("VLLM_CUDART_SO_PATH")])[0]
assert path, "libcudart is neither mapped nor named by VLLM_CUDART_SO_PATH"
assert os.path.basename(path).rpartition(".so")[0].startswith("libcudart"), path
cudart = ctypes.CDLL(path)
for name, arguments in {
        "cudaMalloc": [ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t],
        "cudaMemcpy": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int],
        "cudaMemcpyAsync": [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p],
        "cudaStreamSynchronize": [ctypes.c_void_p],
        "cudaFree": [ctypes.c_void_p]}.items():
    getattr(cudart, name).argtypes = arguments

# torch_musa's memory and streams work with ours, and ours with torch_musa.
back = ctypes.create_string_buffer(SIZE)
assert cudart.cudaMemcpyAsync(back, tensor, SIZE, DEFAULT, stream) == 0
assert cudart.cudaStreamSynchronize(stream) == 0
assert back.raw == b"\x5a" * SIZE
mine = ctypes.c_void_p()
assert cudart.cudaMalloc(ctypes.byref(mine), SIZE) == 0
assert torch.torch_knows(mine) == 0, "memory of another MUSA"

# The NCCL wrapper of SGLang and vLLM: a variable, otherwise the bare name; one rank, on
# torch_musa's stream.
nccl = ctypes.CDLL(os.environ.get("VLLM_NCCL_SO_PATH") or "libnccl.so.2")


class UniqueId(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * 128)]


unique, comm = UniqueId(), ctypes.c_void_p()
nccl.ncclCommInitRank.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, UniqueId, ctypes.c_int]
nccl.ncclAllReduce.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int,
                               ctypes.c_void_p, ctypes.c_void_p]
assert nccl.ncclGetUniqueId(ctypes.byref(unique)) == 0
assert nccl.ncclCommInitRank(ctypes.byref(comm), 1, unique, 0) == 0
assert nccl.ncclAllReduce(tensor, mine, SIZE // 4, 7, 0, comm, stream) == 0
assert cudart.cudaStreamSynchronize(stream) == 0
assert cudart.cudaMemcpy(back, mine, SIZE, DEFAULT) == 0
assert back.raw == b"\x5a" * SIZE

print("\n".join(mapped("libmusart")))
