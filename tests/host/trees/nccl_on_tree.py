#!/usr/bin/env python3
"""NCCL on one tree: the version is what can be served, and everything up to it is served.

nccl_on_tree.py STAGE TREE
"""

import ctypes
import os
import subprocess
import sys

from expectations import Expectations

STAGE, TREE = sys.argv[1:3]
# MCCL 2.11.4 and 2.28.9. NCCL 2.22.3, the release after 2.21.5, added ncclGroupSimulateEnd, which
# no MCCL has.
VERSION = 21104 if TREE in ("3.1", "4.3") else 22105
INVALID_USAGE = 5

expect = Expectations(TREE)


def nccl():
    return ctypes.CDLL(f"{STAGE}/lib/libnccl.so.2")


def version():
    number = ctypes.c_int()
    expect("ncclGetVersion", 0, nccl().ncclGetVersion(ctypes.byref(number)))
    return number.value


def version_with(**variables):
    """The version that a new process with these variables reports."""
    script = [sys.executable, "-B", __file__, STAGE, TREE, "version"]
    done = subprocess.run(script, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    expect(f"exit status with {variables}", 0, done.returncode)
    return int(done.stdout or -1)


def one_rank(library):
    class UniqueId(ctypes.Structure):
        _fields_ = [("internal", ctypes.c_char * 128)]

    unique, all_ranks, part, memory, handle = UniqueId(), *(ctypes.c_void_p() for _ in range(4))
    expect("ncclGetUniqueId", 0, library.ncclGetUniqueId(ctypes.byref(unique)))
    library.ncclCommInitRankConfig.argtypes = [ctypes.c_void_p, ctypes.c_int, UniqueId, ctypes.c_int, ctypes.c_void_p]
    expect("ncclCommInitRankConfig", 0, library.ncclCommInitRankConfig(ctypes.byref(all_ranks), 1, unique, 0, None))
    expect("ncclCommSplit", 0, library.ncclCommSplit(all_ranks, 0, 0, ctypes.byref(part), None))
    expect("ncclMemAlloc", 0, library.ncclMemAlloc(ctypes.byref(memory), ctypes.c_size_t(64)))
    expect("ncclCommRegister", 0, library.ncclCommRegister(part, memory, ctypes.c_size_t(64), ctypes.byref(handle)))
    expect("a handle of registration", VERSION > 22000, handle.value is not None)
    expect("ncclCommDeregister", 0, library.ncclCommDeregister(part, handle))
    expect("ncclAlltoAll", 0, library.ncclAlltoAll(memory, memory, ctypes.c_size_t(8), 9, part, None))
    # MCCL 2.11's numbers for the 8-bit floats (10, 11) are unknown. Moving such data does not need
    # them.
    for kind in 10, 11:
        size = ctypes.c_size_t(8)
        expect(f"ncclAllReduce of type {kind}", INVALID_USAGE if VERSION < 22000 else 0,
               library.ncclAllReduce(memory, memory, size, kind, 0, part, None))
        expect(f"ncclBroadcast of type {kind}", INVALID_USAGE if VERSION < 22000 else 0,
               library.ncclBroadcast(memory, memory, size, kind, 0, part, None))
        expect(f"ncclGather of type {kind}", 0, library.ncclGather(memory, memory, size, kind, 0, part, None))
    for kind in range(10):
        expect(f"ncclAllReduce of type {kind}", 0,
               library.ncclAllReduce(memory, memory, ctypes.c_size_t(8), kind, 0, part, None))
    for kind in -1, 12:
        expect(f"ncclAllReduce of type {kind}", True,
               library.ncclAllReduce(memory, memory, ctypes.c_size_t(8), kind, 0, part, None) in (4, INVALID_USAGE))
    expect("ncclMemFree", 0, library.ncclMemFree(memory))
    library.ncclGetLastError.restype = ctypes.c_char_p
    # No MCCL is known to keep a text of its last error. Then it is the last refusal, such as that of type 12 on the
    # older trees, and without any, what to do.
    expect("ncclAllReduce without memory", 4,
           library.ncclAllReduce(None, None, ctypes.c_size_t(8), 0, 0, part, None))
    text = b"datatype=ncclNumTypes" if VERSION < 22000 else b"run with NCCL_DEBUG=WARN"
    if TREE == "assumed":
        text = b"mcclAllReduce: sendbuff is null"
    expect("ncclGetLastError", True, text in library.ncclGetLastError(None))
    expect("ncclGroupStart", 0, library.ncclGroupStart())
    expect("ncclGroupSimulateEnd", INVALID_USAGE, library.ncclGroupSimulateEnd(None))
    expect("ncclGroupEnd", 0, library.ncclGroupEnd())
    expect("ncclCommWindowRegister", INVALID_USAGE if VERSION < 22000 else 4,
           library.ncclCommWindowRegister(part, None, ctypes.c_size_t(1), None, 0))
    for communicator in (part, all_ranks):
        expect("ncclCommFinalize", 0, library.ncclCommFinalize(communicator))
        expect("ncclCommDestroy", 0, library.ncclCommDestroy(communicator))


def both_names(library):
    """pncclX is the same function as ncclX. Profilers that override the weak name call it."""
    with open(f"{STAGE}/../generated/golden/libnccl.so.2.symbols", encoding="utf-8") as lines:
        names = [line.split()[1] for line in lines]
    plain = [name for name in names if name.startswith("nccl") and "p" + name in names]
    expect("functions with two names", True, len(plain) > 80)
    for name in plain:
        one, other = (ctypes.cast(getattr(library, each), ctypes.c_void_p).value for each in (name, "p" + name))
        expect(f"address of p{name}", one, other)


def main():
    os.environ["TORCHADA_MUSA_PATH"] = f"{STAGE}/host/{TREE}"
    os.environ["TORCHADA_LOG"] = "off"
    if sys.argv[3:] == ["version"]:
        print(version())
        return
    expect("version", VERSION, version())
    expect("version a second time", VERSION, version())
    # A disabled function counts as missing, so the version falls to a release that did not have it
    # yet.
    expect("version without splitting", min(VERSION, 21701), version_with(TORCHADA_DISABLE="ncclCommSplit"))
    expect("version without shrinking", min(VERSION, 22606), version_with(TORCHADA_DISABLE="ncclCommShrink"))
    expect("version without aborting", 2307, version_with(TORCHADA_DISABLE="ncclCommAbort"))
    expect("version without a newer function", VERSION, version_with(TORCHADA_DISABLE="ncclCommRevoke"))
    expect("version as told", 22703, version_with(TORCHADA_NCCL_VERSION="2.27.3"))
    one_rank(nccl())
    both_names(nccl())
    sys.exit(expect.status())


main()
