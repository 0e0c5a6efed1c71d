#!/usr/bin/env python3
"""An ordinary CUDA program in Python with ctypes. It knows nothing about MUSA or torchada."""

import ctypes

cudart = ctypes.CDLL("libcudart.so.12")
cudart.cudaGetErrorString.restype = ctypes.c_char_p


def check(status):
    if status != 0:
        raise SystemExit(cudart.cudaGetErrorString(status).decode())


host_to_device, device_to_host = 1, 2
data = bytes(range(256)) * 4096
back = ctypes.create_string_buffer(len(data))
device = ctypes.c_void_p()
check(cudart.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(len(data))))
check(cudart.cudaMemcpy(device, data, ctypes.c_size_t(len(data)), host_to_device))
check(cudart.cudaMemcpy(back, device, ctypes.c_size_t(len(data)), device_to_host))
check(cudart.cudaFree(device))
print("copy.py:", len(data), "bytes to the device and back:", "equal" if back.raw == data else "DIFFERENT")
