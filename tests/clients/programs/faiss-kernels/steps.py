"""faiss with its own kernels: what its indices find on a GPU, beside what they find on the CPU."""
from client_steps import available, close, equal, main, step

WIDTH, NUMBER, ASKED, WANTED = 32, 2000, 20, 10


@step("load")
def load():
    import faiss

    return faiss


@step("query")
def resources(load):
    available(load.get_num_gpus() == 1, f"{load.get_num_gpus()} devices")
    return load.StandardGpuResources()


def vectors(number=NUMBER, seed=1):
    import numpy

    return numpy.random.default_rng(seed).random((number, WIDTH), dtype=numpy.float32)


def asked():
    return vectors(ASKED, seed=2)


def same(found, expected, relative=1e-4, absolute=1e-5):
    """The same neighbours, at the same distances."""
    close(found[0].ravel().tolist(), expected[0].ravel().tolist(), relative, absolute, "distance")
    equal(found[1].tolist(), expected[1].tolist(), "neighbours")


def same_nearest(on_gpu, on_cpu, wanted=WANTED):
    same(on_gpu.search(asked(), wanted), on_cpu.search(asked(), wanted))


def filled(index):
    index.train(vectors())
    index.add(vectors())
    return index


def brought(load, resources, on_cpu, **options):
    """A copy on the GPU of an index of the CPU's."""
    how = load.GpuClonerOptions()
    for name, value in options.items():
        setattr(how, name, value)
    return load.index_cpu_to_gpu(resources, 0, on_cpu, how)


def on_both(load, resources, description, *metric):
    on_cpu = filled(load.index_factory(WIDTH, description, *metric))
    on_gpu = brought(load, resources, on_cpu)
    on_gpu.nprobe = on_cpu.nprobe = 4
    return on_gpu, on_cpu


@step("kernel")
def flat_distances(load, resources):
    """Few and many neighbours are other kernels. Of half of all vectors two may be as near, so that their order is
    open: each must have the distance that is said of it."""
    on_gpu, on_cpu = filled(load.GpuIndexFlatL2(resources, WIDTH)), filled(load.IndexFlatL2(WIDTH))
    for wanted in (1, 5, 32, 100):
        same_nearest(on_gpu, on_cpu, wanted)
    distances, neighbours = on_gpu.search(asked(), NUMBER // 2)
    close(distances.ravel().tolist(), on_cpu.search(asked(), NUMBER // 2)[0].ravel().tolist(), 1e-4, what="distance")
    for found, said, one in zip(neighbours, distances, asked()):
        equal(len(set(found.tolist())), NUMBER // 2, "different neighbours")
        close(((vectors()[found] - one) ** 2).sum(axis=1).tolist(), said.tolist(), 1e-4, what="own distance")


@step("kernel")
def flat_products(load, resources):
    on_gpu, on_cpu = filled(load.GpuIndexFlatIP(resources, WIDTH)), filled(load.IndexFlatIP(WIDTH))
    for wanted in (1, 5, 100):
        same_nearest(on_gpu, on_cpu, wanted)


@step("kernel")
def lists(load, resources):
    same_nearest(*on_both(load, resources, "IVF16,Flat"))


@step("kernel")
def lists_of_products(load, resources):
    same_nearest(*on_both(load, resources, "IVF16,Flat", load.METRIC_INNER_PRODUCT))


@step("kernel")
def lists_made_on_the_gpu(load, resources):
    """Trained and filled there. With all lists it finds what a flat index finds, and so does its copy on the CPU."""
    on_gpu = filled(load.GpuIndexIVFFlat(resources, WIDTH, 16, load.METRIC_L2))
    on_gpu.nprobe = 16
    same_nearest(on_gpu, filled(load.IndexFlatL2(WIDTH)))
    copied = load.index_gpu_to_cpu(on_gpu)
    copied.nprobe = 16
    same_nearest(on_gpu, copied)


@step("kernel")
def lists_with_names(load, resources):
    import numpy

    index = load.GpuIndexIVFFlat(resources, WIDTH, 16, load.METRIC_L2)
    index.train(vectors())
    index.add_with_ids(vectors(), numpy.arange(NUMBER) + 7000)
    index.nprobe = 16
    equal(index.search(vectors()[:ASKED], 1)[1].ravel().tolist(), list(range(7000, 7000 + ASKED)))
    index.reset()
    equal(index.ntotal, 0)


@step("kernel")
def lists_of_bytes(load, resources):
    """Each number as one byte."""
    same_nearest(*on_both(load, resources, "IVF16,SQ8"))


@step("kernel")
def lists_of_halves(load, resources):
    same_nearest(*on_both(load, resources, "IVF16,SQfp16"))


@step("kernel")
def scalar_codes(load, resources):
    """Filled on the GPU: its codes are those that the CPU reads."""
    for name in ("QT_8bit_uniform", "QT_6bit", "QT_4bit", "QT_4bit_uniform", "QT_fp16"):
        kind = getattr(load.ScalarQuantizer, name)
        on_gpu = filled(load.GpuIndexIVFScalarQuantizer(resources, WIDTH, 16, kind, load.METRIC_L2, True))
        copied = load.index_gpu_to_cpu(on_gpu)
        on_gpu.nprobe = copied.nprobe = 4
        same_nearest(on_gpu, copied)


@step("host")
def product_index(load):
    """Eight bytes for each vector."""
    out = load.index_factory(WIDTH, "IVF16,PQ8")
    out.pq.cp.niter, out.pq.cp.min_points_per_centroid = 3, 1
    out = filled(out)
    out.nprobe = 4
    return out


def same_product_codes(load, resources, on_cpu, bound, **options):
    """Several vectors have the same code, so distances alone are compared."""
    on_gpu = brought(load, resources, on_cpu, **options)
    on_gpu.nprobe = on_cpu.nprobe
    found, expected = on_gpu.search(asked(), WANTED)[0], on_cpu.search(asked(), WANTED)[0]
    close(found.ravel().tolist(), expected.ravel().tolist(), bound, bound, "distance")


@step("kernel")
def product_codes(load, resources, product_index):
    same_product_codes(load, resources, product_index, 1e-4)


@step("kernel")
def product_codes_with_tables(load, resources, product_index):
    """Distances that were made beforehand."""
    same_product_codes(load, resources, product_index, 1e-4, usePrecomputed=True)


@step("kernel")
def product_codes_in_halves(load, resources, product_index):
    same_product_codes(load, resources, product_index, 1e-2, useFloat16=True)


@step("kernel")
def searches_without_an_index(load, resources):
    """In pieces, with vectors by rows and by columns."""
    import numpy

    expected = load.knn(asked(), vectors(), WANTED)
    same(load.knn_gpu(resources, asked(), vectors(), WANTED), expected)
    same(load.knn_gpu(resources, asked(), numpy.asfortranarray(vectors()), WANTED), expected)
    same(load.knn_gpu(resources, asked(), vectors(), WANTED, vectorsMemoryLimit=1 << 16), expected)


@step("kernel")
def other_distances(load, resources):
    for name in ("L1", "Linf", "Canberra", "BrayCurtis", "JensenShannon"):
        metric = getattr(load, "METRIC_" + name)
        found = load.knn_gpu(resources, asked(), vectors(), WANTED, metric=metric)
        same(found, load.knn(asked(), vectors(), WANTED, metric=metric), absolute=1e-4)


@step("kernel")
def bits(load, resources):
    """Of 256 bits each, by the number of those that differ. Of several that are as near, any may be found."""
    import numpy

    random = numpy.random.default_rng(3)
    held = random.integers(0, 256, (NUMBER, 32), dtype=numpy.uint8)
    near = held[:ASKED] ^ random.integers(0, 2, (ASKED, 32), dtype=numpy.uint8)
    on_gpu, on_cpu = load.GpuIndexBinaryFlat(resources, 256), load.IndexBinaryFlat(256)
    for index in (on_gpu, on_cpu):
        index.add(held)
    found, expected = on_gpu.search(near, 5), on_cpu.search(near, 5)
    equal(found[0].tolist(), expected[0].tolist(), "distances")
    equal(found[1][:, 0].tolist(), list(range(ASKED)), "nearest")


@step("kernel")
def clusters(load):
    """By k-means: the CPU's centres."""
    found, expected = (load.Kmeans(WIDTH, 8, niter=5, seed=3, gpu=where) for where in (True, False))
    found.train(vectors())
    expected.train(vectors())
    close(found.centroids.ravel().tolist(), expected.centroids.ravel().tolist(), 1e-3, 1e-4, "centre")


@step("library")
def half_vectors(load, resources):
    """Its products of halves are to be added up without any rounding beyond float's, which MUSA's BLAS has no word for.
    faiss ends the process itself."""
    on_cpu = filled(load.IndexFlatL2(WIDTH))
    same_nearest(brought(load, resources, on_cpu, useFloat16=True), on_cpu)


main()
