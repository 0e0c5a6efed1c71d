"""Memory of MUSA's device, by the runtime of the SDK that the loader finds."""
import ctypes
import glob
import os
import subprocess
import sys
from contextlib import contextmanager

from client_steps import equal


def runtime(mode=ctypes.DEFAULT_MODE):
    """The one libmusart in LD_LIBRARY_PATH, by the name that programs are linked with."""
    names = {os.path.basename(path) for folder in os.environ["LD_LIBRARY_PATH"].split(":")
             for path in glob.glob(folder + "/libmusart.so.?")}
    name, = names
    return ctypes.CDLL(name, mode)


class DeviceMemory:
    TO_HOST = 2

    def __init__(self, size):
        self.musart, pointer = runtime(), ctypes.c_void_p()
        equal(self.musart.musaMalloc(ctypes.byref(pointer), ctypes.c_size_t(size)), 0, "musaMalloc")
        self.address = pointer.value

    @classmethod
    def at(cls, address):
        """Memory that something else has allocated."""
        out = cls.__new__(cls)
        out.musart, out.address = runtime(), address
        return out

    def fill(self, value, size, offset=0):
        equal(self.musart.musaMemset(ctypes.c_void_p(self.address + offset), value, ctypes.c_size_t(size)), 0)
        equal(self.musart.musaDeviceSynchronize(), 0)

    def write(self, data, offset=0):
        equal(self.musart.musaMemcpy(ctypes.c_void_p(self.address + offset), data, ctypes.c_size_t(len(data)), 1), 0)

    def read(self, size, offset=0):
        out = ctypes.create_string_buffer(size)
        equal(self.musart.musaMemcpy(out, ctypes.c_void_p(self.address + offset), ctypes.c_size_t(size),
                                     self.TO_HOST), 0)
        return out.raw


@contextmanager
def allocated_elsewhere(size):
    """Another process holds so many bytes of device 0, until the end of the block. Gives its number."""
    program = "import sys; from musa_memory import DeviceMemory; held = DeviceMemory(int(sys.argv[1])); " \
              "print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", program, str(size)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        line = process.stdout.readline()
        assert line == b"held\n", line
        yield process.pid
        process.communicate(b"")
