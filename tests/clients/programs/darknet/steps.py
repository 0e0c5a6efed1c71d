"""darknet: a small network, predicting and training, against darknet's own computations on the CPU."""
import ctypes
import glob
import os
import random

from client_steps import close, main, step
from cuda_sources import host_library, image, source, use_images

# CUDA 13 has lost that name.
FLAGS = ["-DGPU", "-DcudaThreadSynchronize=cudaDeviceSynchronize", "-I@/include", "-I@/src"]
NETWORK = """[net]
batch=2
height=32
width=32
channels=3
learning_rate=0.01
momentum=0.9
decay=0.0005
max_batches=10
[convolutional]
%s
filters=16
size=3
stride=1
pad=1
activation=leaky
[maxpool]
size=2
stride=2
[convolutional]
filters=8
size=3
stride=2
pad=1
activation=elu
[shortcut]
from=-1
activation=relu
[route]
layers=-1,-2
[avgpool]
[connected]
output=10
activation=logistic
[softmax]
"""


def names(pattern, *without):
    found = glob.glob(source("darknet", "src", pattern))
    return sorted("src/" + os.path.basename(name) for name in found if os.path.basename(name) not in without)


@step("host")
def images():
    path = image("darknet", "darknet", names("*_kernels.cu", "deconvolutional_kernels.cu"), FLAGS)
    use_images(path)
    return path


@step("load")
def library():
    # compare.c is not in darknet's own list.
    return host_library("darknet", "darknet", names("*.c", "compare.c") + names("*.cu"), FLAGS,
                        ["-lcublas", "-lcurand"])


@step("library")
def product(library):
    """Of a matrix and another one, transposed: by cuBLAS, and by darknet's own loops."""
    random.seed(3)
    rows, columns, inner = 7, 9, 11
    a, b = [(ctypes.c_float * (count * inner))(*[random.random() for _ in range(count * inner)])
            for count in (rows, columns)]
    own, back = (ctypes.c_float * (rows * columns))(), (ctypes.c_float * (rows * columns))()
    library.cuda_make_array.restype = ctypes.c_void_p
    there = [ctypes.c_void_p(library.cuda_make_array(array, ctypes.c_size_t(len(array)))) for array in (a, b, back)]
    for function, (one, other, out) in ((library.gemm_cpu, (a, b, own)), (library.gemm_gpu, there)):
        function(0, 1, rows, columns, inner, ctypes.c_float(1), one, inner, other, inner, ctypes.c_float(0), out,
                 columns)
    library.cuda_pull_array(there[2], back, ctypes.c_size_t(len(back)))
    close(back, own, 1e-5)
    close(own, [sum(a[row * inner + k] * b[column * inner + k] for k in range(inner))
                for row in range(rows) for column in range(columns)], 1e-5)


def network(library, on_gpu, text):
    with open("network.cfg", "w", encoding="utf-8") as out:
        out.write(text)
    ctypes.c_int.in_dll(library, "gpu_index").value = 0 if on_gpu else -1
    ctypes.CDLL("libc.so.6").srand(3)  # The weights.
    library.parse_network_cfg.restype = ctypes.c_void_p
    return ctypes.c_void_p(library.parse_network_cfg(b"network.cfg"))


@step("kernel")
def prediction(images, library):
    random.seed(1)
    image_of_noise = (ctypes.c_float * (2 * 3 * 32 * 32))(*[random.random() for _ in range(2 * 3 * 32 * 32)])
    library.network_predict.restype = ctypes.POINTER(ctypes.c_float)
    on_both = [library.network_predict(network(library, on_gpu, NETWORK % ""), image_of_noise)[:20]
               for on_gpu in (False, True)]
    close(on_both[1], on_both[0], 1e-4, 1e-6)


class Matrix(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_int), ("cols", ctypes.c_int),
                ("vals", ctypes.POINTER(ctypes.POINTER(ctypes.c_float)))]

    @classmethod
    def of(cls, rows):
        numbers = [(ctypes.c_float * len(row))(*row) for row in rows]
        pointers = (ctypes.POINTER(ctypes.c_float) * len(rows))(
            *[ctypes.cast(row, ctypes.POINTER(ctypes.c_float)) for row in numbers])
        made = cls(len(rows), len(rows[0]), pointers)
        made.kept = numbers
        return made


class Data(ctypes.Structure):
    _fields_ = [("w", ctypes.c_int), ("h", ctypes.c_int), ("x", Matrix), ("y", Matrix), ("shallow", ctypes.c_int),
                ("num_boxes", ctypes.c_void_p), ("boxes", ctypes.c_void_p)]


@step("kernel")
def training(images, library):
    """With batch normalization: the losses, and what it predicts afterwards."""
    random.seed(2)
    inputs = Matrix.of([[random.random() for _ in range(3 * 32 * 32)] for _ in range(4)])
    truths = Matrix.of([[float(column == row) for column in range(10)] for row in range(4)])
    library.train_network_sgd.restype = ctypes.c_float
    library.network_predict.restype = ctypes.POINTER(ctypes.c_float)
    on_both = []
    for on_gpu in (False, True):
        net = network(library, on_gpu, NETWORK % "batch_normalize=1")
        ctypes.CDLL("libc.so.6").srand(5)  # The order of the samples.
        loss = library.train_network_sgd(net, Data(32, 32, inputs, truths, 0, None, None), 4)
        halves = (ctypes.c_float * (2 * 3 * 32 * 32))(*[.5] * (2 * 3 * 32 * 32))
        on_both.append([loss] + library.network_predict(net, halves)[:20])
    close(on_both[1], on_both[0], 1e-2, 1e-4)


main()
