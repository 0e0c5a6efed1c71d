"""faiss: nearest neighbours, on the CPU and on a GPU."""
from client_steps import available, close, equal, main, step


@step("load")
def load():
    import faiss
    return faiss


def vectors():
    import numpy
    return numpy.random.default_rng(1).random((1000, 16), dtype=numpy.float32)


def nearest(index):
    """Each vector's nearest is itself, at distance 0."""
    index.add(vectors())
    distances, found = index.search(vectors()[:10], 1)
    equal(found.ravel().tolist(), list(range(10)))
    close(distances.ravel(), [0] * 10, absolute=1e-5)


@step("host")
def on_the_cpu(load):
    nearest(load.IndexFlatL2(16))


@step("query")
def count(load):
    available(load.get_num_gpus() == 1, f"{load.get_num_gpus()} devices")


@step("query")
def resources(load):
    return load.StandardGpuResources()


@step("query")
def index(load, resources):
    return load.GpuIndexFlatL2(resources, 16)


@step("library")
def inner_products(load, resources):
    """Of each vector with each: one product of matrices by cuBLAS."""
    out = load.pairwise_distance_gpu(resources, vectors()[:10], vectors(), metric=load.METRIC_INNER_PRODUCT)
    close(out.ravel(), (vectors()[:10] @ vectors().T).ravel(), 1e-4)


@step("kernel")
def search(index):
    nearest(index)


main()
