#!/usr/bin/env python3
"""Loads every replacement library of the directories with all symbols bound, and requests a device
without MUSA. For Python 3.5 and later."""

import ctypes
import os
import sys

INSUFFICIENT_DRIVER = 35

print(os.confstr("CS_GNU_LIBC_VERSION"))
PATHS = sorted(os.path.join(folder, name) for folder in sys.argv[1:] for name in os.listdir(folder)
               if name.startswith("lib") and ".so." in name)
SONAMES = [os.path.basename(path) for path in PATHS]
if not {"libcudart.so.12", "libcuda.so.1"} <= set(SONAMES):
    sys.exit("%s: expected the replacement libraries, found %s" % (sys.argv[1:], SONAMES))
for path, soname in zip(PATHS, SONAMES):
    library = ctypes.CDLL(path, mode=os.RTLD_NOW)
    if soname.startswith("libcudart"):
        count = ctypes.c_int(-7)
        status = library.cudaGetDeviceCount(ctypes.byref(count))
        if (status, count.value) != (INSUFFICIENT_DRIVER, -7):
            sys.exit("%s: cudaGetDeviceCount gave %d, count %d" % (soname, status, count.value))
print(len(SONAMES), "libraries load and answer")
