#!/usr/bin/env python3
"""A CUDA program over several ranks, in Python with ctypes: sums a vector over all ranks with NCCL.
It knows nothing about MUSA or torchada. RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT are set as by
torchrun, which may also set LOCAL_RANK: the number of the rank on its machine, and of its device.
Rank 0 sends NCCL's id from that address."""

import ctypes
import os
import socket
import time

COUNT = 1 << 20
SUM, FLOAT, HOST_TO_DEVICE, DEVICE_TO_HOST = 0, 7, 1, 2

cudart = ctypes.CDLL("libcudart.so.12")
nccl = ctypes.CDLL("libnccl.so.2")
cudart.cudaGetErrorString.restype = ctypes.c_char_p
nccl.ncclGetErrorString.restype = ctypes.c_char_p


class UniqueId(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_byte * 128)]


def check(library, status):
    if status != 0:
        text = library.cudaGetErrorString if library is cudart else library.ncclGetErrorString
        raise SystemExit("all_reduce.py: " + text(status).decode())


def choose_device(local):
    """A rank may see all devices of its machine, or only one of its own."""
    count = ctypes.c_int()
    check(cudart, cudart.cudaGetDeviceCount(ctypes.byref(count)))
    check(cudart, cudart.cudaSetDevice(local % count.value))


def exchange_id(rank, ranks, address):
    """Returns rank 0's id on every rank."""
    unique_id = UniqueId()
    if rank == 0:
        check(nccl, nccl.ncclGetUniqueId(ctypes.byref(unique_id)))
        with socket.create_server(("", address[1])) as server:
            for _ in range(ranks - 1):
                with server.accept()[0] as peer:
                    peer.sendall(bytes(unique_id))
        return unique_id
    for attempt in range(600):
        try:
            with socket.create_connection(address, timeout=60) as peer:
                data = b""
                while len(data) < ctypes.sizeof(UniqueId):
                    data += peer.recv(ctypes.sizeof(UniqueId) - len(data)) or exit("all_reduce.py: rank 0 hung up")
                return UniqueId.from_buffer_copy(data)
        except OSError:  # rank 0 has not started yet
            time.sleep(0.1)
    raise SystemExit("all_reduce.py: rank 0 is not at %s:%d" % address)


def main():
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    address = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
    choose_device(int(os.environ.get("LOCAL_RANK", "0")))
    unique_id = exchange_id(rank, ranks, address)
    communicator, device = ctypes.c_void_p(), ctypes.c_void_p()
    check(nccl, nccl.ncclCommInitRank(ctypes.byref(communicator), ranks, unique_id, rank))
    vector = (ctypes.c_float * COUNT)(*([rank + 1.0] * COUNT))
    size = ctypes.c_size_t(ctypes.sizeof(vector))
    check(cudart, cudart.cudaMalloc(ctypes.byref(device), size))
    check(cudart, cudart.cudaMemcpy(device, vector, size, HOST_TO_DEVICE))
    check(nccl, nccl.ncclAllReduce(device, device, ctypes.c_size_t(COUNT), FLOAT, SUM, communicator, None))
    check(cudart, cudart.cudaDeviceSynchronize())
    check(cudart, cudart.cudaMemcpy(vector, device, size, DEVICE_TO_HOST))
    wanted = ranks * (ranks + 1) / 2
    right = all(value == wanted for value in vector)
    check(nccl, nccl.ncclCommDestroy(communicator))
    check(cudart, cudart.cudaFree(device))
    print("rank %d of %d: %d sums, %s" % (rank, ranks, COUNT, "all %g" % wanted if right else "WRONG"), flush=True)
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main())
