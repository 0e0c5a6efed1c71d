#!/usr/bin/env python3
"""Loads every fake library of a directory with all symbols bound, and requests a device without
MUSA."""

import ctypes
import os
import platform
import sys

SONAMES = ["libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", "libcublasLt.so.11",
           "libcublasLt.so.12", "libcublasLt.so.13", "libcublas.so.11", "libcublas.so.12",
           "libcublas.so.13", "libcurand.so.10", "libnccl.so.2"]
INSUFFICIENT_DRIVER = 35

folder = sys.argv[1]
print("glibc", platform.libc_ver()[1])
for soname in SONAMES:
    library = ctypes.CDLL(os.path.join(folder, soname), mode=os.RTLD_NOW)
    if soname.startswith("libcudart"):
        count = ctypes.c_int(-7)
        status = library.cudaGetDeviceCount(ctypes.byref(count))
        if (status, count.value) != (INSUFFICIENT_DRIVER, -7):
            sys.exit(f"{soname}: cudaGetDeviceCount gave {status}, count {count.value}")
print(f"{len(SONAMES)} libraries load and answer")
