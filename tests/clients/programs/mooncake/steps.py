"""mooncake-transfer-engine: moves memory between machines."""
import ctypes
import os
import subprocess
import sys

from client_steps import equal, main, step

SIZE = 1 << 20

# The other process: writes what it has into the first part of the peer's memory, and reads the second.
PEER = """
import sys
sys.path.insert(0, sys.argv[1])
from steps import SIZE, DeviceMemory, started
engine = started()
here = DeviceMemory(SIZE)
here.fill(7, 0)
assert engine.register_memory(here.address, SIZE) == 0
peer, there = sys.argv[2], int(sys.argv[3])
assert engine.transfer_sync_write(peer, here.address, there, SIZE) == 0
assert engine.transfer_sync_read(peer, here.address, there + SIZE, SIZE) == 0
assert here.read(0, SIZE) == bytes([3]) * SIZE
"""


class DeviceMemory:
    def __init__(self, size):
        self.cudart, pointer = ctypes.CDLL("libcudart.so.12"), ctypes.c_void_p()
        equal(self.cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(size)), 0, "cudaMalloc")
        self.address = pointer.value

    def fill(self, value, offset):
        """SIZE bytes."""
        equal(self.cudart.cudaMemset(ctypes.c_void_p(self.address + offset), value, ctypes.c_size_t(SIZE)), 0)
        equal(self.cudart.cudaDeviceSynchronize(), 0)

    def read(self, offset, size):
        out = ctypes.create_string_buffer(size)
        equal(self.cudart.cudaMemcpy(out, ctypes.c_void_p(self.address + offset), ctypes.c_size_t(size), 2), 0)
        return out.raw


def started():
    from mooncake import engine
    out = engine.TransferEngine()
    equal(out.initialize("127.0.0.1", "P2PHANDSHAKE", "tcp", ""), 0, "initialize")
    return out


@step("load")
def load():
    from mooncake import engine
    return engine


@step("query")
def start(load):
    return started()


@step("query")
def managed_buffer(start):
    assert start.allocate_managed_buffer(4096) != 0


@step("copy")
def between_processes(start):
    """Another process writes and reads device memory of this one."""
    memory = DeviceMemory(2 * SIZE)
    memory.fill(3, SIZE)
    equal(start.register_memory(memory.address, 2 * SIZE), 0, "register_memory")
    ended = subprocess.run([sys.executable, "-c", PEER, os.path.dirname(os.path.abspath(__file__)),
                            f"127.0.0.1:{start.get_rpc_port()}", str(memory.address)],
                           capture_output=True, text=True, check=False, timeout=50)
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {ended.stderr[-1500:]}")
    equal(memory.read(0, SIZE), bytes([7]) * SIZE, "written part")
    equal(memory.read(SIZE, SIZE), bytes([3]) * SIZE, "read part")


@step("query")
def store(load):
    from mooncake import store
    store.MooncakeDistributedStore()


if __name__ == "__main__":
    main()
