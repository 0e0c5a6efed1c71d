"""Training on a device, and the comparison with the CPU."""

import contextlib

import torch
from client_steps import close
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

STEPS = 20


def seeded(make, seed=1):
    torch.manual_seed(seed)
    return make()


def losses(
    device,
    network,
    data,
    optimizer,
    clip=None,
    schedule=None,
    autocast=None,
    loss=functional.cross_entropy,
    steps=STEPS,
    layout=torch.contiguous_format,
    **options
):
    """What each step's loss was; the same weights and data each time."""
    model = seeded(network)
    inputs, wanted = seeded(data, 2)
    model.to(device, memory_format=layout)
    inputs, wanted, out = inputs.to(device), wanted.to(device), []
    made = optimizer(model.parameters(), **options)
    scheduler = schedule(made) if schedule else None
    narrow = torch.autocast(device, autocast) if autocast else contextlib.nullcontext()
    with sdpa_kernel(SDPBackend.MATH):
        for _ in range(steps):

            def closure():
                made.zero_grad()
                with narrow:
                    found = loss(model(inputs), wanted)
                found.backward()
                if clip:
                    clip(model.parameters())
                return found

            out.append(made.step(closure).item())
            if scheduler:
                scheduler.step(
                    *([out[-1]] if isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau) else [])
                )
    return out


def same_losses(network, data, optimizer, absolute=1e-4, on_the_cpu=None, **options):
    """The device's losses are the CPU's, and become smaller. `on_the_cpu`: what is otherwise there."""
    found = losses("cuda", network, data, optimizer, **options)
    expected = losses("cpu", network, data, optimizer, **{**options, **(on_the_cpu or {})})
    close(found, expected, 0, absolute, "loss")
    assert found[-1] < found[0], found
