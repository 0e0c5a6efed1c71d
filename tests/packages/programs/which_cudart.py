"""Prints the path of the CUDA runtime to which a bare name leads."""
import ctypes
import sys

ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libcudart.so.12")
with open("/proc/self/maps", encoding="ascii") as maps:
    print(*sorted({line.split(None, 5)[5].strip() for line in maps if "/libcudart" in line}))
