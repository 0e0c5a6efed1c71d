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


@step("device")
def open_hook(hook):
    return ctypes.CDLL(hook)


@step("device")
def preload(load):
    path = os.path.join(os.path.dirname(os.path.dirname(load.__file__)),
                        "torch_memory_saver_hook_mode_preload_cu12.abi3.so")
    others = os.environ.get("LD_PRELOAD", "")
    ended = subprocess.run([sys.executable, "-c", COPY], env={**os.environ, "LD_PRELOAD": f"{path}:{others}"},
                           capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {ended.stderr[-500:]}")
    equal(ended.stdout, "freed\n")


main()
