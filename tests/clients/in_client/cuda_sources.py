"""For clients that are CUDA sources: their kernels become an image of the CPU stand-in, and nvcc compiles their host
code with the shared runtime. Needs nvcc of a CUDA toolkit, 12 or newer, in PATH or /usr/local/cuda/bin.

    library = program("kmcuda", ["kmeans.cu", "knn.cu"], host=["kmcuda.cc"], flags=["-DCUDA_ARCH=80"])

is the library that nvcc made; its kernels are taken from the image. Sources are named from the root of the archive."""
import ctypes
import os
import shutil
import subprocess

HOME = os.getcwd()  # The harness starts the script in an empty directory of the client's own.


def source(archive, *names):
    return os.path.join(os.environ["CLIENT_SOURCES"], archive, *names)


def _run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        lines = [line for line in (done.stderr + done.stdout).split("\n") if "error" in line]
        raise OSError(f"{os.path.basename(command[0])}: " + "\n".join(lines[:3] or [done.stderr[-500:]]))
    return done.stderr


def image(name, archive, sources, flags=()):
    """The path of the image that `torchada kernels build` makes. Beside it, in PATH.log, is what it said."""
    command = os.path.join(os.path.realpath(os.environ["TORCHADA_MUSA_PATH"]), "..", "..", "bin", "torchada")
    path = os.path.join(HOME, name + ".image")
    if not os.path.exists(path):
        flags = [word.replace("@", source(archive)) for word in flags]
        said = _run([os.path.realpath(command), "kernels", "build", "--backend=host", "-o", path, *flags,
                     *(source(archive, one) for one in sources)])
        with open(path + ".log", "w", encoding="utf-8") as log:
            log.write(said)
    return path


def use_images(*paths):
    """Before the first CUDA call of the process: what `torchada run --kernels=` does."""
    os.environ["TORCHADA_KERNELS"] = ":".join(paths)


def host_library(name, archive, sources, flags=(), link=()):
    nvcc = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    if nvcc is None:
        raise FileNotFoundError("nvcc: install a CUDA toolkit, 12 or newer")
    path = os.path.join(HOME, f"lib{name}.so")
    if not os.path.exists(path):
        flags = [word.replace("@", source(archive)) for word in flags]
        _run([nvcc, "-arch=sm_80", "-cudart", "shared", "-shared", "-Xcompiler", "-fPIC", "-w", "-O1", *flags,
              *(source(archive, one) for one in sources), "-o", path, *link])
    return ctypes.CDLL(path)


class Memory:
    """An array of numbers on the device, copied by the program's runtime."""

    def __init__(self, values, kind=ctypes.c_float, runtime="libcudart.so.13"):
        self.runtime, self.here = ctypes.CDLL(runtime), (kind * len(values))(*values)
        self.address = ctypes.c_void_p()
        self._check(self.runtime.cudaMalloc(ctypes.byref(self.address), ctypes.c_size_t(ctypes.sizeof(self.here))))
        self._check(self.runtime.cudaMemcpy(self.address, self.here, ctypes.c_size_t(ctypes.sizeof(self.here)), 1))

    def read(self):
        self._check(self.runtime.cudaMemcpy(self.here, self.address, ctypes.c_size_t(ctypes.sizeof(self.here)), 2))
        return list(self.here)

    def _check(self, status):
        if status != 0:
            raise OSError(f"CUDA error {status}")
