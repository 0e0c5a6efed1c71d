#!/usr/bin/env python3
"""pynccl_rank.py ID_FILE RANKS RANK: one rank, driven as inference servers do it: NCCL through
ctypes, with memory and a stream of libcudart, and with the calls that the communicators of vLLM and
SGLang make."""
import ctypes
import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "python"))
import nccl_wrapper  # noqa: E402
from nccl_wrapper import AVG, FLOAT32, INT32, MAX, SUM, UINT8, UniqueId  # noqa: E402


def check(status):
    assert status == 0, status


class Communicator:
    """A server's device communicator: made once, warmed up, then called for each layer."""

    def __init__(self, unique, ranks, rank):
        self.nccl = nccl_wrapper.Nccl()
        self.cuda = ctypes.CDLL("libcudart.so.12")
        check(self.cuda.cudaSetDevice(0))
        self.ranks, self.rank = ranks, rank
        self.comm = self.nccl.init_rank(ranks, unique, rank)
        self.stream = ctypes.c_void_p()
        check(self.cuda.cudaStreamCreate(ctypes.byref(self.stream)))
        warm = self.allocate(4)
        self.all_reduce(warm, warm, 1, FLOAT32, SUM)
        self.synchronize()

    def allocate(self, size, data=None):
        pointer = ctypes.c_void_p()
        check(self.cuda.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(max(size, 1))))
        check(self.cuda.cudaMemset(pointer, 0, ctypes.c_size_t(size)))
        if data is not None:
            check(self.cuda.cudaMemcpy(pointer, data, ctypes.c_size_t(len(data)), 1))
        return pointer

    def array(self, code, values):
        data = struct.pack("<%d%s" % (len(values), code), *values)
        return self.allocate(len(data), data)

    def read(self, pointer, code, count):
        data = ctypes.create_string_buffer(struct.calcsize(code) * count)
        check(self.cuda.cudaMemcpy(data, pointer, ctypes.c_size_t(len(data)), 2))
        return list(struct.unpack("<%d%s" % (count, code), data.raw))

    def synchronize(self):
        check(self.cuda.cudaStreamSynchronize(self.stream))
        error = ctypes.c_int(-1)
        self.nccl.call("ncclCommGetAsyncError", self.comm, ctypes.byref(error))
        assert error.value == 0, error.value

    def at(self, pointer, offset):
        return ctypes.c_void_p(pointer.value + offset)

    def all_reduce(self, source, result, count, kind, op):
        self.nccl.call("ncclAllReduce", source, result, count, kind, op, self.comm, self.stream)

    def all_gather(self, source, result, count, kind):
        self.nccl.call("ncclAllGather", source, result, count, kind, self.comm, self.stream)

    def all_gather_v(self, source, result, sizes, kind, width):
        """A broadcast from each rank, in one group."""
        self.nccl.call("ncclGroupStart")
        place = 0
        for root, size in enumerate(sizes):
            self.nccl.call("ncclBroadcast", source, self.at(result, place * width), size, kind, root, self.comm,
                           self.stream)
            place += size
        self.nccl.call("ncclGroupEnd")

    def reduce_scatter_v(self, source, result, sizes, kind, width):
        """A reduction to each rank, in one group."""
        self.nccl.call("ncclGroupStart")
        place = 0
        for root, size in enumerate(sizes):
            self.nccl.call("ncclReduce", self.at(source, place * width), result, size, kind, SUM, root, self.comm,
                           self.stream)
            place += size
        self.nccl.call("ncclGroupEnd")

    def all_to_all(self, source, result, count, kind, width):
        self.nccl.call("ncclGroupStart")
        for peer in range(self.ranks):
            self.nccl.call("ncclSend", self.at(source, peer * count * width), count, kind, peer, self.comm, self.stream)
            self.nccl.call("ncclRecv", self.at(result, peer * count * width), count, kind, peer, self.comm, self.stream)
        self.nccl.call("ncclGroupEnd")


def exercise(c):
    n, r = c.ranks, c.rank
    total = n * (n + 1) // 2
    values = [(r + 1) * (i + 1) * 0.5 for i in range(1000)]
    result = c.allocate(4000)
    c.all_reduce(c.array("f", values), result, 1000, FLOAT32, SUM)
    c.synchronize()
    assert c.read(result, "f", 1000) == [total * (i + 1) * 0.5 for i in range(1000)]
    c.all_reduce(c.array("i", [r, -r]), result, 2, INT32, MAX)
    c.synchronize()
    assert c.read(result, "i", 2) == [n - 1, 0]
    c.all_reduce(c.array("f", [float(2 * r)]), result, 1, FLOAT32, AVG)
    c.synchronize()
    assert c.read(result, "f", 1) == [float(n - 1)]

    gathered = c.allocate(n * 4)
    c.all_gather(c.array("i", [r * 7]), gathered, 1, INT32)
    c.synchronize()
    assert c.read(gathered, "i", n) == [rank * 7 for rank in range(n)]

    scattered = c.allocate(4)
    c.nccl.call("ncclReduceScatter", c.array("i", [r + rank for rank in range(n)]), scattered, 1, INT32, SUM, c.comm,
                c.stream)
    c.synchronize()
    assert c.read(scattered, "i", 1) == [sum(range(n)) + n * r]

    sizes = [rank + 1 for rank in range(n)]
    varied = c.allocate(total * 4)
    c.all_gather_v(c.array("i", [r] * sizes[r]), varied, sizes, INT32, 4)
    c.synchronize()
    assert c.read(varied, "i", total) == [rank for rank in range(n) for _ in range(sizes[rank])]
    part = c.allocate(sizes[r] * 4)
    c.reduce_scatter_v(c.array("i", list(range(total))), part, sizes, INT32, 4)
    c.synchronize()
    first = sum(sizes[:r])
    assert c.read(part, "i", sizes[r]) == [n * (first + i) for i in range(sizes[r])]

    turned = c.allocate(n)
    c.all_to_all(c.array("B", [r * 16 + peer for peer in range(n)]), turned, 1, UINT8, 1)
    c.synchronize()
    assert c.read(turned, "B", n) == [peer * 16 + r for peer in range(n)]

    exercise_symmetric_memory(c)
    exercise_graph(c)
    exercise_pipeline(c)


def exercise_symmetric_memory(c):
    """Buffers of an allocator that gets memory from NCCL and registers it once, on all ranks."""
    memory, window, handle = (ctypes.c_void_p() for _ in range(3))
    c.nccl.call("ncclMemAlloc", ctypes.byref(memory), 4096)
    c.nccl.call("ncclCommWindowRegister", c.comm, memory, 4096, ctypes.byref(window), 1)
    c.nccl.call("ncclCommRegister", c.comm, memory, 4096, ctypes.byref(handle))
    for turn in range(3):
        values = struct.pack("<256f", *[c.rank + turn + i for i in range(256)])
        check(c.cuda.cudaMemcpy(memory, values, ctypes.c_size_t(len(values)), 1))
        c.all_reduce(memory, memory, 256, FLOAT32, SUM)
        c.synchronize()
        first = sum(range(c.ranks)) + c.ranks * turn
        assert c.read(memory, "f", 256) == [first + c.ranks * i for i in range(256)]
    c.nccl.call("ncclCommDeregister", c.comm, handle)
    c.nccl.call("ncclCommWindowDeregister", c.comm, window)
    refuses(lambda: c.nccl.call("ncclCommWindowDeregister", c.comm, window))
    refuses(lambda: c.nccl.call("ncclCommWindowRegister", c.comm, None, 4096, ctypes.byref(window), 1))
    c.nccl.call("ncclMemFree", memory)


def exercise_graph(c):
    """A server records this once and launches it for each token, on a stream for which others wait.
    """
    value = c.array("i", [c.rank + 1])
    graph, executable = ctypes.c_void_p(), ctypes.c_void_p()
    check(c.cuda.cudaStreamBeginCapture(c.stream, 1))
    c.all_reduce(value, value, 1, INT32, SUM)
    check(c.cuda.cudaStreamEndCapture(c.stream, ctypes.byref(graph)))
    check(c.cuda.cudaGraphInstantiate(ctypes.byref(executable), graph, ctypes.c_ulonglong(0)))
    assert c.read(value, "i", 1) == [c.rank + 1]
    for turn in range(3):
        check(c.cuda.cudaGraphLaunch(executable, c.stream))
        c.synchronize()
        assert c.read(value, "i", 1) == [c.ranks * (c.ranks + 1) // 2 * c.ranks ** turn]
    side, done = ctypes.c_void_p(), ctypes.c_void_p()
    check(c.cuda.cudaStreamCreate(ctypes.byref(side)))
    check(c.cuda.cudaEventCreate(ctypes.byref(done)))
    check(c.cuda.cudaGraphLaunch(executable, c.stream))
    check(c.cuda.cudaEventRecord(done, c.stream))
    check(c.cuda.cudaStreamWaitEvent(side, done, 0))
    copied = c.allocate(4)
    check(c.cuda.cudaMemcpyAsync(copied, value, ctypes.c_size_t(4), 3, side))
    check(c.cuda.cudaStreamSynchronize(side))
    assert c.read(copied, "i", 1) == [c.ranks * (c.ranks + 1) // 2 * c.ranks ** 3]
    check(c.cuda.cudaGraphExecDestroy(executable))
    check(c.cuda.cudaGraphDestroy(graph))
    check(c.cuda.cudaEventDestroy(done))
    check(c.cuda.cudaStreamDestroy(side))


def exercise_pipeline(c):
    """The stages of a pipeline: each passes on what it received, without groups. Also tried with no
    data."""
    for count in (0, 1, 100000):
        data = c.array("B", [count % 251] * max(count, 1)) if c.rank == 0 else c.allocate(count)
        if c.rank > 0:
            c.nccl.call("ncclRecv", data, count, UINT8, c.rank - 1, c.comm, c.stream)
        if c.rank < c.ranks - 1:
            c.nccl.call("ncclSend", data, count, UINT8, c.rank + 1, c.comm, c.stream)
        c.synchronize()
        assert c.read(data, "B", count) == [count % 251] * count


def refuses(call):
    try:
        call()
    except RuntimeError as error:
        assert "(4)" in str(error), error
    else:
        raise AssertionError("was not refused")


def share_id(id_file, rank):
    """Rank 0 writes the id to a file. The others wait for the file."""
    if rank == 0:
        with open(id_file + ".new", "wb") as file:
            file.write(bytes(nccl_wrapper.Nccl().unique_id()))
        os.rename(id_file + ".new", id_file)
    while not os.path.exists(id_file):
        time.sleep(0.005)
    with open(id_file, "rb") as file:
        return UniqueId.from_buffer_copy(file.read())


def main():
    id_file, ranks, rank = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    communicator = Communicator(share_id(id_file, rank), ranks, rank)
    exercise(communicator)
    communicator.nccl.call("ncclCommDestroy", communicator.comm)
    print("ok")


if __name__ == "__main__":
    main()
