"""For the clients that wrap the runtime or NCCL in Python.

A client declares the steps `cudart` and `nccl`, which load its wrappers. runtime_steps() and nccl_steps() declare what
is tried with them."""
import ctypes

from client_steps import close, equal, step

FLOAT, SUM = 7, 0


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
            cudart.lib.cudaGetLastError()  # torch would take it for an error of its own.
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
