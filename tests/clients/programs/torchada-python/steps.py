"""The Python torchada, in one process with this project: its wrapper of ctypes, by its own tests.

Its torch is replaced by an empty module: what it changes in torch is not tried here."""
import ctypes
import importlib.util
import os
import sys
from unittest import mock

from client_steps import equal, main, step

TORCH = ["torch", *("torch." + name for name in (
    "autograd", "cuda", "distributed", "library", "nn", "overrides", "utils", "utils.cpp_extension", "utils.data"))]


def musa():
    """The folder of MUSA's libraries."""
    return os.path.join(os.environ["TORCHADA_MUSA_PATH"], "lib")


@step("load")
def load():
    sys.modules.update(dict.fromkeys(TORCH, mock.MagicMock(__version__="2.6.0")))
    os.environ["TORCHADA_PLATFORM"] = "cpu"  # It has torch_musa for "musa".
    import torchada
    from torchada import _patch
    _patch._patch_ctypes_cdll()  # What `import torchada` does where torch_musa is.
    return torchada


@step("host")
def version(load):
    equal(load.__version__, "0.1.103")


@step("host")
def cuda_libraries_are_left_alone(load):
    """So calls by CUDA's names come to this project, and none is translated twice."""
    equal([type(ctypes.CDLL(name)).__name__ for name in ("libcudart.so.12", os.path.join(musa(), "libmusart.so"))],
          ["CDLL", "_CDLLWrapper"])


def own_tests(load):
    path = os.path.join(os.environ["CLIENT_SOURCES"], "torchada", "tests", "test_mappings.py")
    spec = importlib.util.spec_from_file_location("test_mappings", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tests = module.TestCDLLWrapper()
    tests.MUSA_LIB_PATH = musa()
    return tests


@step("host")
def names(load):
    """Its tests of the names of four libraries."""
    tests = own_tests(load)
    tests.test_cdll_wrapper_class_exists()
    tests.test_libmusart_cuda_to_musa_translation()
    tests.test_libmccl_nccl_to_mccl_translation()
    tests.test_libmublas_cublas_to_mublas_translation()
    tests.test_libmurand_curand_to_murand_translation()
    tests.test_non_musa_lib_no_translation()


@step("query")
def calls(load):
    """Its test that calls the runtime as SGLang does."""
    own_tests(load).test_sglang_cuda_wrapper_pattern()


@step("copy")
def both_sides(load):
    """Memory of either side is the other's too."""
    runtimes = [ctypes.CDLL(os.path.join(musa(), "libmusart.so")), ctypes.CDLL("libcudart.so.12")]
    size, there = ctypes.c_size_t(256), bytes(range(256))
    for one, other in (runtimes, runtimes[::-1]):
        pointer, back = ctypes.c_void_p(), ctypes.create_string_buffer(256)
        equal(one.cudaMalloc(ctypes.byref(pointer), size), 0)
        equal(other.cudaMemcpy(pointer, there, size, 1), 0)
        equal(one.cudaMemcpy(back, pointer, size, 2), 0)
        equal(other.cudaFree(pointer), 0)
        equal(back.raw, there)


@step("query")
def one_musa(load, both_sides):
    """The process has one runtime of MUSA."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        found = {os.path.realpath(line[line.index("/"):].strip()) for line in maps if "/libmusart" in line}
    equal(found, {os.path.realpath(os.path.join(musa(), "libmusart.so"))})


main()
