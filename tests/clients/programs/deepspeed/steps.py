"""DeepSpeed: its attention's softmax, with tiles of cooperative groups, dequantization and layer norm."""
import ctypes
import math
import random
import struct

from client_steps import close, main, step
from cuda_sources import Memory, host_library, image, use_images

FOLDER = "csrc/transformer/inference/csrc/"
SOURCES = [FOLDER + name for name in ("softmax.cu", "dequantize.cu", "layer_norm.cu")]
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


@step("kernel")
def layer_norm(images, library):
    """launch_fused_ln<float>(output, values, gamma, beta, epsilon, rows, elements of a row, stream)"""
    random.seed(23)
    rows, size, epsilon = 5, 768, 1e-5
    values = [random.uniform(-4, 4) for _ in range(rows * size)]
    gamma, beta = ([random.uniform(0.5, 2) for _ in range(size)] for _ in range(2))
    out = Memory([0.0] * (rows * size))
    library._Z15launch_fused_lnIfEvPT_PKS0_S3_S3_fiiP11CUstream_st(
        out.address, Memory(values).address, Memory(gamma).address, Memory(beta).address, ctypes.c_float(epsilon), rows,
        size, None)
    normal = []
    for begin in range(0, rows * size, size):
        row = values[begin:begin + size]
        mean = sum(row) / size
        deviation = math.sqrt(sum((value - mean) ** 2 for value in row) / size + epsilon)
        normal += [(value - mean) / deviation * g + b for value, g, b in zip(row, gamma, beta)]
    close(out.read(), normal, 1e-4, 1e-5)


main()
