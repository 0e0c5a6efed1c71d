"""bitsandbytes on PyTorch, with its own kernels: what its functions compute on the device, beside what they compute on
the CPU. PyTorch only holds and copies the numbers."""
from client_steps import available, close, equal, main, step

BLOCKS = (64, 128, 256, 512, 1024, 2048, 4096)
NUMBER = 5000  # No multiple of any block.
# Of half and bfloat16: two of their steps.
BOUNDS = {"float32": 1e-6, "float16": 1e-3, "bfloat16": 8e-3}


@step("load")
def load():
    import bitsandbytes

    return bitsandbytes


@step("query")
def functions(load):
    import torch

    available(torch.cuda.is_available(), "no GPU")
    return load.functional


def numbers(*shape, kind="float32", seed=1):
    import torch

    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(getattr(torch, kind))


def same(found, expected, relative=1e-5, absolute=1e-6, what="number"):
    equal((found.device.type, found.dtype, found.shape), ("cuda", expected.dtype, expected.shape), what)
    close(found.cpu().double().flatten().tolist(), expected.double().flatten().tolist(), relative, absolute, what)


def same_codes(found, expected, what):
    """A number on the border of two codes may get either: the device multiplies where the CPU divides. Of bfloat16,
    which has few numbers, more are on borders."""
    equal((found.device.type, found.dtype, found.shape), ("cuda", expected.dtype, expected.shape), what)
    different = (found.cpu() != expected).sum().item()
    close([different], [0], absolute=expected.numel() / 100, what=what)


@step("kernel")
def eight_bits(functions):
    """Each block is scaled by its largest number, and each number becomes a byte."""
    import torch

    for kind, bound in BOUNDS.items():
        for size in BLOCKS:
            given = numbers(NUMBER, kind=kind)
            found, state = functions.quantize_blockwise(given.cuda(), blocksize=size)
            expected, on_cpu = functions.quantize_blockwise(given, blocksize=size)
            same(state.absmax, on_cpu.absmax, what=f"largest of {size} {kind}")
            same_codes(found, expected, f"codes of {kind} in blocks of {size}")
            # Both read the same codes.
            state.dtype = on_cpu.dtype = getattr(torch, kind)
            same(functions.dequantize_blockwise(expected.cuda(), state),
                 functions.dequantize_blockwise(expected, on_cpu), bound, what=f"{kind} in blocks of {size}")


@step("kernel")
def other_codes(functions):
    """Bytes of another table."""
    for code in (functions.create_fp8_map(True), functions.create_linear_map(True)):
        given = numbers(NUMBER)
        found, state = functions.quantize_blockwise(given.cuda(), code=code.cuda(), blocksize=256)
        expected, on_cpu = functions.quantize_blockwise(given, code=code, blocksize=256)
        same_codes(found, expected, "codes")
        same(functions.dequantize_blockwise(expected.cuda(), state), functions.dequantize_blockwise(expected, on_cpu))


@step("kernel")
def four_bits(functions):
    for way in ("nf4", "fp4"):
        for kind, bound in BOUNDS.items():
            for size in (32, *BLOCKS):
                given = numbers(96, 64, kind=kind)
                found, state = functions.quantize_4bit(given.cuda(), blocksize=size, quant_type=way)
                expected, on_cpu = functions.quantize_4bit(given, blocksize=size, quant_type=way)
                same(state.absmax, on_cpu.absmax, what=f"largest of {size} {kind}")
                # By what they stand for: 0 has two codes.
                same_codes(functions.dequantize_4bit(found.cpu(), on_cpu).cuda(),
                           functions.dequantize_4bit(expected, on_cpu), f"{way} of {kind} in blocks of {size}")
                same(functions.dequantize_4bit(expected.cuda(), state), functions.dequantize_4bit(expected, on_cpu),
                     bound, what=f"{way} of {kind} in blocks of {size}")


def product(functions, shape, rows, kind, way, bound, size=64, bias=False):
    """Of rows of numbers and a matrix of 4 bits each."""
    import torch

    matrix, given = numbers(*shape, kind=kind), numbers(rows, shape[1], kind=kind, seed=2)
    packed, on_cpu = functions.quantize_4bit(matrix, blocksize=size, quant_type=way)
    wide = functions.dequantize_4bit(packed, on_cpu).float()
    added = numbers(shape[0], kind=kind, seed=3) if bias else None
    found = torch.ops.bitsandbytes.gemm_4bit(given.cuda(), packed.cuda(), list(shape), on_cpu.absmax.cuda(), size, way,
                                             added.cuda() if bias else None)
    expected = given.float() @ wide.T + (added.float() if bias else 0)
    same(found, expected.to(found.dtype), bound, bound * shape[1] ** 0.5, f"product of {rows} rows of {kind}, {way}")


@step("kernel")
def products_of_four_bits(functions):
    """Few rows are added up thread by thread."""
    for way in ("nf4", "fp4"):
        for kind, bound in {"float32": 1e-5, "float16": 4e-3, "bfloat16": 3.2e-2}.items():
            for rows in (1, 2, 3, 4):
                product(functions, (128, 256), rows, kind, way, bound)
    product(functions, (128, 256), 2, "float16", "nf4", 4e-3, size=128, bias=True)


@step("kernel")
def products_by_tiles(functions):
    """Many rows go to the tensor cores."""
    for kind, bound in {"float16": 4e-3, "bfloat16": 3.2e-2}.items():
        product(functions, (4096, 64), 64, kind, "nf4", bound)
        product(functions, (4096, 64), 40, kind, "fp4", bound, bias=True)


@step("kernel")
def vectors_by_four_bits(functions):
    import torch

    for kind, bound in {"float32": 1e-5, "float16": 4e-3, "bfloat16": 3.2e-2}.items():
        matrix, given = numbers(128, 256, kind=kind), numbers(1, 256, kind=kind, seed=2)
        packed, on_cpu = functions.quantize_4bit(matrix, blocksize=64, quant_type="nf4")
        expected = given.float() @ functions.dequantize_4bit(packed, on_cpu).float().T
        found = torch.ops.bitsandbytes.gemv_4bit(given.cuda(), packed.cuda(), [128, 256], on_cpu.absmax.cuda(),
                                                 on_cpu.code.cuda(), 64)
        same(found, expected.to(found.dtype), bound, bound * 16, f"product of a vector of {kind}")


@step("kernel")
def rows_of_bytes(functions):
    given = numbers(40, 256, kind="float16")
    found, stats, _ = functions.int8_vectorwise_quant(given.cuda())
    expected, on_cpu, _ = functions.int8_vectorwise_quant(given)
    same(stats, on_cpu, what="largest of a row")
    close(found.cpu().flatten().tolist(), expected.flatten().tolist(), absolute=1, what="byte")


@step("kernel")
def products_of_bytes(functions):
    """By cuBLASLt, to integers, and from these to half."""
    import torch

    a, b = ((numbers(*shape) * 40).round().clamp(-127, 127).to(torch.int8) for shape in ((24, 64), (32, 64)))
    found = functions.int8_linear_matmul(a.cuda(), b.cuda())
    expected = a.int() @ b.int().T
    equal(found.tolist(), expected.tolist(), "product")
    rows, columns, bias = numbers(24).abs(), numbers(32).abs(), numbers(32, kind="float16")
    halves = functions.int8_mm_dequant(found, rows.cuda(), columns.cuda(), bias=bias.cuda())
    scaled = expected.double() * rows.double()[:, None] * columns.double() / 127 ** 2 + bias.double()
    same(halves, scaled.half(), 2e-3, 2e-3, "half")


OPTIMIZERS = ("adam", "momentum", "rmsprop", "adagrad", "lion", "ademamix")


@step("kernel")
def optimizers(functions):
    import torch

    for name in OPTIMIZERS:
        two = name in ("adam", "ademamix")
        for kind, bound in BOUNDS.items():
            if kind == "bfloat16" and name in ("momentum", "rmsprop", "adagrad"):
                continue  # The library has no such function.
            given = [numbers(NUMBER, kind=kind), numbers(NUMBER, seed=2, kind=kind),
                     torch.zeros(*((2, NUMBER) if name == "ademamix" else (NUMBER,))), torch.zeros(NUMBER)]
            there = [one.cuda() for one in given]
            for number in (1, 2, 3):
                for p, g, first, second in (given, there):
                    functions.optimizer_update_32bit(name, g, p, first, 0.9, 1e-8, number, 1e-2,
                                                     state2=second if two else None, beta2=0.999, beta3=0.9999,
                                                     alpha=5.0, weight_decay=0.0)
            same(there[0], given[0], 3 * bound, 3 * bound, f"{name}'s {kind}")
            same(there[2], given[2], 1e-5, 1e-6, f"{name}'s state")


@step("kernel")
def optimizers_of_eight_bits(functions):
    """Their states are bytes, in blocks of 256."""
    import torch

    for name in OPTIMIZERS:
        two = name in ("adam", "ademamix")
        shape = (2, NUMBER) if name == "ademamix" else (NUMBER,)
        blocks = -(-NUMBER // 256)
        given = [numbers(NUMBER), numbers(NUMBER, seed=2), torch.zeros(*shape, dtype=torch.uint8),
                 torch.zeros(NUMBER, dtype=torch.uint8), functions.create_dynamic_map(True),
                 functions.create_dynamic_map(False), torch.zeros(*shape[:-1], blocks), torch.zeros(blocks)]
        there = [one.cuda() for one in given]
        for number in (1, 2, 3):
            for p, g, first, second, codes, positive, largest, largest_second in (given, there):
                functions.optimizer_update_8bit_blockwise(
                    name, g, p, first, second if two else None, 0.9, 0.999, 0.9999, 5.0, 1e-8, number, 1e-2, codes,
                    positive if two else None, largest, largest_second if two else None)
        # Where one of the states got the code beside, above all one beside 0, the next steps are other ones.
        far = ((there[0].cpu() - given[0]).abs() > 1e-3).sum().item()
        close([far], [0], absolute=NUMBER / 10, what=name)
        # At most two codes beside, after three steps: the widest gap between two is 0.014.
        codes = given[4] if two or name in ("momentum", "lion") else given[5]
        equal(there[2].device.type, "cuda")
        close(codes[there[2].cpu().int()].flatten().tolist(), codes[given[2].int()].flatten().tolist(), absolute=0.03,
              what=f"{name}'s state")


main()
