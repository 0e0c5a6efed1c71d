"""For the clients that wrap the runtime or NCCL in one Python file.

The file is used as it is. The modules that it imports beside the standard library, which need gigabytes, are replaced
by empty ones: of torch it uses only the version and names of types."""
import ctypes
import importlib.machinery
import importlib.util
import os
import sys
from unittest import mock

from client_steps import close, equal

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


def copies(library):
    """Fills device memory and copies it back by a CudaRTLibrary."""
    library.cudaSetDevice(0)
    pointer, back = library.cudaMalloc(256), ctypes.create_string_buffer(256)
    library.cudaMemset(pointer, 7, 256)
    library.cudaMemcpy(ctypes.c_void_p(ctypes.addressof(back)), pointer, 256)
    library.cudaDeviceSynchronize()
    library.cudaFree(pointer)
    equal(back.raw, b"\7" * 256)


def shares(library):
    """A handle for other processes. It is 64 bytes long; the wrappers have room for 128."""
    pointer = library.cudaMalloc(4096)
    handle = bytes(library.cudaIpcGetMemHandle(pointer).internal)
    library.cudaFree(pointer)
    assert any(handle[:64]), handle
    equal(handle[64:], bytes(64))


def refuses(library):
    """An error has a text."""
    try:
        library.cudaSetDevice(99)
    except RuntimeError as error:
        assert "invalid device ordinal" in str(error), error
    else:
        raise AssertionError("device 99 was accepted")


def communicates(nccl, library):
    """One rank sums what it has. NCCL is an NCCLLibrary, LIBRARY a CudaRTLibrary."""
    communicator = nccl.ncclCommInitRank(1, nccl.ncclGetUniqueId(), 0)
    values, back, pointer = (ctypes.c_float * 4)(1, 2, 3, 4), (ctypes.c_float * 4)(), library.cudaMalloc(16)
    library.cudaMemcpy(pointer, ctypes.c_void_p(ctypes.addressof(values)), 16)
    nccl.ncclAllReduce(pointer, pointer, 4, FLOAT, SUM, communicator, ctypes.c_void_p())
    library.cudaDeviceSynchronize()
    library.cudaMemcpy(ctypes.c_void_p(ctypes.addressof(back)), pointer, 16)
    nccl.ncclCommDestroy(communicator)
    close(back, [1, 2, 3, 4])
