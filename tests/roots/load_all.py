#!/usr/bin/env python3
"""Loads every replacement library of the directories with all symbols bound, and requests a device
without MUSA."""

import ctypes
import os
import platform
import sys

INSUFFICIENT_DRIVER = 35

print("glibc", platform.libc_ver()[1])
PATHS = sorted(os.path.join(folder, name) for folder in sys.argv[1:] for name in os.listdir(folder)
               if name.startswith("lib") and ".so." in name)
SONAMES = [os.path.basename(path) for path in PATHS]
if not {"libcudart.so.12", "libcuda.so.1"} <= set(SONAMES):
    sys.exit(f"{sys.argv[1:]}: expected the replacement libraries, found {SONAMES}")
for path, soname in zip(PATHS, SONAMES):
    library = ctypes.CDLL(path, mode=os.RTLD_NOW)
    if soname.startswith("libcudart"):
        count = ctypes.c_int(-7)
        status = library.cudaGetDeviceCount(ctypes.byref(count))
        if (status, count.value) != (INSUFFICIENT_DRIVER, -7):
            sys.exit(f"{soname}: cudaGetDeviceCount gave {status}, count {count.value}")
print(f"{len(SONAMES)} libraries load and answer")
