"""Memory shared by two processes through a handle passed by value, declared with 128 or 64 bytes.
"""
import ctypes

import support
from cudart_wrapper import CudaRuntime, IpcHandle, LongIpcHandle
from support import CUDART, pattern, run_script, show

SIZE = 4096 + 513
SENTINEL = 0xEE


class Ipc(support.ProgramTest):

    def setUp(self):
        super().setUp()
        self.opened = ctypes.CDLL(CUDART)

    def export(self, handle_type):
        self.runtime = CudaRuntime(handle_type)
        self.runtime.call("cudaSetDevice", 0)
        self.memory = self.runtime.malloc(SIZE)
        data = ctypes.create_string_buffer(pattern(SIZE), SIZE)
        self.runtime.memcpy(self.memory, ctypes.addressof(data), SIZE)
        # Whatever the client declares, the library may write only 64 bytes.
        guarded = ctypes.create_string_buffer(bytes([SENTINEL]) * 256, 256)
        self.runtime.export_memory(self.memory, handle_type.from_buffer(guarded))
        self.assertEqual(bytes([SENTINEL]) * 192, guarded.raw[64:], "bytes behind the handle")
        self.assertNotEqual(bytes([SENTINEL]) * 64, guarded.raw[:64], "the handle")
        return guarded.raw[:64]

    def share(self, own_type, consumer_bytes):
        handle = self.export(own_type)
        result = run_script("ipc_consumer.py", handle.hex(), str(consumer_bytes), str(SIZE))
        self.assertEqual((0, "consumed\n", ""), (result.returncode, result.stdout, result.stderr),
                         show(result))
        back = ctypes.create_string_buffer(SIZE)
        self.runtime.memcpy(ctypes.addressof(back), self.memory, SIZE)
        self.assertEqual(pattern(SIZE, seed=2), back.raw, "what the consumer wrote back")
        self.runtime.call("cudaFree", self.memory)

    def test_both_128(self):
        self.share(LongIpcHandle, 128)

    def test_both_64(self):
        self.share(IpcHandle, 64)

    def test_64_to_128(self):
        self.share(IpcHandle, 128)

    def test_128_to_64(self):
        self.share(LongIpcHandle, 64)

    def test_nonsense_is_refused(self):
        runtime = CudaRuntime(LongIpcHandle)
        runtime.call("cudaSetDevice", 0)
        with self.assertRaisesRegex(RuntimeError, "cudaIpcOpenMemHandle"):
            runtime.open_memory(LongIpcHandle())


if __name__ == "__main__":
    support.main()
