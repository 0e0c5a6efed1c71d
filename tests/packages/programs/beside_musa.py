"""A process that has loaded MUSA, as torch_musa does, and then loads the CUDA names: one MUSA
serves both, and they share memory. Argument: the MUSA installation."""
import ctypes
import os
import sys

root = os.path.realpath(sys.argv[1])
musa = ctypes.CDLL(os.path.join(root, "lib", "libmusart.so"), mode=os.RTLD_GLOBAL)
device = ctypes.c_void_p()
data, back = b"torch_musa" * 100, ctypes.create_string_buffer(1000)
assert musa.musaSetDevice(0) == 0
assert musa.musaMalloc(ctypes.byref(device), ctypes.c_size_t(1000)) == 0
assert musa.musaMemcpy(device, data, ctypes.c_size_t(1000), 1) == 0

cuda = ctypes.CDLL("libcudart.so.12")
count = ctypes.c_int()
assert cuda.cudaGetDeviceCount(ctypes.byref(count)) == 0 and count.value >= 1
assert cuda.cudaMemcpy(back, device, ctypes.c_size_t(1000), 2) == 0
assert back.raw == data
assert cuda.cudaFree(device) == 0
assert musa.musaFree(device) != 0, "freed twice: two runtimes"
with open("/proc/self/maps", encoding="ascii") as maps:
    print(*sorted({line.split(None, 5)[5].strip() for line in maps if "/libmusart" in line}))
