"""torch: devices, memory, streams, products, transforms, collectives, and what needs kernels of its own."""
import io
import threading

from children import in_child, use_expandable_memory
from client_steps import close, equal, main, step
from ranks import started_ranks

MEGABYTE = 1 << 20


def same(actual, expected, relative=1e-5, absolute=1e-6):
    """Compares a tensor on the device with one on the CPU. The comparison is made on the CPU."""
    equal((actual.device.type, actual.shape, actual.dtype), ("cuda", expected.shape, expected.dtype), "tensor")
    numbers = [tensor.resolve_conj().view(tensor.real.dtype) if tensor.is_complex() else tensor
               for tensor in (actual.cpu(), expected)]
    close(*(tensor.double().flatten().tolist() for tensor in numbers), relative, absolute)


@step("load")
def load():
    import torch
    return torch


@step("host")
def on_the_cpu(load):
    close((load.arange(3.0) * 2).tolist(), [0, 2, 4])


# What there is.

@step("query")
def available(load):
    equal((load.cuda.is_available(), load.cuda.device_count()), (True, 1))


@step("query")
def name(load):
    assert load.cuda.get_device_name(0)
    assert "NVIDIA" not in load.cuda.get_device_name(0).upper(), load.cuda.get_device_name(0)


@step("query")
def properties(load):
    known = load.cuda.get_device_properties(0)
    equal((known.major, known.minor), load.cuda.get_device_capability(0))
    assert known.total_memory > 0 and known.multi_processor_count > 0, known


@step("query")
def memory_info(load):
    free, total = load.cuda.mem_get_info()
    equal(total, load.cuda.get_device_properties(0).total_memory)
    assert 0 < free <= total, (free, total)


@step("query")
def nccl_version(load):
    assert load.cuda.nccl.version() >= (2, 11), load.cuda.nccl.version()


@step("copy")
def three_devices(load):
    """Copies from one to another."""
    in_child("""
assert torch.cuda.device_count() == 3
there = torch.arange(1000.0).to("cuda:0").to("cuda:2")
with torch.cuda.device(2):
    assert torch.cuda.current_device() == 2
assert there.device.index == 2 and there.cpu().tolist() == list(range(1000))
assert torch.cuda.can_device_access_peer(0, 2) in (True, False)
""", TORCHADA_HOST_DEVICES="3")


# Memory.

@step("copy")
def copy(load):
    there = load.arange(1000.0)
    equal(load.equal(there.to("cuda").cpu(), there), True)


@step("copy")
def copy_every_type(load):
    for kind in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float64", "complex64"):
        there = load.arange(100).to(getattr(load, kind))
        equal(load.equal(there.cuda().cpu(), there), True, kind)


@step("copy")
def clone(load):
    there = load.arange(1000.0).cuda()
    other = there.clone()
    assert other.data_ptr() != there.data_ptr()
    same(other, load.arange(1000.0))


@step("copy")
def part(load):
    """A part of a tensor, read and written."""
    there = load.arange(100.0).reshape(10, 10).cuda()
    same(there[3:5], load.arange(30.0, 50.0).reshape(2, 10))
    there[7].copy_(load.full((10,), 5.0))
    same(there[6:8], load.stack([load.arange(60.0, 70.0), load.full((10,), 5.0)]))


@step("copy")
def pinned(load):
    there = load.arange(1000.0).pin_memory()
    equal(there.is_pinned(), True)
    equal(load.equal(there.to("cuda", non_blocking=True).cpu(), there), True)


@step("copy")
def registered(load):
    """Memory of the CPU that is made known to the driver afterwards."""
    there, runtime = load.arange(4096.0), load.cuda.cudart()
    equal(int(runtime.cudaHostRegister(there.data_ptr(), there.numel() * 4, 0)), 0)
    equal(there.is_pinned(), True)
    same(there.cuda(), there)
    equal(int(runtime.cudaHostUnregister(there.data_ptr())), 0)


@step("copy")
def loader(load):
    """A DataLoader with pinned memory, by a thread of its own."""
    data = load.utils.data.DataLoader(load.arange(64.0), batch_size=16, pin_memory=True)
    batches = [batch.to("cuda", non_blocking=True) for batch in data]
    equal([batch.cpu().tolist()[0] for batch in batches], [0, 16, 32, 48])


@step("copy")
def file(load):
    out = io.BytesIO()
    load.save({"weight": load.arange(10.0).cuda()}, out)
    out.seek(0)
    same(load.load(out, map_location="cuda")["weight"], load.arange(10.0))


@step("copy")
def exchange(load):
    """By DLPack and by __cuda_array_interface__."""
    there = load.arange(10.0).cuda()
    same(load.from_dlpack(there.__dlpack__()), load.arange(10.0))
    known = there.__cuda_array_interface__
    equal((known["data"][0], known["shape"], known["typestr"]), (there.data_ptr(), (10,), "<f4"))


@step("query")
def memory_statistics(load):
    before = load.cuda.memory_allocated()
    tensor = load.empty(MEGABYTE, dtype=load.uint8, device="cuda")
    equal(load.cuda.memory_allocated() - before, tensor.numel())
    assert load.cuda.max_memory_allocated() >= load.cuda.memory_allocated()
    assert "Allocated memory" in load.cuda.memory_summary()


@step("query")
def memory_returned(load):
    free = load.cuda.mem_get_info()[0]
    tensor = load.empty(64 * MEGABYTE, dtype=load.uint8, device="cuda")
    assert load.cuda.mem_get_info()[0] <= free - tensor.numel()
    del tensor
    load.cuda.empty_cache()
    assert load.cuda.mem_get_info()[0] >= free


@step("query")
def out_of_memory(load):
    """And the next allocation works."""
    try:
        load.empty(1 << 40, dtype=load.uint8, device="cuda")
    except load.cuda.OutOfMemoryError as error:
        assert "out of memory" in str(error), error
    else:
        raise AssertionError("a terabyte was allocated")
    same(load.arange(3.0).cuda(), load.arange(3.0))


@step("copy")
def memory_pool(load):
    with load.cuda.use_mem_pool(load.cuda.MemPool()):
        there = load.arange(10.0).cuda()
    same(there, load.arange(10.0))


@step("copy")
def expandable_memory(load):
    use_expandable_memory()


@step("copy")
def ordered_memory(load):
    """The runtime's allocations in the order of a stream."""
    in_child("""
assert torch.cuda.get_allocator_backend() == "cudaMallocAsync"
assert torch.arange(1000.0).cuda().cpu().tolist() == list(range(1000))
""", PYTORCH_CUDA_ALLOC_CONF="backend:cudaMallocAsync")


def take_shared(tensors, back):
    tensor = tensors.get()
    back.put((tensor.device.type, tensor.cpu().tolist()))
    tensor[:2].copy_(tensor[2:4])
    del tensor
    back.put("written")


@step("copy")
def shared_memory(load):
    """Another process reads and writes a tensor of this one."""
    import torch.multiprocessing as processes
    context = processes.get_context("spawn")
    tensors, back = context.Queue(), context.Queue()
    other = context.Process(target=take_shared, args=(tensors, back))
    other.start()
    tensor = load.arange(4.0).cuda()
    tensors.put(tensor)
    equal(back.get(timeout=60), ("cuda", [0, 1, 2, 3]))
    equal(back.get(timeout=60), "written")
    same(tensor, load.tensor([2.0, 3, 2, 3]))
    other.join()
    equal(other.exitcode, 0)


# Order.

@step("copy")
def stream(load):
    stream = load.cuda.Stream(priority=-1)
    with load.cuda.stream(stream):
        equal(load.cuda.current_stream(), stream)
        there = load.arange(1000.0).pin_memory().to("cuda", non_blocking=True)
    stream.synchronize()
    equal(stream.query(), True)
    same(there, load.arange(1000.0))


@step("copy")
def stream_waits(load):
    one, other = load.cuda.Stream(), load.cuda.Stream()
    with load.cuda.stream(one):
        there = load.arange(1000.0).pin_memory().to("cuda", non_blocking=True)
    other.wait_stream(one)
    with load.cuda.stream(other):
        again = there.clone()
    other.synchronize()
    same(again, load.arange(1000.0))


@step("copy")
def foreign_stream(load):
    own = load.cuda.Stream()
    with load.cuda.stream(load.cuda.ExternalStream(own.cuda_stream)):
        there = load.arange(10.0).cuda()
    same(there, load.arange(10.0))


@step("query")
def event(load):
    event = load.cuda.Event()
    event.record()
    event.synchronize()
    equal(event.query(), True)


@step("query")
def elapsed_time(load):
    begin, end = load.cuda.Event(enable_timing=True), load.cuda.Event(enable_timing=True)
    begin.record()
    load.empty(1000, 1000, device="cuda") @ load.empty(1000, 1000, device="cuda")
    end.record()
    end.synchronize()
    assert begin.elapsed_time(end) > 0, begin.elapsed_time(end)


@step("library")
def threads(load):
    """Each with its own stream."""
    out = {}

    def work(number):
        with load.cuda.stream(load.cuda.Stream()):
            a = load.full((8, 8), float(number)).cuda()
            out[number] = (a @ a).cpu()
    all_threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    equal({number: tensor.unique().tolist() for number, tensor in out.items()},
          {number: [8.0 * number * number] for number in range(4)})


@step("library")
def graph(load):
    """Captured and replayed with other values. In a process of its own: a capture that fails is never over."""
    in_child("""
a, b = torch.arange(12.0).reshape(3, 4), torch.arange(8.0).reshape(4, 2)
there, other = a.cuda(), b.cuda()
there @ other  # Creates cuBLAS's handle, before the capture.
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    out = there @ other
for factor in (1, 3):
    there.copy_(a * factor)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(out.cpu(), a * factor @ b), out.cpu()
""")


# Products.

def product(load, kind, relative):
    a = load.arange(12.0).reshape(3, 4).to(kind)
    expected = (a.to(load.complex128) if a.is_complex() else a.double()) @ a.T.to(
        load.complex128 if a.is_complex() else load.float64)
    same(a.cuda() @ a.T.contiguous().cuda(), expected.to(kind), relative)


@step("library")
def product_float(load):
    product(load, load.float32, 1e-6)


@step("library")
def product_double(load):
    product(load, load.float64, 1e-14)


@step("library")
def product_half(load):
    product(load, load.float16, 1e-3)


@step("library")
def product_bfloat(load):
    product(load, load.bfloat16, 1e-2)


@step("library")
def product_complex(load):
    product(load, load.complex64, 1e-6)


@step("library")
def product_integer(load):
    a, b = load.arange(-512, 512).reshape(32, 32) % 100 - 50, load.arange(1024).reshape(32, 32) % 90 - 40
    same(load._int_mm(a.to(load.int8).cuda(), b.to(load.int8).cuda()), (a @ b).to(load.int32))


@step("library")
def product_batched(load):
    a, b = load.arange(24.0).reshape(2, 3, 4), load.arange(16.0).reshape(2, 4, 2)
    same(load.bmm(a.cuda(), b.cuda()), a @ b)


@step("library")
def product_large(load):
    a = load.sin(load.arange(512.0 * 512)).reshape(512, 512)
    same(a.cuda() @ a.cuda(), a @ a, 1e-3, 1e-3)


@step("library")
def product_transposed(load):
    a, b = load.arange(12.0).reshape(4, 3), load.arange(8.0).reshape(2, 4)
    same(a.cuda().T @ b.cuda().T, a.T @ b.T)


@step("library")
def product_with_vector(load):
    a, x = load.arange(12.0).reshape(3, 4), load.arange(4.0)
    same(a.cuda() @ x.cuda(), a @ x)


@step("library")
def inner_product(load):
    x = load.arange(100.0)
    same(x.cuda() @ x.cuda(), x @ x)


@step("library")
def product_added(load):
    """addmm and baddbmm into a matrix that is there."""
    a, b, c = load.arange(12.0).reshape(3, 4), load.arange(8.0).reshape(4, 2), load.ones(3, 2)
    same(c.cuda().addmm_(a.cuda(), b.cuda(), beta=2, alpha=3), load.addmm(c, a, b, beta=2, alpha=3))
    same(c[None].cuda().baddbmm_(a[None].cuda(), b[None].cuda()), load.baddbmm(c[None], a[None], b[None]))


@step("library")
def linear(load):
    """With bias, by cublasLt."""
    a, weight, bias = load.arange(12.0).reshape(3, 4), load.arange(8.0).reshape(2, 4), load.tensor([1.0, 2.0])
    same(load.nn.functional.linear(a.cuda(), weight.cuda(), bias.cuda()), load.nn.functional.linear(a, weight, bias))


@step("library")
def layers(load):
    """A model moved to the device, without gradients."""
    load.manual_seed(1)
    model = load.nn.Sequential(load.nn.Linear(8, 16), load.nn.Linear(16, 4))
    x = load.arange(16.0).reshape(2, 8)
    with load.inference_mode():
        expected = model(x)
        same(model.cuda()(x.cuda()), expected, 1e-4, 1e-5)


@step("library")
def linear_relu(load):
    """The activation is part of cublasLt's product."""
    a, weight, bias = load.arange(12.0).reshape(3, 4) - 6, load.arange(8.0).reshape(4, 2), load.tensor([-1.0, 2.0])
    same(load._addmm_activation(bias.cuda(), a.cuda(), weight.cuda()), load.relu(load.addmm(bias, a, weight)))


@step("library")
def backward(load):
    """The gradients of a product are products."""
    weight = load.arange(4.0).reshape(2, 2).cuda().requires_grad_()
    (load.arange(4.0).reshape(2, 2).cuda() @ weight).backward(load.full((2, 2), 2.0).cuda())
    same(weight.grad, load.tensor([[4.0, 4], [8, 8]]))


# Transforms.

@step("library")
def fourier(load):
    x = load.arange(8.0)
    same(load.fft.rfft(x.cuda()), load.fft.rfft(x), absolute=1e-5)


@step("library")
def fourier_complex(load):
    x = load.complex(load.arange(12.0), load.arange(12.0, 0, -1)).reshape(3, 4)
    same(load.fft.fft2(x.cuda()), load.fft.fft2(x), absolute=1e-4)


# Collectives.

@step("library")
def all_reduce(load):
    ranks = started_ranks("all_reduce", 1)
    equal(ranks, [[0.0, 1, 2, 3]])


@step("library")
def all_reduce_of_two(load):
    equal(started_ranks("all_reduce", 2), [[0.0, 2, 4, 6]] * 2)


@step("library")
def broadcast(load):
    equal(started_ranks("broadcast", 2), [[1.0, 2.0]] * 2)


@step("library")
def all_gather(load):
    equal(started_ranks("all_gather", 2), [[0.0, 0, 1, 1]] * 2)


@step("library")
def reduce_scatter(load):
    equal(started_ranks("reduce_scatter", 2), [[0.0, 2], [4.0, 6]])


@step("library")
def all_to_all(load):
    equal(started_ranks("all_to_all", 2), [[0.0, 2], [1.0, 3]])


@step("library")
def send_and_receive(load):
    equal(started_ranks("send_and_receive", 2), [[7.0, 8], [7.0, 8]])


@step("library")
def barrier(load):
    equal(started_ranks("barrier", 2), ["passed"] * 2)


# What needs a kernel of torch's own, or a library that torchada does not have.

@step("copy")
def zeros(load):
    """Some releases set memory for this, others start a kernel."""
    same(load.zeros(100, device="cuda"), load.zeros(100))


@step("kernel")
def fill(load):
    same(load.ones(100, device="cuda"), load.ones(100))


@step("kernel")
def addition(load):
    same(load.arange(3.0).cuda() + 1, load.tensor([1.0, 2, 3]))


@step("kernel")
def cast(load):
    same(load.arange(3.0).cuda().half(), load.arange(3.0).half())


@step("kernel")
def transposed_copy(load):
    same(load.arange(12.0).reshape(3, 4).cuda().T.contiguous(), load.arange(12.0).reshape(3, 4).T.contiguous())


@step("kernel")
def concatenation(load):
    same(load.cat([load.arange(3.0).cuda(), load.arange(3.0).cuda()]), load.arange(3.0).repeat(2))


@step("kernel")
def selection(load):
    same(load.arange(10.0).cuda()[load.tensor([1, 5, 9]).cuda()], load.tensor([1.0, 5, 9]))


@step("kernel")
def total(load):
    same(load.arange(100.0).cuda().sum(), load.tensor(4950.0))


@step("kernel")
def order(load):
    same(load.tensor([3.0, 1, 2]).cuda().sort().values, load.tensor([1.0, 2, 3]))


@step("kernel")
def softmax(load):
    same(load.softmax(load.arange(4.0).cuda(), 0), load.softmax(load.arange(4.0), 0))


@step("kernel")
def random(load):
    values = load.rand(1000, device="cuda").cpu()
    assert 0.4 < values.mean().item() < 0.6


@step("kernel")
def attention(load):
    x = load.arange(64.0).reshape(1, 1, 8, 8) / 64
    same(load.nn.functional.scaled_dot_product_attention(x.cuda(), x.cuda(), x.cuda()),
         load.nn.functional.scaled_dot_product_attention(x, x, x))


@step("kernel")
def training(load):
    """One step of training."""
    model = load.nn.Linear(2, 1).cuda()
    optimizer = load.optim.SGD(model.parameters(), lr=0.1)
    load.nn.functional.mse_loss(model(load.ones(4, 2).cuda()), load.zeros(4, 1).cuda()).backward()
    optimizer.step()


@step("library")
def convolution(load):
    x, weight = load.arange(16.0).reshape(1, 1, 4, 4), load.ones(1, 1, 3, 3)
    same(load.nn.functional.conv2d(x.cuda(), weight.cuda()), load.nn.functional.conv2d(x, weight))


@step("library")
def solve(load):
    a, b = load.tensor([[2.0, 0.0], [0.0, 4.0]]), load.tensor([[2.0], [8.0]])
    same(load.linalg.solve(a.cuda(), b.cuda()), load.tensor([[1.0], [2.0]]))


@step("kernel")
def sparse_product(load):
    a = load.eye(3).to_sparse_csr()
    same(a.cuda() @ load.arange(6.0).reshape(3, 2).cuda(), load.arange(6.0).reshape(3, 2))


@step("kernel")
def compiled(load):
    """By its compiler, with Triton."""
    same(load.compile(lambda x: x * 2 + 1)(load.arange(4.0).cuda()), load.arange(4.0) * 2 + 1)


if __name__ == "__main__":
    main()
