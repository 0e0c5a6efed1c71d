"""DeepSpeed: its attention's softmax, with tiles of cooperative groups, and dequantization."""
import ctypes
import math
import random
import struct

from client_steps import close, main, step
from cuda_sources import Memory, host_library, image, use_images

FOLDER = "csrc/transformer/inference/csrc/"
SOURCES = [FOLDER + "softmax.cu", FOLDER + "dequantize.cu"]
FLAGS = ["-I@/csrc/includes", "-I@/csrc/transformer/inference/includes"]
HEADS, QUERIES, KEYS = 3, 5, 150


@step("host")
def images():
    path = image("deepspeed", "deepspeed", SOURCES, FLAGS)
    use_images(path)
    return path


@step("load")
def library():
    return host_library("deepspeed", "deepspeed", SOURCES, FLAGS)


def expected(values, scale):
    out = []
    for begin in range(0, len(values), KEYS):
        row = [value * scale for value in values[begin:begin + KEYS]]
        powers = [math.exp(value - max(row)) for value in row]
        out += [power / sum(powers) for power in powers]
    return out


def launch(library, kind, values):
    """launch_attn_softmax_v2<T>(vals, mask, alibi, scale, triangular, recompute, local_attention, ...)"""
    name = f"_Z22launch_attn_softmax_v2I{kind}EvPT_{'S1_S1_' if kind == 'f' else 'S2_S2_'}fbbbiiiiiiiiP11CUstream_st"
    getattr(library, name)(values.address, None, None, ctypes.c_float(0.5), False, False, False, 1, 1, HEADS, QUERIES,
                           KEYS, 0, 1, 1, None)


def numbers():
    random.seed(17)
    return [random.uniform(-4, 4) for _ in range(HEADS * QUERIES * KEYS)]


@step("kernel")
def softmax(images, library):
    values = Memory(numbers())
    launch(library, "f", values)
    close(values.read(), expected(numbers(), 0.5), 1e-4, 1e-7)


@step("kernel")
def softmax_of_half(images, library):
    bits = [struct.unpack("<H", struct.pack("<e", value))[0] for value in numbers()]
    given = [struct.unpack("<e", struct.pack("<H", one))[0] for one in bits]
    values = Memory(bits, ctypes.c_ushort)
    launch(library, "6__half", values)
    close([struct.unpack("<e", struct.pack("<H", one))[0] for one in values.read()], expected(given, 0.5), 5e-3, 1e-5)


@step("kernel")
def dequantization(images, library):
    """launch_dequantize<float>(output, input, scales, output_size, hidden_dim, groups, merge_count, stream)"""
    random.seed(19)
    size, hidden, groups = 8, 96, 4
    quantized = [random.randrange(-128, 128) for _ in range(size * hidden)]
    scales = [random.uniform(0.5, 2) for _ in range(groups)]
    to = Memory([0.0] * (size * hidden))
    library._Z17launch_dequantizeIfEvPT_PKaPKfjjjjP11CUstream_st(
        to.address, Memory(quantized, ctypes.c_byte).address, Memory(scales).address, size, hidden, groups, 0, None)
    stride = hidden * size // groups
    close(to.read(), [value * scales[(i // size + i % size * hidden) // stride] for i, value in enumerate(quantized)],
          1e-6)


@step("host")
def layer_norm():
    image("layer_norm", "deepspeed", [FOLDER + "layer_norm.cu"], FLAGS)


main()
