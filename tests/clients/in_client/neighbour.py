"""Another process of the machine that uses device 0."""
import contextlib
import subprocess
import sys

_OPEN = """
import ctypes
import sys
import threading

for major in "12", "13":
    try:
        cuda = ctypes.CDLL("libcudart.so." + major)
        break
    except OSError:
        pass
"""
_ALLOCATE = """
cuda.cudaMalloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
print(cuda.cudaMalloc(ctypes.byref(ctypes.c_void_p()), int(sys.argv[1])), flush=True)
sys.stdin.read()
"""
_KEEP_BUSY = """
end = threading.Event()
wait = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: end.wait())
print(cuda.cudaLaunchHostFunc(None, wait, None), flush=True)
sys.stdin.read()
end.set()
cuda.cudaDeviceSynchronize()
"""


@contextlib.contextmanager
def _running(program, *words):
    """Until the end of the block."""
    with subprocess.Popen([sys.executable, "-c", _OPEN + program, *words], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        status = process.stdout.readline()
        assert status == b"0\n", status
        yield
        process.communicate(b"")


def allocated(size):
    """Holds so many bytes."""
    return _running(_ALLOCATE, str(size))


def busy():
    """Keeps a stream busy."""
    return _running(_KEEP_BUSY)
