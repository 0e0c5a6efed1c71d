"""Calls without argtypes, copies of every kind, and queries about pointers."""
import ctypes

import support
from support import (ABI, CUDART, DEFAULT, DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE,
                     HOST_TO_HOST, SUCCESS, pattern)

ATTRIBUTES_SIZE = {11: 24, 12: 24, 13: 88}[ABI]
CANARY = bytes([0xA5]) * 64


class UntypedCalls(support.ProgramTest):
    """As in example scripts on the web."""

    def test_round_trip(self):
        cuda = ctypes.CDLL(CUDART)
        memory = ctypes.c_void_p()
        self.status(SUCCESS, cuda.cudaMalloc, ctypes.byref(memory), 1 << 20)
        data = ctypes.create_string_buffer(pattern(4096), 4096)
        back = ctypes.create_string_buffer(4096)
        self.status(SUCCESS, cuda.cudaMemcpy, memory, data, 4096, 1)
        self.status(SUCCESS, cuda.cudaMemcpy, back, memory, 4096, 2)
        self.assertEqual(data.raw, back.raw)
        self.status(SUCCESS, cuda.cudaFree, memory)

    def test_attribute(self):
        value = ctypes.c_int(-77)
        self.status(SUCCESS, ctypes.CDLL(CUDART).cudaDeviceGetAttribute, ctypes.byref(value), 75, 0)
        self.assertGreater(value.value, 0, "compute capability, major")


class Copies(support.DeviceTest):

    def host_buffers(self, size):
        """Pageable and pinned memory."""
        pinned = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaHostAlloc, ctypes.byref(pinned), size, 0)
        self.addCleanup(self.cuda.cudaFreeHost, pinned)
        pageable = ctypes.create_string_buffer(size)
        self.addCleanup(lambda: pageable)
        return {"pageable": ctypes.addressof(pageable), "pinned": pinned.value}

    def check_kinds(self, copy):
        for size in (1, 4096, (1 << 20) + 13):
            first, second = self.allocate(size), self.allocate(size)
            sources, results = self.host_buffers(size), self.host_buffers(size)
            for where in ("pageable", "pinned"):
                for explicit in (True, False):
                    with self.subTest(size=size, host=where, explicit=explicit):
                        data = pattern(size, seed=size + explicit)
                        source, result = sources[where], results[where]
                        kinds = ((HOST_TO_DEVICE, DEVICE_TO_DEVICE, DEVICE_TO_HOST)
                                 if explicit else (DEFAULT, DEFAULT, DEFAULT))
                        ctypes.memmove(source, data, size)
                        ctypes.memset(result, 0, size)
                        copy(first, source, size, kinds[0])
                        copy(second, first, size, kinds[1])
                        copy(result, second, size, kinds[2])
                        self.assertTrue(ctypes.string_at(result, size) == data, "contents differ")
                        ctypes.memset(result, 0, size)
                        copy(result, source, size, HOST_TO_HOST if explicit else DEFAULT)
                        self.assertTrue(ctypes.string_at(result, size) == data, "contents differ")

    def test_blocking(self):
        self.check_kinds(lambda *arguments: self.status(SUCCESS, self.cuda.cudaMemcpy, *arguments))

    def test_asynchronous(self):
        stream = self.make_stream()

        def copy(*arguments):
            self.status(SUCCESS, self.cuda.cudaMemcpyAsync, *arguments, stream)
            self.status(SUCCESS, self.cuda.cudaStreamSynchronize, stream)

        self.check_kinds(copy)

    def test_fill(self):
        memory = self.allocate(4096)
        self.status(SUCCESS, self.cuda.cudaMemset, memory, 0x11, 4096)
        self.status(SUCCESS, self.cuda.cudaMemsetAsync, memory, 0x22, 100, None)
        self.status(SUCCESS, self.cuda.cudaStreamSynchronize, None)
        self.assertEqual(b"\x22" * 100 + b"\x11" * 3996, self.download(memory, 4096))

    def test_invalid_kind(self):
        memory = self.allocate(16)
        self.status(21, self.cuda.cudaMemcpy, memory, memory, 16, 77)  # InvalidMemcpyDirection
        self.status(21, self.cuda.cudaGetLastError)


class PointerAttributes(support.DeviceTest):

    def attributes(self, pointer):
        """(type, device, device pointer, host pointer), or None if the call is still refused."""
        guarded = ctypes.create_string_buffer(
            bytes([0xEE]) * ATTRIBUTES_SIZE + CANARY, ATTRIBUTES_SIZE + len(CANARY))
        worked = self.works_or_is_refused(CUDART, self.cuda.cudaPointerGetAttributes, guarded,
                                          pointer)
        self.assertEqual(CANARY, guarded.raw[ATTRIBUTES_SIZE:], "bytes behind the struct")
        if not worked:
            self.assertEqual(13, ABI, "only CUDA 13's struct differs from MUSA's")
            self.assertEqual(bytes([0xEE]) * ATTRIBUTES_SIZE, guarded.raw[:ATTRIBUTES_SIZE],
                             "a refused call leaves its output alone")
            self.status(support.NOT_SUPPORTED, self.cuda.cudaGetLastError)
            return None
        fields = guarded.raw[:24]
        self.assertIn(guarded.raw[24:ATTRIBUTES_SIZE],
                      (b"", b"\0" * (ATTRIBUTES_SIZE - 24), b"\xee" * (ATTRIBUTES_SIZE - 24)))
        return (int.from_bytes(fields[0:4], "little"), int.from_bytes(fields[4:8], "little"),
                int.from_bytes(fields[8:16], "little"), int.from_bytes(fields[16:24], "little"))

    def test_kinds_of_memory(self):
        device = self.allocate(4096)
        got = self.attributes(device)
        if got is None:
            return
        self.assertEqual((2, 0, device.value, 0), got, "device memory")
        pinned = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaHostAlloc, ctypes.byref(pinned), 4096, 0)
        self.assertEqual((1, 0, pinned.value, pinned.value), self.attributes(pinned), "pinned")
        self.status(SUCCESS, self.cuda.cudaFreeHost, pinned)
        managed = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaMallocManaged, ctypes.byref(managed), 4096, 1)
        self.assertEqual((3, 0, managed.value, managed.value), self.attributes(managed), "managed")
        self.status(SUCCESS, self.cuda.cudaFree, managed)
        ordinary = ctypes.create_string_buffer(64)
        self.assertEqual(0, self.attributes(ordinary)[0], "memory that nobody registered")


class MemoryLocation(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]


class Prefetch(support.DeviceTest):
    """Takes a device up to CUDA 12, and a struct by value from CUDA 13 on."""

    def test_prefetch(self):
        memory = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaMallocManaged, ctypes.byref(memory), 4096, 1)
        ctypes.memmove(memory.value, pattern(4096), 4096)
        prefetch = self.cuda.cudaMemPrefetchAsync
        size = ctypes.c_size_t
        if ABI < 13:
            prefetch.argtypes = [ctypes.c_void_p, size, ctypes.c_int, ctypes.c_void_p]
            arguments = [0, None]
        else:
            prefetch.argtypes = [ctypes.c_void_p, size, MemoryLocation, ctypes.c_uint,
                                 ctypes.c_void_p]
            arguments = [MemoryLocation(1, 0), 0, None]
        if not self.works_or_is_refused(CUDART, prefetch, memory, 4096, *arguments):
            self.assertEqual(13, ABI, "only CUDA 13's arguments differ from MUSA's")
        self.status(SUCCESS, self.cuda.cudaDeviceSynchronize)
        self.assertEqual(pattern(4096), ctypes.string_at(memory.value, 4096))
        self.status(SUCCESS, self.cuda.cudaFree, memory)


if __name__ == "__main__":
    support.main()
