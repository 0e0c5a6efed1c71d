"""Events, streams, host functions, and the per-thread-default variants."""
import ctypes
import threading

import support
from support import (CUDART, DEVICE_TO_HOST, HOST_TO_DEVICE, INVALID_RESOURCE_HANDLE, NOT_READY,
                     SUCCESS, pattern)

DISABLE_TIMING = 2
NON_BLOCKING = 1


class EventsAndStreams(support.DeviceTest):

    def make_event(self, flags=0):
        event = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaEventCreateWithFlags, ctypes.byref(event), flags)
        self.addCleanup(self.cuda.cudaEventDestroy, event)
        return event

    def test_priorities(self):
        least, greatest = ctypes.c_int(77), ctypes.c_int(77)
        self.status(SUCCESS, self.cuda.cudaDeviceGetStreamPriorityRange, ctypes.byref(least),
                    ctypes.byref(greatest))
        self.assertLessEqual(greatest.value, least.value)
        for priority in (least.value, greatest.value):
            stream, got = ctypes.c_void_p(0), ctypes.c_int(77)
            self.status(SUCCESS, self.cuda.cudaStreamCreateWithPriority, ctypes.byref(stream),
                        NON_BLOCKING, priority)
            self.status(SUCCESS, self.cuda.cudaStreamGetPriority, stream, ctypes.byref(got))
            self.assertEqual(priority, got.value)
            self.status(SUCCESS, self.cuda.cudaStreamDestroy, stream)

    def test_order_between_streams(self):
        size = 1 << 20
        memory, first, second = self.allocate(size), self.make_stream(), self.make_stream()
        event = self.make_event(DISABLE_TIMING)
        data = ctypes.create_string_buffer(pattern(size), size)
        back = ctypes.create_string_buffer(size)
        self.status(SUCCESS, self.cuda.cudaMemcpyAsync, memory, data, size, HOST_TO_DEVICE, first)
        self.status(SUCCESS, self.cuda.cudaEventRecord, event, first)
        self.status(SUCCESS, self.cuda.cudaStreamWaitEvent, second, event, 0)
        self.status(SUCCESS, self.cuda.cudaMemcpyAsync, back, memory, size, DEVICE_TO_HOST, second)
        for query, handle in ((self.cuda.cudaEventQuery, event),
                              (self.cuda.cudaStreamQuery, second)):
            self.assertIn(query(handle), (SUCCESS, NOT_READY), query.__name__)
        self.cuda.cudaGetLastError()
        self.status(SUCCESS, self.cuda.cudaStreamSynchronize, second)
        self.status(SUCCESS, self.cuda.cudaEventQuery, event)
        self.status(SUCCESS, self.cuda.cudaStreamQuery, second)
        self.assertTrue(back.raw == data.raw, "contents differ")

    def test_elapsed_time(self):
        stream, start, end = self.make_stream(), self.make_event(), self.make_event()
        self.status(SUCCESS, self.cuda.cudaEventRecord, start, stream)
        self.status(SUCCESS, self.cuda.cudaEventRecord, end, stream)
        self.status(SUCCESS, self.cuda.cudaEventSynchronize, end)
        elapsed = ctypes.c_float(-77)
        self.status(SUCCESS, self.cuda.cudaEventElapsedTime, ctypes.byref(elapsed), start, end)
        self.assertGreaterEqual(elapsed.value, 0)

    def test_elapsed_time_without_timing(self):
        stream = self.make_stream()
        start, end = self.make_event(DISABLE_TIMING), self.make_event(DISABLE_TIMING)
        self.status(SUCCESS, self.cuda.cudaEventRecord, start, stream)
        self.status(SUCCESS, self.cuda.cudaEventRecord, end, stream)
        self.status(SUCCESS, self.cuda.cudaStreamSynchronize, stream)
        elapsed = ctypes.c_float(-77)
        self.status(INVALID_RESOURCE_HANDLE, self.cuda.cudaEventElapsedTime, ctypes.byref(elapsed),
                    start, end)
        self.status(INVALID_RESOURCE_HANDLE, self.cuda.cudaGetLastError)


class Callbacks(support.DeviceTest):
    """Host functions run on a thread of the backend and take Python's lock. So nobody may wait for
    them while holding a lock of the library."""

    def test_host_function(self):
        seen = []
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        function = kind(lambda data: seen.append((data, threading.get_ident())))
        launch = self.cuda.cudaLaunchHostFunc
        launch.argtypes = [ctypes.c_void_p, kind, ctypes.c_void_p]
        stream = self.make_stream()
        for value in (1, 2, 3):
            self.status(SUCCESS, launch, stream, function, value)
        self.status(SUCCESS, self.cuda.cudaStreamSynchronize, stream)
        self.assertEqual([1, 2, 3], [data for data, _ in seen])

    def test_stream_callback(self):
        seen = []
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
        function = kind(lambda stream, status, data: seen.append((stream, status, data)))
        add = self.cuda.cudaStreamAddCallback
        add.argtypes = [ctypes.c_void_p, kind, ctypes.c_void_p, ctypes.c_uint]
        stream = self.make_stream()
        self.status(SUCCESS, add, stream, function, 0x1234, 0)
        self.status(SUCCESS, self.cuda.cudaStreamSynchronize, stream)
        self.assertEqual([(stream.value, SUCCESS, 0x1234)], seen)


class PerThreadDefault(support.DeviceTest):

    def test_copies(self):
        memory = self.allocate(64)
        self.upload(memory, pattern(64))
        back = ctypes.create_string_buffer(64)
        if self.works_or_is_refused(CUDART, self.cuda.cudaMemcpy_ptds, back, memory, 64,
                                    DEVICE_TO_HOST):
            self.assertEqual(pattern(64), back.raw)
        else:
            self.assertEqual(b"\0" * 64, back.raw, "a refused copy copies nothing")

    def test_streams(self):
        memory = self.allocate(64)
        self.upload(memory, pattern(64))
        back = ctypes.create_string_buffer(64)
        copied = self.works_or_is_refused(CUDART, self.cuda.cudaMemcpyAsync_ptsz, back, memory, 64,
                                          DEVICE_TO_HOST, None)
        waited = self.works_or_is_refused(CUDART, self.cuda.cudaStreamSynchronize_ptsz, None)
        if copied and waited:
            self.assertEqual(pattern(64), back.raw)
        self.works_or_is_refused(CUDART, self.cuda.cudaStreamQuery_ptsz, None)
        event = ctypes.c_void_p(0)
        self.status(SUCCESS, self.cuda.cudaEventCreate, ctypes.byref(event))
        self.works_or_is_refused(CUDART, self.cuda.cudaEventRecord_ptsz, event, None)
        self.status(SUCCESS, self.cuda.cudaEventDestroy, event)


if __name__ == "__main__":
    support.main()
