"""For the clients that wrap the runtime or NCCL in one Python file.

The file is used as it is. The modules that it imports beside the standard library, which need gigabytes, are replaced
by empty ones: of torch it uses only the version and names of types.

A client declares the steps `cudart` and `nccl`, which load its wrappers. runtime_steps() and nccl_steps() declare what
is tried with them."""
import ctypes
import importlib.machinery
import importlib.util
import os
import sys
from unittest import mock

from client_steps import close, equal, step

FLOAT, SUM = 7, 0


def module_of(package, path, replaced, **attributes):
    """The module of the file PATH within a package that is installed; the package itself is not imported."""
    # Not importlib.util.find_spec: it takes what is in sys.modules, where a replaced package is.
    root = importlib.machinery.PathFinder.find_spec(package).submodule_search_locations[0]
    for name in ("torch", "torch.distributed", *replaced):
        sys.modules[name] = mock.MagicMock(**attributes)
    sys.modules["torch"].version.cuda = "12.4"
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], os.path.join(root, path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def loaded_library(name):
    """The path of the first library in the process whose name begins so, as these programs find it."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            path = line[line.index("/"):].strip() if "/" in line else ""
            if os.path.basename(path).startswith(name) and ".so" in path:
                return path
    return None


def runtime_steps():
    """`cudart` returns a CudaRTLibrary."""

    @step("copy")
    def copy(cudart):
        """Fills device memory and copies it back."""
        cudart.cudaSetDevice(0)
        pointer, back = cudart.cudaMalloc(256), ctypes.create_string_buffer(256)
        cudart.cudaMemset(pointer, 7, 256)
        cudart.cudaMemcpy(ctypes.c_void_p(ctypes.addressof(back)), pointer, 256)
        cudart.cudaDeviceSynchronize()
        cudart.cudaFree(pointer)
        equal(back.raw, b"\7" * 256)

    @step("query")
    def share(cudart):
        """A handle for other processes. It is 64 bytes long; the wrappers have room for 128."""
        pointer = cudart.cudaMalloc(4096)
        handle = bytes(cudart.cudaIpcGetMemHandle(pointer).internal)
        cudart.cudaFree(pointer)
        assert any(handle[:64]), handle
        equal(handle[64:], bytes(64))

    @step("query")
    def error_text(cudart):
        """An error has a text."""
        try:
            cudart.cudaSetDevice(99)
        except RuntimeError as error:
            assert "invalid device ordinal" in str(error), error
        else:
            raise AssertionError("device 99 was accepted")


def nccl_steps():
    """`nccl` returns an NCCLLibrary, `cudart` a CudaRTLibrary."""

    @step("query")
    def version(nccl):
        assert nccl.ncclGetVersion().startswith("2."), nccl.ncclGetVersion()

    @step("library")
    def all_reduce(nccl, cudart):
        """One rank sums what it has."""
        communicator = nccl.ncclCommInitRank(1, nccl.ncclGetUniqueId(), 0)
        values, back, pointer = (ctypes.c_float * 4)(1, 2, 3, 4), (ctypes.c_float * 4)(), cudart.cudaMalloc(16)
        cudart.cudaMemcpy(pointer, ctypes.c_void_p(ctypes.addressof(values)), 16)
        nccl.ncclAllReduce(pointer, pointer, 4, FLOAT, SUM, communicator, ctypes.c_void_p())
        cudart.cudaDeviceSynchronize()
        cudart.cudaMemcpy(ctypes.c_void_p(ctypes.addressof(back)), pointer, 16)
        nccl.ncclCommDestroy(communicator)
        close(back, [1, 2, 3, 4])
