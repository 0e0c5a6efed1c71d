"""dlib: operations on tensors by CUDA against dlib's own on the CPU."""
import os

from client_steps import equal, main, step
from cuda_sources import host_library, image, use_images

SOURCES, FLAGS = ["dlib/cuda/cuda_dlib.cu"], ["-DDLIB_USE_CUDA", "-DDLIB_NO_GUI_SUPPORT", "-I@"]

THREADS = [f"dlib/threads/{name}.cpp" for name in (
    "async", "multithreaded_object_extension", "thread_pool_extension", "threaded_object_extension", "threads_kernel_1",
    "threads_kernel_2", "threads_kernel_shared")]


@step("host")
def images():
    path = image("dlib", "dlib", SOURCES, FLAGS)
    use_images(path)
    return path


@step("load")
def library():
    """Without what needs cuDNN: nothing here calls it."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.cpp")
    return host_library("dlib", "dlib", [*SOURCES, "dlib/cuda/cpu_dlib.cpp", "dlib/cuda/gpu_data.cpp",
                                         "dlib/cuda/cuda_data_ptr.cpp", *THREADS, own],
                        ["-std=c++14", *FLAGS], ["-lcublas", "-lcurand"])


@step("kernel")
def operations(images, library):
    equal(library.compare_all(), 0, "operations that differ; the log names them")


main()
