"""torch_memory_saver: a library that stands before cudaMalloc, by LD_PRELOAD."""
import ctypes
import importlib.util
import os
import subprocess
import sys

from client_steps import equal, main, step

COPY = """
import ctypes
cudart, pointer = ctypes.CDLL("libcudart.so.12"), ctypes.c_void_p()
assert cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(4096)) == 0
assert cudart.cudaFree(pointer) == 0
print("freed")
"""

# Prints whether the address stayed, whether memory was given back and taken again, and what is in it.
PAUSE = """
import ctypes, sys
from ctypes import byref, c_size_t, c_void_p
cudart, saver = ctypes.CDLL("libcudart.so.12"), ctypes.CDLL(sys.argv[1])
SIZE = 64 << 20

def call(name, *words):
    status = getattr(cudart, name)(*words)
    assert status == 0, (name, status)

def free():
    out, total = c_size_t(), c_size_t()
    call("cudaMemGetInfo", byref(out), byref(total))
    return out.value

malloc = ctypes.CDLL(None).cudaMalloc  # Of the library that was preloaded.
pointer, back = c_void_p(), (ctypes.c_ubyte * SIZE)()
call("cudaFree", None)
saver.tms_set_current_tag(b"weights")
saver.tms_set_interesting_region(ctypes.c_bool(True))
saver.tms_set_enable_cpu_backup(ctypes.c_bool(sys.argv[2] == "backup"))
assert malloc(byref(pointer), c_size_t(SIZE)) == 0
saver.tms_set_interesting_region(ctypes.c_bool(False))
call("cudaMemset", pointer, 7, c_size_t(SIZE))
used = free()
saver.tms_pause(b"weights")
paused = free()
saver.tms_resume(b"weights")
resumed = free()
assert paused - used >= SIZE, (used, paused)
assert paused - resumed >= SIZE, (paused, resumed)
if sys.argv[2] != "backup":
    call("cudaMemset", pointer, 7, c_size_t(SIZE))
call("cudaMemcpy", back, pointer, c_size_t(SIZE), 2)
assert bytes(back) == bytes([7]) * SIZE
print("as before")
"""


@step("load")
def load():
    """The module that chooses the library. The package needs torch, this file does not."""
    root = importlib.util.find_spec("torch_memory_saver").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("utils", os.path.join(root, "utils.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@step("load")
def hook(load):
    """It asks for libcudart.so.13, then for .12, and takes its own library of that major."""
    return str(load.get_binary_path_from_package("torch_memory_saver_hook_mode_preload"))


@step("query")
def open_hook(hook):
    return ctypes.CDLL(hook)


def preloaded(load, code, *words):
    """What a program prints that is started with the library of CUDA 12."""
    path = os.path.join(os.path.dirname(os.path.dirname(load.__file__)),
                        "torch_memory_saver_hook_mode_preload_cu12.abi3.so")
    others = os.environ.get("LD_PRELOAD", "")
    ended = subprocess.run([sys.executable, "-c", code, path, *words], capture_output=True, text=True, check=False,
                           env={**os.environ, "LD_PRELOAD": f"{path}:{others}"})
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {ended.stderr[-500:]}")
    return ended.stdout


@step("query")
def preload(load):
    equal(preloaded(load, COPY), "freed\n")


@step("copy")
def pause(load):
    """Memory is given back and taken again at the same address."""
    equal(preloaded(load, PAUSE, "empty"), "as before\n")


@step("copy")
def pause_with_copy(load):
    """With what was in it."""
    equal(preloaded(load, PAUSE, "backup"), "as before\n")


main()
