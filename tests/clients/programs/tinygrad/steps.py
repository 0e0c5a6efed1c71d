"""tinygrad on its CUDA device, whose kernels it writes as CUDA C++ and gives to NVRTC: arithmetic, a small network that
is trained, and the same in graphs, compared with tinygrad's device for the CPU."""
from client_steps import close, equal, main, step

STEPS = 12


def data():
    import numpy
    generator = numpy.random.default_rng(7)
    inputs = generator.standard_normal((64, 16)).astype(numpy.float32)
    return inputs, (inputs.sum(axis=1) > 0).astype(numpy.int32)


def network(tinygrad, device):
    """Two layers with the same weights on every device, and their optimizer."""
    import numpy
    generator = numpy.random.default_rng(11)
    weights = [tinygrad.Tensor((generator.standard_normal(shape) / 4).astype(numpy.float32), device=device)
               for shape in ((16, 32), (32,), (32, 2), (2,))]
    for weight in weights:
        weight.is_param_()
    return weights, tinygrad.nn.optim.SGD(weights, lr=0.1, momentum=0.9)


def trained(tinygrad, device, jit):
    """The losses of each step."""
    weights, optimizer = network(tinygrad, device)
    inputs, labels = (tinygrad.Tensor(array, device=device) for array in data())

    def learn():
        hidden = (inputs @ weights[0] + weights[1]).relu()
        loss = (hidden @ weights[2] + weights[3]).sparse_categorical_crossentropy(labels)
        optimizer.zero_grad()
        loss.backward()
        return loss.realize(*optimizer.schedule_step())

    run = tinygrad.TinyJit(learn) if jit else learn
    with tinygrad.Context(TRAINING=1):
        return [float(run().numpy()) for _ in range(STEPS)]


@step("load")
def load():
    import tinygrad
    return tinygrad


@step("query")
def device(load):
    device = load.Device["CUDA"]
    assert device.arch.startswith("sm_"), device.arch
    return device


@step("kernel")
def arithmetic(load, device):
    import numpy
    a, b = numpy.arange(1000, dtype=numpy.float32) / 8, numpy.arange(1000, dtype=numpy.float32)[::-1] / 16
    one, other = (load.Tensor(array, device="CUDA") for array in (a, b.copy()))
    close((one * other + one).numpy(), a * b + a, 1e-6)
    close(((one / 9).exp() / (one.sin() + 2)).sqrt().numpy(), numpy.sqrt(numpy.exp(a / 9) / (numpy.sin(a) + 2)), 1e-5)


@step("kernel")
def reduction(load, device):
    """With shared memory and barriers."""
    import numpy
    a = numpy.random.default_rng(3).standard_normal((257, 1024)).astype(numpy.float32)
    tensor = load.Tensor(a, device="CUDA")
    close(tensor.sum(axis=1).numpy(), a.sum(axis=1), 1e-4, 1e-4)
    close(tensor.max(axis=0).numpy(), a.max(axis=0), 0)
    close([tensor.sum().numpy()], [a.astype(numpy.float64).sum()], 1e-4, 1e-2)


@step("kernel")
def product(load, device):
    import numpy
    generator = numpy.random.default_rng(5)
    a, b = (generator.standard_normal((96, 96)).astype(numpy.float32) for _ in range(2))
    close((load.Tensor(a, device="CUDA") @ load.Tensor(b, device="CUDA")).numpy().ravel(), (a @ b).ravel(), 1e-4, 1e-4)


@step("kernel")
def training(load, device):
    losses = trained(load, "CUDA", jit=False)
    assert losses[-1] < losses[0] / 2, losses
    close(losses, trained(load, "CPU", jit=False), 1e-4)
    return losses


@step("kernel")
def graph(load, device, training):
    """tinygrad records what a step launches and replays it as a graph of the driver."""
    from tinygrad.runtime.graph.cuda import CUDAGraph
    replayed = []
    plain = CUDAGraph.__call__

    def counted(self, *words, **named):
        replayed.append(len(self.nodes))
        return plain(self, *words, **named)

    CUDAGraph.__call__ = counted
    try:
        close(trained(load, "CUDA", jit=True), training, 1e-5)
    finally:
        CUDAGraph.__call__ = plain
    assert len(replayed) >= STEPS - 3 and max(replayed) > 1, replayed


@step("query")
def cubin(load, device):
    """tinygrad's other way to ask NVRTC, which its devices without the driver API use."""
    from tinygrad.runtime.support.compiler_cuda import NVRTCCompiler
    source = 'extern "C" __global__ void twice(float* a) { a[threadIdx.x] *= 2; }'
    as_text, as_code = (NVRTCCompiler(device.arch, ptx=ptx).compile(source) for ptx in (True, False))
    equal(as_text, as_code + b"\0")


@step("query")
def error(load, device):
    from tinygrad.device import CompileError
    from tinygrad.runtime.support.compiler_cuda import NVRTCCompiler
    try:
        NVRTCCompiler(device.arch).compile('extern "C" __global__ void k(float* a) {\n  a[0] = no_such_name;\n}')
    except CompileError as failed:
        assert "no_such_name" in str(failed) and ":2:" in str(failed), failed
    else:
        raise AssertionError("a source with an error was compiled")


@step("host")
def losses_of_the_cpu(load):
    losses = trained(load, "CPU", jit=False)
    assert losses[-1] < losses[0] / 2, losses


main()
