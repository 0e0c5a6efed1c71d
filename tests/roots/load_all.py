#!/usr/bin/env python3
"""Loads every fake library of a directory with all symbols bound, and requests a device without
MUSA."""

import ctypes
import os
import platform
import sys

INSUFFICIENT_DRIVER = 35

folder = sys.argv[1]
print("glibc", platform.libc_ver()[1])
SONAMES = sorted(name for name in os.listdir(folder) if name.startswith("lib") and ".so." in name)
if "libcudart.so.12" not in SONAMES:
    sys.exit(f"{folder}: expected the fake libraries, found {SONAMES}")
for soname in SONAMES:
    library = ctypes.CDLL(os.path.join(folder, soname), mode=os.RTLD_NOW)
    if soname.startswith("libcudart"):
        count = ctypes.c_int(-7)
        status = library.cudaGetDeviceCount(ctypes.byref(count))
        if (status, count.value) != (INSUFFICIENT_DRIVER, -7):
            sys.exit(f"{soname}: cudaGetDeviceCount gave {status}, count {count.value}")
print(f"{len(SONAMES)} libraries load and answer")
