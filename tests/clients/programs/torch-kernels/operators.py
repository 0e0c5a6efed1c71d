"""torch's own kernels, compiled from PyTorch's sources: operators against the CPU in each type, gradients, complex
numbers, and kernels that torch writes itself at run time.

Each step has the operators of one family in one type."""

from types import SimpleNamespace

import families
from children import printed_by
from client_steps import main, step
from comparing import on_both

FLOATS = ("float32", "float64", "float16", "bfloat16")
WIDE = FLOATS[:2]
INTEGERS = ("int32", "int64", "uint8")


@step("load")
def load():
    import torch

    torch.backends.cudnn.enabled = False
    return torch


def inputs_of(torch, kind):
    """Random numbers, the same in each run."""
    random = torch.Generator().manual_seed(0)

    def normal(*shape):
        return torch.randn(*shape, generator=random).to(getattr(torch, kind))

    def whole(most, *shape):
        return torch.randint(most, shape, generator=random)

    made = SimpleNamespace(
        a=normal(33, 65),
        b=normal(33, 65),
        row=normal(65),
        long=normal(4, 5000),
        image=normal(2, 3, 16, 15),
        cube=normal(2, 2, 6, 7, 8),
        weight=normal(4, 3, 3, 3),
        q=normal(2, 4, 9, 8),
        k=normal(2, 4, 9, 8),
        v=normal(2, 4, 9, 8),
        rows=whole(33, 7),
        many_rows=whole(33, 4000),
        cells=whole(33, 20, 65),
        classes=whole(65, 33),
    )
    made.positive, made.inside, made.near_one = made.a.abs() + 0.1, made.a.clamp(-0.97, 0.97), 1 + made.a * 0.01
    return made


def integers_of(torch, kind):
    random = torch.Generator().manual_seed(0)

    def whole(least, most, *shape):
        return torch.randint(least, most, shape, generator=random).to(getattr(torch, kind))

    return SimpleNamespace(a=whole(1, 90, 33, 65), b=whole(1, 9, 33, 65), long=whole(0, 200, 20000))


def complex_of(torch, kind):
    random = torch.Generator().manual_seed(0)
    a, b = (torch.randn(9, 17, 2, generator=random, dtype=getattr(torch, kind)) for _ in range(2))
    return SimpleNamespace(a=torch.view_as_complex(a), b=torch.view_as_complex(b))


def declare(family, kind, inputs):
    """The step FAMILY_KIND: each case of the family, a function of torch and the inputs."""

    def run(load):
        made, cases = inputs(load, kind), getattr(families, family)(load)
        for name, function in cases.items():
            on_both(
                function,
                made,
                what=f"{name}, {kind}: element",
                bounds=families.BOUNDS.get((name, "complex" if family == "complex_numbers" else kind)),
                wide=name in families.WIDE,
            )

    run.__name__ = f"{family}_{kind}"
    step("kernel")(run)


for each in families.OF_FLOATS:
    for one_kind in FLOATS:
        declare(each, one_kind, inputs_of)
for each in families.OF_WIDE_FLOATS:
    for one_kind in WIDE:
        declare(each, one_kind, inputs_of)
for each in families.OF_INTEGERS:
    for one_kind in INTEGERS:
        declare(each, one_kind, integers_of)
for one_kind in WIDE:
    declare("complex_numbers", one_kind, complex_of)


# What torch has from others, which torchada does not have. Each in a process of its own; each names what is missing.

REFUSED = {
    "convolution_by_cudnn": "torch.backends.cudnn.enabled = True\n"
    "torch.conv2d({x}.reshape(1, 1, 4, 4), {x}.reshape(1, 1, 4, 4))",
    "solution_by_cusolver": "torch.linalg.solve(torch.eye(4).cuda(), {x}.reshape(4, 4))",
    "sparse_product": "torch.eye(4).to_sparse_csr().cuda() @ {x}.reshape(4, 4)",
    "flash_attention": "attend(SDPBackend.FLASH_ATTENTION, {x}.reshape(1, 1, 2, 8).half())",
    "attention_by_cutlass": "attend(SDPBackend.EFFICIENT_ATTENTION, {x}.reshape(1, 1, 2, 8))",
    "compiled_by_triton": "torch.compile(lambda x: x * 2 + 1)({x})",
}
ATTENTION = """
from torch.nn.attention import SDPBackend, sdpa_kernel
def attend(how, x):
    with sdpa_kernel(how):
        return torch.nn.functional.scaled_dot_product_attention(x, x, x)
"""


def refused(name, code):
    def run(load):
        printed_by(ATTENTION + code.format(x="torch.arange(16.0).cuda()") + "\ntorch.cuda.synchronize()\nprint(0)")

    run.__name__ = name
    step("library")(run)


for each, its_code in REFUSED.items():
    refused(each, its_code)


if __name__ == "__main__":
    main()
