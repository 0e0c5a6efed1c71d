"""torch trains on its own kernels, compiled from PyTorch's sources: networks, optimizers, schedules, half precision,
graphs, random numbers and two ranks, each against the same on the CPU."""

import gc
import io

from children import printed_by
from client_steps import close, equal, main, step
from comparing import on_both, same
from two_ranks import started


@step("load")
def load():
    import torch

    torch.backends.cudnn.enabled = False
    return torch


def trained(name, network, data, optimizer, **options):
    """A step that trains by an optimizer of torch. Attributes of networks.py and torch.optim are given by name."""

    def run(load):
        import networks
        from loops import same_losses

        chosen = {key: value(load) if key in ("clip", "schedule") else value for key, value in options.items()}
        same_losses(getattr(networks, network), getattr(networks, data), getattr(load.optim, optimizer), **chosen)

    run.__name__ = name
    step("kernel")(run)


PERCEPTRON = ("perceptron", "perceptron_data")
for each, given in {
    "SGD": {"lr": 0.1},
    "Adam": {"lr": 1e-2},
    "AdamW": {"lr": 1e-2},
    "Adagrad": {"lr": 0.05},
    "Adadelta": {"lr": 1.0},
    "Adamax": {"lr": 1e-2},
    "NAdam": {"lr": 1e-2},
    "RAdam": {"lr": 1e-2},
    "RMSprop": {"lr": 1e-3},
    "Rprop": {"lr": 1e-3},
    "ASGD": {"lr": 0.05},
    # On the CPU alone, a rounding in the inputs moves its losses by 2e-6 in these steps, and by 7e-4 in 20.
    "LBFGS": {"lr": 0.1, "max_iter": 3, "steps": 6},
}.items():
    trained(f"perceptron_{each}", *PERCEPTRON, each, **given)
trained("perceptron_momentum", *PERCEPTRON, "SGD", lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-2)
trained("perceptron_one_by_one", *PERCEPTRON, "Adam", lr=1e-2, foreach=False)
trained("perceptron_amsgrad", *PERCEPTRON, "Adam", lr=1e-2, amsgrad=True, foreach=True)
for each in ("SGD", "Adam", "AdamW"):
    trained(f"perceptron_fused_{each}", *PERCEPTRON, each, lr=1e-2, fused=True, on_the_cpu={"fused": False})
trained("perceptron_fused_Adagrad", *PERCEPTRON, "Adagrad", lr=1e-2, on_the_cpu={"fused": True})

CLIPPING = {
    "norm": lambda torch: lambda them: torch.nn.utils.clip_grad_norm_(list(them), 0.3),
    "norm_one_by_one": lambda torch: lambda them: torch.nn.utils.clip_grad_norm_(list(them), 0.3, foreach=False),
    "largest": lambda torch: lambda them: torch.nn.utils.clip_grad_norm_(list(them), 0.1, norm_type=float("inf")),
    "value": lambda torch: lambda them: torch.nn.utils.clip_grad_value_(list(them), 0.01),
}
for each, how in CLIPPING.items():
    trained(f"clipping_{each}", *PERCEPTRON, "Adam", lr=1e-2, clip=how)

SCHEDULES = {
    "StepLR": {"step_size": 5},
    "CosineAnnealingLR": {"T_max": 20},
    "OneCycleLR": {"max_lr": 0.2, "total_steps": 21},
    "ReduceLROnPlateau": {"patience": 1},
    "ExponentialLR": {"gamma": 0.9},
    "LinearLR": {},
    "PolynomialLR": {"total_iters": 20},
    "LambdaLR": {"lr_lambda": lambda done: 1 / (1 + done)},
    "CosineAnnealingWarmRestarts": {"T_0": 5},
}
for each, given in SCHEDULES.items():
    trained(
        f"schedule_{each}",
        *PERCEPTRON,
        "SGD",
        lr=0.1,
        momentum=0.9,
        schedule=lambda torch, n=each, g=given: lambda made: getattr(torch.optim.lr_scheduler, n)(made, **g),
    )

trained("convolutional_SGD", "convolutional", "images", "SGD", lr=0.05, momentum=0.9)
trained("convolutional_Adam", "convolutional", "images", "Adam", lr=1e-3)
trained("convolutional_depthwise", "depthwise", "images", "SGD", lr=0.05)
for each, given in {"SGD": {"lr": 0.1}, "Adam": {"lr": 1e-3}}.items():
    trained(f"gpt_{each}", "SmallGpt", "texts", each, **given)
trained("gpt_fused_AdamW", "SmallGpt", "texts", "AdamW", lr=1e-3, fused=True, on_the_cpu={"fused": False})
trained(
    "gpt_clipping_and_schedule",
    "SmallGpt",
    "texts",
    "AdamW",
    lr=2e-3,
    clip=CLIPPING["norm"],
    schedule=lambda torch: lambda made: torch.optim.lr_scheduler.CosineAnnealingLR(made, 20),
)


@step("kernel")
def convolutional_channels_last(load):
    from loops import same_losses
    from networks import convolutional, images

    same_losses(convolutional, images, load.optim.SGD, lr=0.05, layout=load.channels_last)


def recurrent(name, kind, **options):
    def run(load):
        from loops import same_losses
        from networks import Recurrent, sequences

        same_losses(lambda: Recurrent(getattr(load.nn, kind), **options), sequences, load.optim.Adam, lr=1e-2)

    run.__name__ = name
    step("kernel")(run)


recurrent("lstm", "LSTM", num_layers=2)
recurrent("lstm_both_ways", "LSTM", bidirectional=True)
recurrent("gru", "GRU")
recurrent("rnn", "RNN", nonlinearity="relu")


@step("kernel")
def gpt_with_dropout(load):
    """The device draws the masks, and the CPU applies them."""
    from loops import same_losses
    from networks import SmallGpt, texts

    masks = []
    same_losses(lambda: SmallGpt(masks), texts, load.optim.Adam, lr=1e-3)
    equal(masks, [], "masks that nobody applied")


@step("kernel")
def dropout_scales(load):
    """What it keeps, of how many, and that its gradient has the same mask."""
    x = load.ones(100, 100, device="cuda", requires_grad=True)
    out = load.nn.functional.dropout(x, 0.3)
    out.sum().backward()
    equal(load.equal(out.cpu(), x.grad.cpu()), True)
    kept = out.cpu() != 0
    close([kept.float().mean().item()], [0.7], absolute=0.02)
    close(out.cpu()[kept].unique().tolist(), [1 / 0.7])


# Half precision.


def with_autocast(name, kind, network, data, optimizer, absolute, **options):
    """The CPU trains in float."""

    def run(load):
        import networks
        from loops import same_losses

        same_losses(
            getattr(networks, network),
            getattr(networks, data),
            getattr(load.optim, optimizer),
            absolute,
            autocast=getattr(load, kind),
            on_the_cpu={"autocast": None},
            **options,
        )

    run.__name__ = name
    step("kernel")(run)


with_autocast("autocast_half", "float16", *PERCEPTRON, "SGD", 1e-2, lr=0.1)
with_autocast("autocast_bfloat", "bfloat16", *PERCEPTRON, "SGD", 5e-2, lr=0.1)
with_autocast("autocast_convolutional", "float16", "convolutional", "images", "SGD", 2e-2, lr=0.05)
with_autocast("autocast_gpt", "bfloat16", "SmallGpt", "texts", "AdamW", 5e-2, lr=1e-3)


def scaled(load, spoiled=-1):
    """Losses in half with a scaled gradient, and the scales; one step's gradient is spoiled."""
    from loops import seeded
    from networks import perceptron, perceptron_data

    model, (inputs, wanted) = seeded(perceptron).cuda(), [one.cuda() for one in seeded(perceptron_data, 2)]
    made, scaler = load.optim.SGD(model.parameters(), lr=0.1), load.amp.GradScaler("cuda", growth_interval=5)
    out, scales = [], []
    for number in range(20):
        made.zero_grad()
        with load.autocast("cuda", load.float16):
            loss = load.nn.functional.cross_entropy(model(inputs), wanted)
        scaler.scale(loss).backward()
        if number == spoiled:
            model[0].weight.grad[0, 0] = float("inf")
        scaler.unscale_(made)
        load.nn.utils.clip_grad_norm_(model.parameters(), 100.0)
        scaler.step(made)
        scaler.update()
        out.append(loss.item())
        scales.append(scaler.get_scale())
    return out, scales


@step("kernel")
def scaled_gradients(load):
    from loops import losses
    from networks import perceptron, perceptron_data

    found, scales = scaled(load)
    close(found, losses("cpu", perceptron, perceptron_data, load.optim.SGD, lr=0.1), 0, 1e-2, "loss")
    equal(scales[::5], [2.0 ** (16 + each) for each in range(4)], "scale")


@step("kernel")
def scaled_gradients_overflow(load):
    """A gradient that is infinite: the step is left out, and the scale becomes half."""
    found, scales = scaled(load, spoiled=3)
    equal(scales[2:4], [2.0**16, 2.0**15], "scale")
    close([found[4]], [found[3]], 1e-3)


@step("kernel")
def half_model(load):
    """Weights in half: the gradients against those of the CPU in float."""
    from networks import perceptron, perceptron_data
    from loops import seeded

    inputs, wanted = seeded(perceptron_data, 2)
    for kind, bound in ((load.float16, 5e-3), (load.bfloat16, 4e-2)):
        there, here = seeded(perceptron).cuda().to(kind), seeded(perceptron)
        load.nn.functional.cross_entropy(there(inputs.cuda().to(kind)), wanted.cuda()).backward()
        load.nn.functional.cross_entropy(here(inputs), wanted).backward()
        for one, other in zip(there.parameters(), here.parameters()):
            same(one.grad, other.grad, "gradient", (bound, bound))


# What programs do around a step.


@step("kernel")
def accumulated_gradients(load):
    from loops import seeded
    from networks import SmallGpt, texts
    from torch.nn.attention import SDPBackend, sdpa_kernel

    inputs, wanted = seeded(texts, 2)

    def run(x, y):
        model = seeded(SmallGpt).to(x.device)
        for part in range(0, 8, 2):
            of = y.reshape(8, -1)[part:part + 2].flatten()
            with sdpa_kernel(SDPBackend.MATH):
                (load.nn.functional.cross_entropy(model(x[part:part + 2]), of) / 4).backward()
        return [each.grad for each in model.parameters()]

    on_both(run, inputs, wanted)


@step("kernel")
def checkpointed(load):
    """Activations are computed again, with the same random numbers."""
    from torch.utils.checkpoint import checkpoint

    layer, x = load.nn.Sequential(load.nn.Linear(8, 8), load.nn.Dropout(0.5)).cuda(), load.ones(4, 8, device="cuda")
    found = []
    for again in (False, True):
        load.manual_seed(3)
        layer.zero_grad()
        (checkpoint(layer, x, use_reentrant=False) if again else layer(x)).square().sum().backward()
        found.append(layer[0].weight.grad.cpu())
    close(found[0].flatten().tolist(), found[1].flatten().tolist())


@step("kernel")
def second_derivatives(load):
    """A penalty on the gradient."""
    from loops import seeded
    from networks import perceptron, perceptron_data

    def run(x):
        model, x = seeded(perceptron).to(x.device), x.clone().requires_grad_()
        (slope,) = load.autograd.grad(model(x).square().mean(), x, create_graph=True)
        (slope.norm(dim=1) - 1).square().mean().backward()
        return [each.grad for each in model.parameters() if each.grad is not None]

    on_both(run, seeded(perceptron_data)[0])


@step("kernel")
def functional_transforms(load):
    """Gradients of each sample by vmap, and a product with the Jacobian."""

    def loss(w, x):
        return (load.tanh(x @ w) ** 2).sum()

    def run(w, x):
        each = load.func.vmap(load.func.grad(loss), in_dims=(None, 0))(w, x)
        return each, load.func.jvp(lambda v: load.tanh(x @ v), (w,), (load.ones_like(w),))[1]

    load.manual_seed(1)
    on_both(run, load.randn(5, 3), load.randn(7, 5))


@step("kernel")
def resumed(load):
    """Saved after 10 steps, with the optimizer, and loaded into a new model."""
    from loops import losses, seeded
    from networks import perceptron, perceptron_data

    inputs, wanted = (one.cuda() for one in seeded(perceptron_data, 2))

    def train(model, made):
        out = []
        for _ in range(10):
            made.zero_grad()
            loss = load.nn.functional.cross_entropy(model(inputs), wanted)
            loss.backward()
            made.step()
            out.append(loss.item())
        return out

    model = seeded(perceptron).cuda()
    made = load.optim.Adam(model.parameters(), lr=1e-2)
    found, file = train(model, made), io.BytesIO()
    load.save({"model": model.state_dict(), "optimizer": made.state_dict()}, file)
    file.seek(0)
    kept, model = load.load(file, map_location="cuda"), seeded(perceptron, 5).cuda()
    made = load.optim.Adam(model.parameters(), lr=1e-2)
    model.load_state_dict(kept["model"])
    made.load_state_dict(kept["optimizer"])
    close(found + train(model, made), losses("cpu", perceptron, perceptron_data, load.optim.Adam, lr=1e-2), 0, 1e-4)


@step("kernel")
def loader_with_workers(load):
    """Two processes prepare the batches, a thread pins them."""
    from loops import seeded
    from networks import perceptron, perceptron_data

    data = load.utils.data.TensorDataset(*seeded(perceptron_data, 2))

    def run(device):
        model = seeded(perceptron).to(device)
        made, out = load.optim.SGD(model.parameters(), lr=0.1), []
        workers = {"num_workers": 2, "pin_memory": True} if device == "cuda" else {}
        for _ in range(2):
            for inputs, wanted in load.utils.data.DataLoader(data, batch_size=16, **workers):
                equal(inputs.is_pinned(), device == "cuda")
                made.zero_grad()
                loss = load.nn.functional.cross_entropy(model(inputs.to(device, non_blocking=True)), wanted.to(device))
                loss.backward()
                made.step()
                out.append(loss.item())
        return out

    close(run("cuda"), run("cpu"), 0, 1e-4, "loss")


@step("kernel")
def memory_of_training(load):
    """A second run takes no more than the first, and all is given back."""
    from loops import losses
    from networks import SmallGpt, texts

    load.cuda.synchronize()
    losses("cuda", SmallGpt, texts, load.optim.AdamW, steps=1, lr=1e-3)  # Makes the workspace of cuBLAS.
    gc.collect()
    before = load.cuda.memory_allocated()
    tops = []
    for _ in range(2):
        load.cuda.reset_peak_memory_stats()
        losses("cuda", SmallGpt, texts, load.optim.AdamW, steps=3, lr=1e-3)
        tops.append(load.cuda.max_memory_allocated())
    equal(tops[0], tops[1], "bytes")
    equal(load.cuda.memory_allocated(), before, "bytes that are left")
    assert load.cuda.memory_stats()["num_alloc_retries"] == 0


@step("kernel")
def streams_and_events(load):
    """Products on two streams that wait for each other."""
    one, other = load.cuda.Stream(), load.cuda.Stream()
    load.manual_seed(1)
    a = load.randn(64, 64)
    there = a.cuda()
    one.wait_stream(load.cuda.current_stream())
    with load.cuda.stream(one):
        made = (there @ there).relu()
        done = one.record_event()
    with load.cuda.stream(other):
        other.wait_event(done)
        out = made.softmax(1).sum(0)
    load.cuda.current_stream().wait_stream(other)
    same(out, (a @ a).relu().softmax(1).sum(0), bounds=(1e-4, 1e-5))


# Graphs. Each in a process of its own: a capture that fails is never over.

GRAPH = """
from loops import losses, seeded
from networks import perceptron, perceptron_data
model = seeded(perceptron).cuda()
inputs, wanted = (one.cuda() for one in seeded(perceptron_data, 2))
made = torch.optim.{optimizer}(model.parameters(), lr=1e-2{options})
def train():
    made.zero_grad(set_to_none=True)
    loss = torch.nn.functional.cross_entropy(model(inputs), wanted)
    loss.backward()
    made.step()
    return loss
beside, found = torch.cuda.Stream(), []
beside.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(beside):
    for _ in range(3):
        found.append(train().item())
torch.cuda.current_stream().wait_stream(beside)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = train()
for _ in range(17):
    graph.replay()
    found.append(loss.item())
print(json.dumps([found, losses("cpu", perceptron, perceptron_data, torch.optim.{optimizer}, lr=1e-2)]))
"""


def captured(optimizer, options=""):
    close(*printed_by(GRAPH.format(optimizer=optimizer, options=options)), 0, 1e-4, "loss")


@step("kernel")
def graph_of_a_step(load):
    captured("SGD")


@step("kernel")
def graph_with_adam(load):
    captured("Adam", ", capturable=True")


@step("kernel")
def graph_with_fused_adam(load):
    captured("AdamW", ", capturable=True, fused=True")


@step("kernel")
def graph_with_dropout(load):
    """Each replay draws other numbers."""
    drawn = printed_by("""
x = torch.ones(1000, device="cuda")
torch.nn.functional.dropout(x, 0.5)
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    out = torch.nn.functional.dropout(x, 0.5)
drawn = []
for _ in range(4):
    graph.replay()
    drawn.append(out.cpu().tolist())
print(json.dumps(drawn))
""")
    equal(len(set(map(tuple, drawn))), 4)
    equal([400 < one.count(2.0) < 600 and set(one) == {0.0, 2.0} for one in drawn], [True] * 4)


@step("kernel")
def graphed_callable(load):
    close(
        *printed_by("""
from loops import seeded
from networks import perceptron
layer, x = seeded(perceptron).cuda(), torch.randn(64, 20, device="cuda", requires_grad=True)
expected = layer(x).flatten().tolist()
made = torch.cuda.make_graphed_callables(layer, (torch.randn_like(x).requires_grad_(),))
out = made(x)
found = out.flatten().tolist()
out.sum().backward()
found += x.grad.flatten().tolist()
x.grad = None
seeded(perceptron).cuda()(x).sum().backward()
print(json.dumps([found, expected + x.grad.flatten().tolist()]))
"""),
        1e-5,
        1e-6,
    )


# Two ranks, by NCCL.


def on_two_ranks(part):
    """Both ranks' losses are those of the whole batch on the CPU."""

    def run(load):
        from loops import losses
        from networks import perceptron, perceptron_data

        expected = losses("cpu", perceptron, perceptron_data, load.optim.Adam, lr=1e-2)
        for rank in started(part):
            close(rank, expected, 0, 1e-4, "loss")

    run.__name__ = "two_ranks_" + part
    step("kernel")(run)


for each in ("data_parallel", "buckets", "sharded", "sharded_optimizer"):
    on_two_ranks(each)


@step("kernel")
def two_ranks_normalised_together(load):
    from loops import seeded
    from networks import images

    expected = load.nn.BatchNorm2d(1)(seeded(images, 2)[0]).flatten().tolist()
    close(sum(started("normalised_together"), []), expected, 1e-5, 1e-5)


# Random numbers against Philox's, in a process of their own, which says how many multiprocessors there are.

PROCESSORS = 2


def drawn(count):
    """On PROCESSORS multiprocessors."""
    code = (
        "import sys\nimport drawing\n"
        "threads = torch.cuda.get_device_properties(0).max_threads_per_multi_processor\n"
        f"print(json.dumps(drawing.draws({count}, {PROCESSORS} * (threads // 256))))"
    )
    return printed_by(code, TORCHADA_HOST_PROCESSORS=str(PROCESSORS))


@step("kernel")
def random_numbers(load):
    """Fewer than the grid has threads."""
    for name, (found, expected) in drawn(1000).items():
        close(found, expected, 1e-5, 3e-6, name)


@step("kernel")
def random_numbers_of_a_full_grid(load):
    """Each thread draws several times."""
    for name, (found, expected) in drawn(50000).items():
        close(found, expected, 1e-5, 3e-6, name)


@step("kernel")
def random_dropout(load):
    """The mask of a dropout: each thread draws four numbers for four elements."""
    import numpy
    import philox

    load.cuda.manual_seed(99)
    mask = load.native_dropout(load.ones(2000, device="cuda"), 0.25, True)[1].cpu()
    word = philox.philox(99, numpy.arange(500), 0).flatten()
    equal(mask.tolist(), (philox.uniform(word) < 0.75).tolist())


@step("kernel")
def random_states(load):
    """Two generators, and a state that is set again."""
    one, other = (load.Generator("cuda").manual_seed(5) for _ in range(2))
    first = load.rand(1000, device="cuda", generator=one)
    state = one.get_state()
    second = load.rand(1000, device="cuda", generator=one)
    one.set_state(state)
    for found in (load.rand(1000, device="cuda", generator=one), second):
        same(found, second.cpu())
    same(load.rand(1000, device="cuda", generator=other), first.cpu())
    equal(load.equal(first.cpu(), second.cpu()), False)


@step("kernel")
def random_permutation(load):
    """Each number once, and another order with another seed."""
    orders = []
    for seed in (1, 2):
        load.cuda.manual_seed(seed)
        orders.append(load.randperm(50000, device="cuda").cpu())
        equal(load.equal(orders[-1].sort().values, load.arange(50000)), True)
    equal(load.equal(*orders), False)


@step("kernel")
def random_choices(load):
    """multinomial: the parts of the chances, and each once without replacement."""
    chances = load.tensor([1.0, 2, 3, 4], device="cuda")
    load.cuda.manual_seed(3)
    found = load.multinomial(chances, 40000, replacement=True).cpu().bincount() / 40000
    close(found.tolist(), [0.1, 0.2, 0.3, 0.4], absolute=0.02)
    equal(load.multinomial(chances, 4).cpu().sort().values.tolist(), [0, 1, 2, 3])


@step("kernel")
def random_distributions(load):
    """Mean and deviation of what torch.distributions draws."""
    load.cuda.manual_seed(3)
    half = load.tensor(0.5, device="cuda")
    for made in (
        load.distributions.Poisson(half * 8),
        load.distributions.Gamma(half * 4, half),
        load.distributions.Beta(half * 4, half * 6),
        load.distributions.Geometric(half / 2),
        load.distributions.LogNormal(half, half),
        load.distributions.Laplace(half, half),
        load.distributions.Binomial(20, half / 2),
        load.distributions.StudentT(half * 40),
    ):
        found, size = made.sample((20000,)).double().cpu(), made.stddev.item()
        close([found.mean().item(), found.std().item()], [made.mean.item(), size], 0.05, 0.03 * size, str(made))


if __name__ == "__main__":
    main()
