"""kmcuda: k-means by Lloyd and Yinyang, in float and half2, and nearest neighbours in clusters."""
import ctypes
import math
import random

from client_steps import Wrong, close, equal, main, step
from cuda_sources import host_library, image, use_images

SAMPLES, FEATURES, CLUSTERS = 3072, 4, 12  # A multiple of the block's size: see `kmeans`.
FLAGS = ["-DCUDA_ARCH=80"]


def clusters():
    random.seed(7)
    centres = [[10 * math.cos(i * 2.1) * (1 + i % 3), 10 * math.sin(i * 1.3), i * 3.0, i % 5 * 4.0]
               for i in range(CLUSTERS)]
    return centres, [[number + random.gauss(0, .3) for number in centres[i % CLUSTERS]] for i in range(SAMPLES)]


def floats(rows):
    return (ctypes.c_float * (len(rows) * FEATURES))(*[number for row in rows for number in row])


@step("host")
def images():
    return {name: image(name, "kmcuda", [name + ".cu"], FLAGS) for name in ("kmeans", "knn", "transpose")}


@step("load")
def library():
    return host_library("kmcuda", "kmcuda", ["kmcuda.cc", "kmeans.cu", "knn.cu", "transpose.cu"],
                        ["-std=c++17", "-Xcompiler", "-fopenmp", *FLAGS])


@step("kernel")
def kmeans(images, library):
    """Each sample must be in its nearest cluster, and the mean distance must be right."""
    # Both sources have variables of the same names, so a process uses the image of one.
    use_images(images["kmeans"], images["transpose"])
    centres, samples = clusters()
    # Imported centres, random ones, k-means++, AFK-MC2. The kernel of the last one has a barrier that only threads
    # with a sample reach, so their number must be a multiple of the block's.
    for method in (3, 0, 1, 2):
        found = floats([[number + random.gauss(0, .5) for number in row] for row in centres])
        assigned, mean, steps = (ctypes.c_uint32 * SAMPLES)(), ctypes.c_float(), ctypes.c_uint32(0)
        equal(library.kmeans_cuda(method, ctypes.byref(steps), ctypes.c_float(0), ctypes.c_float(0.1 if method else 0),
                                  0, SAMPLES, ctypes.c_uint16(FEATURES), CLUSTERS, 3, 1, -1, 0, 0, floats(samples),
                                  found, assigned, ctypes.byref(mean)), 0, "status")
        total = 0.0
        for sample, cluster in zip(samples, assigned):
            distances = [math.dist(sample, found[i * FEATURES:(i + 1) * FEATURES]) for i in range(CLUSTERS)]
            if distances[cluster] > min(distances) + 1e-3:
                raise Wrong(f"method {method}: not the nearest cluster")
            total += distances[cluster]
        close([mean.value], [total / SAMPLES], 1e-4)


@step("kernel")
def half_precision(images, library, kmeans):
    """Pairs of half, of which it takes the samples with fp16x2."""
    import struct
    centres, samples = clusters()
    packed = b"".join(struct.pack("<4e", *row) for row in samples)
    found = ctypes.create_string_buffer(b"".join(struct.pack("<4e", *row) for row in centres))
    assigned = (ctypes.c_uint32 * SAMPLES)()
    equal(library.kmeans_cuda(3, None, ctypes.c_float(0), ctypes.c_float(0), 0, SAMPLES, ctypes.c_uint16(FEATURES // 2),
                              CLUSTERS, 3, 1, -1, 1, 0, packed, found, assigned, None), 0, "status")
    equal(list(assigned), [i % CLUSTERS for i in range(SAMPLES)])


@step("kernel")
def nearest_neighbours(images, library):
    """In a process of its own."""
    import multiprocessing
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        equal(pool.apply(neighbours_off, (images, library._name)), 0, "samples with wrong neighbours")


def neighbours_off(images, path):
    use_images(images["knn"], images["transpose"])
    library, count = ctypes.CDLL(path), 5
    centres, samples = clusters()
    assigned = (ctypes.c_uint32 * SAMPLES)(
        *[min(range(CLUSTERS), key=lambda i: math.dist(sample, centres[i])) for sample in samples])
    found = (ctypes.c_uint32 * (SAMPLES * count))()
    equal(library.knn_cuda(ctypes.c_uint16(count), 0, SAMPLES, ctypes.c_uint16(FEATURES), CLUSTERS, 1, -1, 0, 0,
                           floats(samples), floats(centres), assigned, found), 0, "status")
    off = 0
    for i in range(0, SAMPLES, 37):
        nearest = sorted(math.dist(samples[i], other) for j, other in enumerate(samples) if j != i)[:count]
        mine = sum(math.dist(samples[i], samples[j]) for j in found[i * count:(i + 1) * count])
        off += abs(mine - sum(nearest)) > 1e-3
    return off


if __name__ == "__main__":
    main()
