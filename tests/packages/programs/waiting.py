"""Uses the CUDA runtime, prints a line, waits for a line, and then uses functions for the first
time: like a process whose libraries are upgraded or removed meanwhile."""
import ctypes
import sys

cudart = ctypes.CDLL("libcudart.so.12")
count = ctypes.c_int(-7)
print("before", cudart.cudaGetDeviceCount(ctypes.byref(count)), flush=True)
sys.stdin.readline()
version = ctypes.c_int()
status = cudart.cudaRuntimeGetVersion(ctypes.byref(version))
cudart.cudaGetErrorString.restype = ctypes.c_char_p
print("after", status, version.value // 1000, cudart.cudaGetErrorName is not None,
      cudart.cudaGetErrorString(35) != b"", cudart.cudaGetDeviceCount(ctypes.byref(count)), flush=True)
