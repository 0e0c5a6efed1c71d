"""The second process of ipc_test.py. Arguments: HANDLE (hexadecimal), size of its struct in bytes,
SIZE."""
import ctypes
import sys

from cudart_wrapper import CudaRuntime, IpcHandle, LongIpcHandle
from support import CUDART, pattern

handle_bytes = bytes.fromhex(sys.argv[1])
handle_type = {64: IpcHandle, 128: LongIpcHandle}[int(sys.argv[2])]
size = int(sys.argv[3])

opened = ctypes.CDLL(CUDART)
runtime = CudaRuntime(handle_type)
runtime.call("cudaSetDevice", 0)
# A client's struct may contain anything after the 64 bytes of the ABI.
raw = handle_bytes + b"\xcc" * (ctypes.sizeof(handle_type) - 64)
memory = runtime.open_memory(handle_type.from_buffer_copy(raw))
seen = ctypes.create_string_buffer(size)
runtime.memcpy(ctypes.addressof(seen), memory, size)
if seen.raw != pattern(size):
    wrong = [i for i in range(size) if seen.raw[i] != pattern(size)[i]]
    sys.exit("%d of %d bytes differ; the first is byte %d: expected %d, got %d" %
             (len(wrong), size, wrong[0], pattern(size)[wrong[0]], seen.raw[wrong[0]]))
answer = ctypes.create_string_buffer(pattern(size, seed=2), size)
runtime.memcpy(memory, ctypes.addressof(answer), size)
close = runtime.library.cudaIpcCloseMemHandle
close.argtypes = [ctypes.c_void_p]
status = close(memory)
if status != 0:
    sys.exit("cudaIpcCloseMemHandle: expected 0, got %d" % status)
print("consumed")
