"""nccl4py: NCCL's bindings and what is built on them."""
import ctypes

from client_steps import close, equal, main, step

FLOAT, SUM = 7, 0


@step("load")
def load():
    from nccl.bindings import nccl
    return nccl


@step("query")
def version(load):
    assert load.get_version() >= 21100, load.get_version()


@step("query")
def communicator(load):
    return load.comm_init_rank(1, load.get_unique_id(), 0)


@step("query")
def properties(load, communicator):
    equal((load.comm_count(communicator), load.comm_user_rank(communicator)), (1, 0))


@step("library")
def all_reduce(load, communicator):
    cudart = ctypes.CDLL("libcudart.so.12")
    values, back, pointer = (ctypes.c_float * 4)(1, 2, 3, 4), (ctypes.c_float * 4)(), ctypes.c_void_p()
    equal(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(16)), 0)
    equal(cudart.cudaMemcpy(pointer, values, ctypes.c_size_t(16), 1), 0)
    load.all_reduce(pointer.value, pointer.value, 4, FLOAT, SUM, communicator, 0)
    equal(cudart.cudaMemcpy(back, pointer, ctypes.c_size_t(16), 2), 0)
    close(back, [1, 2, 3, 4])


@step("query")
def split(load, communicator):
    load.comm_destroy(load.comm_split(communicator, 0, 0, 0))


@step("query")
def core():
    import nccl.core
    communicator = nccl.core.Communicator.init(1, 0, nccl.core.get_unique_id())
    equal(communicator.nranks, 1)
    communicator.destroy()


main()
