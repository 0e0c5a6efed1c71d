"""torch."""
import os

from client_steps import close, equal, main, step


@step("load")
def load():
    import torch
    return torch


@step("host")
def on_the_cpu(load):
    close((load.arange(3.0) * 2).tolist(), [0, 2, 4])


@step("device")
def available(load):
    equal((load.cuda.is_available(), load.cuda.device_count()), (True, 1))


@step("device")
def nccl_version(load):
    assert load.cuda.nccl.version() >= (2, 11), load.cuda.nccl.version()


@step("device")
def properties(load):
    assert load.cuda.get_device_properties(0).total_memory > 0


@step("device")
def copy(load):
    there = load.arange(1000.0)
    equal(load.equal(there.to("cuda").cpu(), there), True)


@step("device")
def pinned(load):
    there = load.arange(1000.0).pin_memory()
    equal(there.is_pinned(), True)
    equal(load.equal(there.to("cuda", non_blocking=True).cpu(), there), True)


@step("device")
def stream(load):
    stream = load.cuda.Stream()
    stream.synchronize()


@step("device")
def event(load):
    event = load.cuda.Event(enable_timing=True)
    event.record()
    event.synchronize()


@step("device")
def memory_statistics(load):
    tensor = load.empty(1 << 20, dtype=load.uint8, device="cuda")
    assert load.cuda.memory_allocated() >= tensor.numel()


def product(load, kind, relative):
    a = load.arange(12.0).reshape(3, 4)
    out = (a.to(kind).to("cuda") @ a.T.contiguous().to(kind).to("cuda")).cpu().double()
    close(out.flatten().tolist(), (a.double() @ a.T.double()).flatten().tolist(), relative)


@step("device")
def product_float(load):
    product(load, load.float32, 1e-6)


@step("device")
def product_half(load):
    product(load, load.float16, 1e-3)


@step("device")
def product_bfloat(load):
    product(load, load.bfloat16, 1e-2)


@step("device")
def linear(load):
    """With bias, by cublasLt."""
    a, weight, bias = load.arange(12.0).reshape(3, 4), load.arange(8.0).reshape(2, 4), load.tensor([1.0, 2.0])
    expected = load.nn.functional.linear(a, weight, bias)
    out = load.nn.functional.linear(a.cuda(), weight.cuda(), bias.cuda()).cpu()
    close(out.flatten().tolist(), expected.flatten().tolist())


@step("device")
def all_reduce(load):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29655")
    load.distributed.init_process_group("nccl", rank=0, world_size=1)
    tensor = load.arange(4.0).to("cuda")
    load.distributed.all_reduce(tensor)
    close(tensor.cpu().tolist(), range(4))
    load.distributed.destroy_process_group()


@step("device")
def addition(load):
    """By a kernel of torch's own."""
    close((load.arange(3.0).cuda() + 1).cpu().tolist(), [1, 2, 3])


@step("device")
def random(load):
    values = load.rand(1000, device="cuda").cpu()
    assert 0.4 < values.mean().item() < 0.6


@step("device")
def convolution(load):
    x, weight = load.arange(16.0).reshape(1, 1, 4, 4), load.ones(1, 1, 3, 3)
    expected = load.nn.functional.conv2d(x, weight)
    close(load.nn.functional.conv2d(x.cuda(), weight.cuda()).cpu().flatten().tolist(), expected.flatten().tolist())


@step("device")
def fourier(load):
    x = load.arange(8.0)
    close(load.fft.rfft(x.cuda()).cpu().abs().tolist(), load.fft.rfft(x).abs().tolist())


@step("device")
def solve(load):
    a, b = load.tensor([[2.0, 0.0], [0.0, 4.0]]), load.tensor([[2.0], [8.0]])
    close(load.linalg.solve(a.cuda(), b.cuda()).cpu().flatten().tolist(), [1, 2])


main()
