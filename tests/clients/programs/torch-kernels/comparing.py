"""Runs the same on the CPU and on the device, and compares. torch is imported when a step runs, not before."""

from types import SimpleNamespace

from client_steps import close, equal

# (relative, absolute). Of half and bfloat16: four of their steps.
BOUNDS = {
    "float32": (1e-5, 1e-6),
    "float64": (1e-12, 1e-12),
    "float16": (4e-3, 4e-3),
    "bfloat16": (3.2e-2, 3.2e-2),
    "complex64": (1e-5, 1e-6),
    "complex128": (1e-12, 1e-12),
}
NARROW = ("float16", "bfloat16")


def to(device, value, wide=False):
    """All tensors in it on a device; `wide`: those of 16 bits as float."""
    import torch

    if isinstance(value, torch.Tensor):
        narrow = wide and str(value.dtype).removeprefix("torch.") in NARROW
        return value.to(device, torch.float32 if narrow else value.dtype)
    if isinstance(value, (list, tuple)):
        return [to(device, one, wide) for one in value]
    if isinstance(value, SimpleNamespace):
        return SimpleNamespace(**{name: to(device, one, wide) for name, one in vars(value).items()})
    return value


def same(actual, expected, what="result", bounds=None):
    """A tensor of the device, or several, against those of the CPU."""
    import torch

    if isinstance(expected, (list, tuple)):
        equal(len(actual), len(expected), what)
        for one, other in zip(actual, expected):
            same(one, other, what, bounds)
        return
    equal((actual.device.type, actual.shape), ("cuda", expected.shape), what)
    kind = str(actual.dtype).removeprefix("torch.")
    one, other = actual.detach().cpu(), expected.detach()
    if kind not in NARROW:
        equal(actual.dtype, expected.dtype, what)
    if kind not in BOUNDS:
        equal(torch.equal(one, other), True, f"{what}: {one} and {other}")
        return
    if one.is_complex():
        one, other = torch.view_as_real(one.resolve_conj()), torch.view_as_real(other.resolve_conj())
    close(one.double().flatten().tolist(), other.double().flatten().tolist(), *(bounds or BOUNDS[kind]), what=what)


def on_both(function, *arguments, what="result", bounds=None, wide=False):
    """`function` of the arguments on the device and on the CPU; `wide`: there, 16 bits are computed as float."""
    same(function(*to("cuda", arguments)), function(*to("cpu", arguments, wide)), what, bounds)


def gradients(function):
    """The gradients of a function by each floating-point argument."""

    def made(*arguments):
        leaves = [
            one.detach().clone().requires_grad_() if one.is_floating_point() or one.is_complex() else one
            for one in arguments
        ]
        out = function(*leaves)
        out.backward(out.detach() * 0 + 0.7)
        return [one.grad for one in leaves if one.requires_grad]

    return made
