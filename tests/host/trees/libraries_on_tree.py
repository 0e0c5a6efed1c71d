#!/usr/bin/env python3
"""Uses one tree through the replacement libraries of one major, in one process: tests what works everywhere and
what an SDK lacks.

libraries_on_tree.py STAGE TREE MAJOR
"""

import ctypes
import os
import sys

from expectations import Expectations

STAGE, TREE, MAJOR = sys.argv[1:]
NOT_SUPPORTED = 801
SONAME = {"11": "libcudart.so.11.0", "12": "libcudart.so.12", "13": "libcudart.so.13"}[MAJOR]
NEW_IN_5 = TREE not in ("3.1", "4.3")

expect = Expectations(f"{TREE} CUDA {MAJOR}")


def main():
    os.environ["TORCHADA_MUSA_PATH"] = f"{STAGE}/host/{TREE}"
    os.environ["TORCHADA_LOG"] = "off"
    cuda = ctypes.CDLL(f"{STAGE}/lib/{SONAME}")

    memory, other, number = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
    expect("cudaGetDeviceCount", 0, cuda.cudaGetDeviceCount(ctypes.byref(number)))
    expect("device count", True, number.value >= 1)
    expect("cudaMalloc", 0, cuda.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(1000)))
    data, back = ctypes.create_string_buffer(b"x" * 1000, 1000), ctypes.create_string_buffer(1000)
    expect("cudaMemcpy to", 0, cuda.cudaMemcpy(memory, data, ctypes.c_size_t(1000), 1))
    expect("cudaMemcpy from", 0, cuda.cudaMemcpy(back, memory, ctypes.c_size_t(1000), 2))
    expect("data", data.raw, back.raw)
    expect("cudaMemcpy past the end", 1, cuda.cudaMemcpy(memory, data, ctypes.c_size_t(1001), 1))
    expect("cudaGetLastError", 1, cuda.cudaGetLastError())
    expect("cudaFree", 0, cuda.cudaFree(memory))

    # Stream-ordered allocation came later (ZhaoShanBiounite/musapy:docs/sdk-3.1.0-limitations.md,
    # 2.4). Without it, the libraries allocate at once, free after waiting, and refuse pools.
    expect("cudaMallocAsync", 0, cuda.cudaMallocAsync(ctypes.byref(other), ctypes.c_size_t(100), None))
    expect("cudaFreeAsync", 0, cuda.cudaFreeAsync(other, None))
    expect("cudaDeviceGetDefaultMemPool", 0 if NEW_IN_5 else NOT_SUPPORTED,
           cuda.cudaDeviceGetDefaultMemPool(ctypes.byref(other), 0))
    expect("cudaGetLastError after it", 0 if NEW_IN_5 else NOT_SUPPORTED, cuda.cudaGetLastError())

    # cudaDevAttrMaxGridDimY and Z. Known of 5.2 (src/host/trees/trees.cmake), before it CUDA's own.
    for attribute in (6, 7):
        expect("cudaDeviceGetAttribute", 0, cuda.cudaDeviceGetAttribute(ctypes.byref(number), attribute, 0))
        expect("blocks in y and z", 2**31 - 1 if TREE in ("5.2", "assumed") else 65535, number.value)

    # Shows which libraries answered: the process may have mapped only files of the chosen tree.
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split(maxsplit=5)[5].strip() for line in maps if "libmu" in line}
    places = (f"{STAGE}/host/{TREE}/lib/", f"{STAGE}/host/driver/{TREE}/")
    expect("files", True, len(files) > 1 and all(path.startswith(places) for path in files))
    sys.exit(expect.status())


main()
