"""Another process of the machine that holds memory of device 0."""
import contextlib
import subprocess
import sys

_PROGRAM = """
import ctypes
import sys

cuda = ctypes.CDLL("libcudart.so.12")
cuda.cudaMalloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
print(cuda.cudaMalloc(ctypes.byref(ctypes.c_void_p()), int(sys.argv[1])), flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def allocated(size):
    """`size` bytes, until the end of the block."""
    with subprocess.Popen([sys.executable, "-c", _PROGRAM, str(size)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        status = process.stdout.readline()
        assert status == b"0\n", status
        yield
        process.communicate(b"")
