"""One rank, with device memory and a stream of the CUDA runtime."""
import ctypes
import struct

import nccl_wrapper
import support
from nccl_wrapper import AVG, FLOAT32, INT32, MAX, PROD, SUM, UINT8, UniqueId
from support import pattern

COUNT = 1000


class OneRank(support.DeviceTest):

    def setUp(self):
        super().setUp()
        self.nccl = nccl_wrapper.Nccl()
        self.stream = self.make_stream()

    def make_communicator(self):
        return self.nccl.init_rank(1, self.nccl.unique_id(), 0)

    def finish(self):
        self.status(0, self.cuda.cudaStreamSynchronize, self.stream)

    def test_version(self):
        code = self.nccl.version_code()
        self.assertTrue(20000 <= code <= 99999, "expected five digits, got %d" % code)
        by_digits = self.nccl.version_of_digits()
        self.assertEqual((code // 10000, code // 100 % 100, code % 100), by_digits)
        self.assertGreaterEqual(by_digits, (2, 9, 0))

    def test_unique_id(self):
        ids = set()
        for _ in range(3):
            guarded = ctypes.create_string_buffer(b"\xee" * 256, 256)
            self.nccl.call("ncclGetUniqueId", UniqueId.from_buffer(guarded))
            self.assertEqual(b"\xee" * 128, guarded.raw[128:], "bytes behind the id")
            ids.add(guarded.raw[:128])
        self.assertEqual(3, len(ids), "ids are unique")

    def test_id_travels_as_bytes(self):
        """Frameworks send the id as 128 opaque bytes."""
        opaque = bytes(self.nccl.unique_id())
        communicator = self.nccl.init_rank(1, UniqueId.from_buffer_copy(opaque), 0)
        self.nccl.call("ncclCommDestroy", communicator)

    def test_size_and_rank(self):
        communicator = self.make_communicator()
        for name, expected in (("ncclCommCount", 1), ("ncclCommUserRank", 0),
                               ("ncclCommGetAsyncError", 0)):
            value = ctypes.c_int(-77)
            self.nccl.call(name, communicator, ctypes.byref(value))
            self.assertEqual(expected, value.value, name)
        self.nccl.call("ncclCommDestroy", communicator)

    def test_collectives(self):
        communicator = self.make_communicator()
        floats = struct.pack("<%df" % COUNT, *[i * 0.25 - 3 for i in range(COUNT)])
        integers = struct.pack("<%di" % COUNT, *[i * i - 500 for i in range(COUNT)])
        for name, arguments in [
            ("ncclAllReduce", [FLOAT32, SUM]), ("ncclAllReduce", [FLOAT32, AVG]),
            ("ncclAllReduce", [INT32, PROD]), ("ncclAllReduce", [INT32, MAX]),
            ("ncclReduceScatter", [FLOAT32, SUM]), ("ncclReduceScatter", [INT32, MAX]),
            ("ncclReduce", [FLOAT32, SUM, 0]), ("ncclAllGather", [FLOAT32]),
            ("ncclAllGather", [INT32]), ("ncclBroadcast", [FLOAT32, 0]),
            ("ncclBroadcast", [INT32, 0]),
        ]:
            with self.subTest(name, arguments=arguments):
                data = floats if arguments[0] == FLOAT32 else integers
                source, result = self.allocate(len(data)), self.allocate(len(data))
                self.upload(source, data)
                self.upload(result, b"\xee" * len(data))
                self.nccl.call(name, source, result, COUNT, *arguments, communicator, self.stream)
                self.finish()
                self.assertEqual(data, self.download(result, len(data)))
                self.nccl.call(name, source, source, COUNT, *arguments, communicator, self.stream)
                self.finish()
                self.assertEqual(data, self.download(source, len(data)), "in place")
        self.nccl.call("ncclCommDestroy", communicator)

    def test_send_to_itself(self):
        communicator = self.make_communicator()
        source, result = self.allocate(4096), self.allocate(4096)
        self.upload(source, pattern(4096))
        self.nccl.call("ncclGroupStart")
        self.nccl.call("ncclSend", source, 4096, UINT8, 0, communicator, self.stream)
        self.nccl.call("ncclRecv", result, 4096, UINT8, 0, communicator, self.stream)
        self.nccl.call("ncclGroupEnd")
        self.finish()
        self.assertEqual(pattern(4096), self.download(result, 4096))
        self.nccl.call("ncclCommDestroy", communicator)

    def test_abort(self):
        communicator = self.make_communicator()
        self.nccl.call("ncclCommAbort", communicator)
        self.nccl.call("ncclCommDestroy", self.make_communicator())

    def test_errors_have_texts(self):
        with self.assertRaisesRegex(RuntimeError, r"ncclCommInitRank: invalid argument .*\(4\)"):
            self.nccl.init_rank(1, self.nccl.unique_id(), 7)
        texts = [self.nccl.functions["ncclGetErrorString"](code) for code in range(-1, 20)]
        self.assertNotIn(None, texts)
        self.assertEqual(b"no error", texts[1])

    def test_profiler_names(self):
        """A profiler defines ncclXxx itself and calls pncclXxx."""
        version, same = ctypes.c_int(-77), ctypes.c_int(-78)
        self.status(0, self.nccl.library.pncclGetVersion, ctypes.byref(version))
        self.status(0, self.nccl.library.ncclGetVersion, ctypes.byref(same))
        self.assertEqual(version.value, same.value)


if __name__ == "__main__":
    support.main()
