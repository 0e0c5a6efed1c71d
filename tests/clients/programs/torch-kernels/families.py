"""Families of operators. Each is a function of torch that gives {name: function of the inputs}."""

OF_FLOATS = (
    "unary",
    "special",
    "binary",
    "broadcast",
    "reductions",
    "activations",
    "choices",
    "copies",
    "indexing",
    "scattering",
    "scans",
    "order",
    "normalised",
    "pooling",
    "interpolation",
    "losses",
    "products",
    "attention",
    "activation_gradients",
    "layer_gradients",
    "index_gradients",
)
OF_WIDE_FLOATS = ("distances", "functions", "unique_values", "convolutions", "convolution_gradients", "einsum")
OF_INTEGERS = ("integer_arithmetic", "integer_reductions", "integer_order")
# (relative, absolute), where others than usual hold.
BOUNDS = {
    # torch's CUDA kernels have a sixth in float here, also for double.
    ("hardswish", "float64"): (1e-7, 1e-7),
    ("hardsigmoid", "float64"): (1e-7, 1e-7),
    # Sums of sixteen products of both signs. Beside a pole of the function.
    ("bicubic", "float32"): (1e-5, 1e-5),
    ("tan", "complex"): (1e-4, 1e-6),
    # Each of 33 products is rounded. Sums over the rows.
    ("cumprod", "float16"): (4e-2, 4e-2),
    ("cumprod", "bfloat16"): (0.3, 0.3),
    # The places are computed in 16 bits, too. Sums of a hundred numbers.
    ("grid_sample", "float16"): (2e-2, 2e-2),
    ("grid_sample", "bfloat16"): (0.2, 0.2),
    ("embedding sorted", "float16"): (2e-2, 2e-2),
    ("embedding sorted", "bfloat16"): (0.15, 0.15),
    ("index sorted", "float16"): (2e-2, 2e-2),
    ("index sorted", "bfloat16"): (0.15, 0.15),
}
# In 16 bits the CPU itself is less exact than the device.
WIDE = ("grid_sample", "prod", "embedding sorted", "index sorted", "layer_norm")


def named(where, names, pick=lambda inputs: inputs.a):
    return {name: lambda x, name=name: getattr(where, name)(pick(x)) for name in names.split()}


def unary(torch):
    return {
        **named(
            torch,
            "abs neg exp expm1 sin cos tan atan sinh cosh tanh asinh erf sigmoid relu floor ceil round "
            "trunc frac sign sgn reciprocal square signbit isnan isfinite",
        ),
        **named(torch, "asin acos atanh", lambda x: x.inside),
        **named(torch, "log log2 log10 log1p sqrt rsqrt", lambda x: x.positive),
        "acosh": lambda x: torch.acosh(x.positive + 1),
        "logit": lambda x: torch.logit(torch.sigmoid(x.a)),
        "cube": lambda x: x.a**3,
        "power": lambda x: x.positive**1.7,
    }


def special(torch):
    """torch writes these kernels at run time and has them compiled by NVRTC."""
    return {
        **named(torch, "exp2 erfc"),
        **named(torch, "lgamma digamma", lambda x: x.positive),
        "prod": lambda x: torch.prod(x.near_one, 1),
    }


def binary(torch):
    two = {
        name: lambda x, name=name: getattr(torch, name)(x.a, x.b)
        for name in "add sub mul div maximum minimum atan2 hypot fmax fmin eq ne lt le gt ge copysign logaddexp "
        "logical_and".split()
    }
    return {
        **two,
        "pow": lambda x: torch.pow(x.positive, x.b),
        "fmod": lambda x: torch.fmod((x.a * 8).round(), (x.b * 8).round().abs() + 1),
        "remainder": lambda x: torch.remainder((x.a * 8).round(), (x.b * 8).round().abs() + 1),
        "floor_divide": lambda x: torch.floor_divide((x.a * 8).round(), (x.b * 8).round().abs() + 1),
        "xlogy": lambda x: torch.xlogy(x.a, x.positive),
    }


def broadcast(torch):
    return {
        "row": lambda x: x.a + x.row,
        "column": lambda x: x.a * x.b[:, :1],
        "number": lambda x: 2 - x.a / 3,
        "transposed": lambda x: x.a.t() + x.b.t(),
        "strided": lambda x: x.a[::2, 1::3] * 2,
        "in_place": lambda x: x.a.clone().add_(x.row, alpha=0.5).mul_(2),
        "addcmul": lambda x: torch.addcmul(x.a, x.a, x.b, value=0.5),
        "addcdiv": lambda x: torch.addcdiv(x.a, x.a, x.positive + 1, value=0.5),
        "lerp": lambda x: torch.lerp(x.a, x.b, 0.3),
        "foreach": lambda x: torch._foreach_add([x.a, x.b], [x.b, x.a]),
    }


def reductions(torch):
    out = {}
    for name in "sum mean amax amin std var norm argmax argmin logsumexp".split():
        for dimension in (0, 1):
            out[f"{name} {dimension}"] = lambda x, n=name, d=dimension: getattr(torch, n)(x.positive, d)
    return {
        **out,
        **named(torch, "sum mean std norm amax", lambda x: x.positive),
        "max": lambda x: list(x.a.max(1)),
        "min": lambda x: list(x.a.min(0)),
        "any": lambda x: (x.a > 2).any(1),
        "all": lambda x: (x.a > -3).all(0),
        "count_nonzero": lambda x: torch.count_nonzero(x.a > 0),
        "both": lambda x: x.cube.abs().sum((1, 3)),
        "long": lambda x: x.long.abs().sum(1),
        "aminmax": lambda x: list(torch.aminmax(x.a, dim=1)),
        "nansum": lambda x: x.positive.nansum(0),
    }


def activations(torch):
    return named(
        torch.nn.functional,
        "gelu silu mish softplus elu leaky_relu hardtanh hardswish hardsigmoid "
        "logsigmoid softsign tanhshrink relu6 selu celu hardshrink softshrink",
    ) | {
        "gelu tanh": lambda x: torch.nn.functional.gelu(x.a, approximate="tanh"),
        "glu": lambda x: torch.nn.functional.glu(x.a[:, :64]),
        "prelu": lambda x: torch.prelu(x.a, x.positive[0, :1]),
    }


def choices(torch):
    return {
        "where": lambda x: torch.where(x.a > 0, x.a, x.b),
        "clamp": lambda x: x.a.clamp(-0.5, 0.7),
        "masked_fill": lambda x: x.a.masked_fill(x.a > 0, 3),
        "masked_select": lambda x: x.a[x.a > 0],
        "nonzero": lambda x: (x.a > 0.5).nonzero(),
        "isin": lambda x: torch.isin(x.rows, x.cells[0]),
        "masked_scatter": lambda x: x.a.masked_scatter(x.a > 0, x.b),
        "sign": lambda x: (x.a > 0) ^ (x.b > 0),
    }


def copies(torch):
    return {
        "cat": lambda x: torch.cat([x.a, x.b], 1),
        "cat many": lambda x: torch.cat([x.a[:n] for n in range(30)]),
        "stack": lambda x: torch.stack([x.a, x.b], 2),
        "flip": lambda x: x.a.flip(1),
        "roll": lambda x: x.a.roll(5, 1),
        "repeat": lambda x: x.a.repeat(2, 3),
        "tril": lambda x: x.a.tril(),
        "triu": lambda x: x.a.triu(1),
        "diag": lambda x: x.row.diag(),
        "contiguous": lambda x: x.image.permute(3, 1, 0, 2).contiguous(),
        "channels last": lambda x: x.image.to(memory_format=torch.channels_last) * 2,
        "to integer": lambda x: (x.a * 10).int(),
        "to double": lambda x: x.rows.double() / 7,
        "pad": lambda x: torch.nn.functional.pad(x.image, (1, 2, 0, 1)),
        "repeat_interleave": lambda x: x.a.repeat_interleave(3, 1),
        "unfold": lambda x: x.a.unfold(1, 5, 2) * 1,
        "full": lambda x: x.a.new_full((7, 9), 2.5),
        "eye": lambda x: torch.eye(7, 9, device=x.a.device),
        "arange": lambda x: torch.arange(0, 17, 2, device=x.a.device),
        "linspace": lambda x: torch.linspace(0, 1, 17, device=x.a.device),
        "cartesian": lambda x: torch.cartesian_prod(x.row[:5], x.row[5:9]),
    }


def indexing(torch):
    return {
        "index": lambda x: x.a[x.rows],
        "pairs": lambda x: x.a[x.rows, x.rows],
        "gather": lambda x: x.a.gather(0, x.cells),
        "index_select": lambda x: x.a.index_select(0, x.rows),
        "take": lambda x: x.a.take(x.cells),
        "take_along_dim": lambda x: torch.take_along_dim(x.a, x.cells, 0),
        "embedding": lambda x: torch.nn.functional.embedding(x.rows, x.a),
        "embedding_bag": lambda x: torch.nn.functional.embedding_bag(x.rows[None], x.a),
        "one_hot": lambda x: torch.nn.functional.one_hot(x.rows, 33),
    }


def scattering(torch):
    def put(x):
        out = x.a.clone()
        out[x.rows.unique()] = 2
        return out

    return {
        "scatter": lambda x: x.a.scatter(0, x.cells[:1], x.b[:1]),
        "scatter_add": lambda x: x.a.scatter_add(0, x.cells, x.b[:20]),
        "scatter_reduce": lambda x: x.a.scatter_reduce(0, x.cells, x.b[:20], "amax"),
        "index_add": lambda x: x.a.index_add(0, x.rows, x.b[:7]),
        "index_fill": lambda x: x.a.index_fill(0, x.rows, 3),
        "index_copy": lambda x: x.a.index_copy(0, x.rows[:1], x.b[:1]),
        "index_put": put,
        "accumulate": lambda x: x.a.clone().index_put_((x.rows,), x.b[:7], accumulate=True),
    }


def scans(torch):
    return {
        "cumsum": lambda x: x.positive.cumsum(1),
        "cumsum of columns": lambda x: x.positive.cumsum(0),
        "cumsum long": lambda x: (x.long.abs() * 0.1).cumsum(1)[:, ::97],
        "cumprod": lambda x: x.near_one.cumprod(0),
        "cummax": lambda x: list(x.a.cummax(1)),
        "cummin": lambda x: list(x.a.cummin(0)),
        "logcumsumexp": lambda x: x.a.logcumsumexp(1),
        "diff": lambda x: x.a.diff(dim=1),
    }


def order(torch):
    return {
        "sort": lambda x: x.a.sort(1).values,
        "sort long": lambda x: x.long.sort(1, descending=True).values,
        "sort all": lambda x: x.long.flatten().sort().values,
        "argsort stable": lambda x: x.a.argsort(dim=1, stable=True),
        "topk": lambda x: x.a.topk(5).values,
        "topk long": lambda x: x.long.topk(50).values,
        "kthvalue": lambda x: x.a.kthvalue(3).values,
        "median": lambda x: x.a.median(1).values,
        "mode": lambda x: x.a.sign().mode(1).values,
        "msort": lambda x: x.a.msort(),
        "searchsorted": lambda x: torch.searchsorted(x.row.sort().values, x.a),
        "quantile": lambda x: x.a.float().quantile(0.3, 1),
    }


def normalised(torch):
    f = torch.nn.functional
    return {
        "softmax": lambda x: x.a.softmax(1),
        "softmax long": lambda x: x.long.softmax(1),
        "softmin": lambda x: f.softmin(x.a, 0),
        "log_softmax": lambda x: x.a.log_softmax(0),
        "layer_norm": lambda x: f.layer_norm(x.a, (65,), x.row, x.row),
        "batch_norm": lambda x: f.batch_norm(x.image, None, None, training=True),
        "batch_norm evaluated": lambda x: f.batch_norm(x.image, x.row[:3], x.row[:3].abs() + 1),
        "group_norm": lambda x: f.group_norm(x.image.repeat(1, 2, 1, 1), 3),
        "instance_norm": lambda x: f.instance_norm(x.image),
        "rms_norm": lambda x: f.rms_norm(x.a, (65,), x.row),
        "normalize": lambda x: f.normalize(x.a, dim=1),
        "renorm": lambda x: x.a.renorm(2, 0, 1.0),
    }


def pooling(torch):
    f = torch.nn.functional
    return {
        "max": lambda x: list(f.max_pool2d(x.image, 2, return_indices=True)),
        "average": lambda x: f.avg_pool2d(x.image, 3, 2, 1),
        "adaptive average": lambda x: f.adaptive_avg_pool2d(x.image, (5, 4)),
        "adaptive max": lambda x: f.adaptive_max_pool2d(x.image, (5, 4)),
        "max of lines": lambda x: f.max_pool1d(x.a, 3),
        "max of cubes": lambda x: f.max_pool3d(x.cube, 2),
        "lp": lambda x: f.lp_pool2d(x.image.abs(), 2, 2),
        "unfold": lambda x: f.unfold(x.image, 3),
        "fold": lambda x: f.fold(f.unfold(x.image, 3), (16, 15), 3),
        "pixel_shuffle": lambda x: f.pixel_shuffle(x.image.repeat(1, 4, 1, 1), 2),
    }


def interpolation(torch):
    f = torch.nn.functional

    def grid(x):
        place = torch.eye(2, 3, device=x.image.device, dtype=x.image.dtype)[None].repeat(2, 1, 1)
        return f.grid_sample(x.image, f.affine_grid(place, (2, 3, 9, 9), align_corners=False), align_corners=False)

    return {
        "nearest": lambda x: f.interpolate(x.image, scale_factor=2),
        "bilinear": lambda x: f.interpolate(x.image, scale_factor=1.7, mode="bilinear"),
        "bicubic": lambda x: f.interpolate(x.image, scale_factor=1.3, mode="bicubic"),
        "trilinear": lambda x: f.interpolate(x.cube, scale_factor=2, mode="trilinear"),
        "grid_sample": grid,
        "reflect": lambda x: f.pad(x.image, (1, 2, 3, 1), mode="reflect"),
        "replicate": lambda x: f.pad(x.image, (1, 2, 3, 1), mode="replicate"),
    }


def losses(torch):
    f = torch.nn.functional
    return {
        "cross_entropy": lambda x: f.cross_entropy(x.a, x.classes),
        "smoothed": lambda x: f.cross_entropy(x.a, x.classes, label_smoothing=0.1),
        "nll": lambda x: f.nll_loss(x.a, x.classes),
        "mse": lambda x: f.mse_loss(x.a, x.b),
        "l1": lambda x: f.l1_loss(x.a, x.b),
        "smooth_l1": lambda x: f.smooth_l1_loss(x.a, x.b),
        "huber": lambda x: f.huber_loss(x.a, x.b),
        "binary": lambda x: f.binary_cross_entropy_with_logits(x.a, x.b.sigmoid()),
        "kl_div": lambda x: f.kl_div(x.a.log_softmax(1), x.b.softmax(1), reduction="batchmean"),
        "hinge": lambda x: f.hinge_embedding_loss(x.a, x.b.sign()),
        "cosine": lambda x: f.cosine_similarity(x.a, x.b),
    }


def products(torch):
    return {
        "matrix": lambda x: x.positive @ x.positive.t() / 65,
        "vector": lambda x: x.positive @ x.row.abs() / 65,
        "batched": lambda x: x.q @ x.k.transpose(2, 3) / 8,
        "linear": lambda x: torch.nn.functional.linear(x.a, x.b, x.b[:, 0]) / 8,
        "outer": lambda x: torch.outer(x.row, x.row),
        "kron": lambda x: torch.kron(x.a[:3, :4], x.b[:2, :3]),
    }


def attention(torch):
    """By the path that is made of products and softmax: the others need instructions of NVIDIA's."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def attend(x, **options):
        with sdpa_kernel(SDPBackend.MATH):
            return torch.nn.functional.scaled_dot_product_attention(x.q, x.k, x.v, **options)

    return {
        "plain": attend,
        "causal": lambda x: attend(x, is_causal=True),
        "masked": lambda x: attend(x, attn_mask=(x.q @ x.k.transpose(2, 3)).abs() > -1),
    }


def of_gradients(torch, functions):
    from comparing import gradients

    return {name: lambda x, f=function, p=picked: gradients(f)(*p(x)) for name, (function, picked) in functions.items()}


def activation_gradients(torch):
    f = torch.nn.functional
    names = "gelu silu mish softplus elu leaky_relu hardtanh hardswish hardsigmoid logsigmoid relu selu softsign"
    more = {"sigmoid": torch.sigmoid, "tanh": torch.tanh, "exp": torch.exp, "abs": torch.abs, "sin": torch.sin}
    return of_gradients(
        torch,
        {
            name: (function, lambda x: [x.a])
            for name, function in [*((name, getattr(f, name)) for name in names.split()), *more.items()]
        },
    )


def layer_gradients(torch):
    f = torch.nn.functional
    return of_gradients(
        torch,
        {
            "softmax": (lambda a: a.softmax(1), lambda x: [x.a]),
            "log_softmax": (lambda a: a.log_softmax(1), lambda x: [x.a]),
            "layer_norm": (lambda a, w: f.layer_norm(a, (65,), w), lambda x: [x.a, x.row]),
            "group_norm": (lambda a: f.group_norm(a.repeat(1, 2, 1, 1), 3), lambda x: [x.image]),
            "max_pool": (lambda a: f.max_pool2d(a, 2), lambda x: [x.image]),
            "avg_pool": (lambda a: f.avg_pool2d(a, 2), lambda x: [x.image]),
            "adaptive": (lambda a: f.adaptive_avg_pool2d(a, (5, 4)), lambda x: [x.image]),
            "bilinear": (lambda a: f.interpolate(a, scale_factor=1.7, mode="bilinear"), lambda x: [x.image]),
            "reflect": (lambda a: f.pad(a, (1, 2, 3, 1), mode="reflect"), lambda x: [x.image]),
            "unfold": (lambda a: f.unfold(a, 3), lambda x: [x.image]),
            "product": (lambda a, b: a @ b.t() / 8, lambda x: [x.a, x.b]),
            "glu": (lambda a: f.glu(a[:, :64]), lambda x: [x.a]),
            "prelu": (f.prelu, lambda x: [x.a, x.positive[0, :1]]),
            "where": (lambda a, b: torch.where(a > 0, a, b), lambda x: [x.a, x.b]),
            "power": (lambda a: a**2.5, lambda x: [x.positive]),
            "cumsum": (lambda a: a.cumsum(1) / 8, lambda x: [x.a]),
            "norm": (lambda a: a.norm(dim=1), lambda x: [x.positive]),
        },
    )


def index_gradients(torch):
    f = torch.nn.functional
    return of_gradients(
        torch,
        {
            "embedding": (lambda w, i: f.embedding(i, w), lambda x: [x.a, x.rows]),
            "embedding sorted": (lambda w, i: f.embedding(i, w) * 0.01, lambda x: [x.a, x.many_rows]),
            "index": (lambda w, i: w[i], lambda x: [x.a, x.rows]),
            "index sorted": (lambda w, i: w[i] * 0.01, lambda x: [x.a, x.many_rows]),
            "gather": (lambda w, i: w.gather(0, i), lambda x: [x.a, x.cells]),
            "index_select": (lambda w, i: w.index_select(0, i), lambda x: [x.a, x.rows]),
            "sort": (lambda w: w.sort(dim=1, stable=True).values * w[0], lambda x: [x.row[None]]),
            "max": (lambda w: w.max(1).values, lambda x: [x.a]),
            "cross_entropy": (lambda w, i: f.cross_entropy(w, i), lambda x: [x.a, x.classes]),
        },
    )


def distances(torch):
    return {
        "cdist": lambda x: torch.cdist(x.a, x.b, compute_mode="donot_use_mm_for_euclid_dist"),
        "cdist by products": lambda x: torch.cdist(x.a * 3, x.b),
        "cdist p=1": lambda x: torch.cdist(x.a, x.b, p=1),
        "cdist p=3": lambda x: torch.cdist(x.a, x.b, p=3.0),
        "pdist": lambda x: torch.pdist(x.a),
        "pairwise": lambda x: torch.nn.functional.pairwise_distance(x.a, x.b),
        "dist": lambda x: torch.dist(x.a, x.b),
        "cross": lambda x: torch.cross(x.a[:, :3], x.b[:, :3], dim=1),
    }


def functions(torch):
    s, f = torch.special, torch.nn.functional
    return {
        "average of cubes": lambda x: f.avg_pool3d(x.cube, 2),
        "margin": lambda x: f.multi_margin_loss(x.a, x.classes),
        "antialiased": lambda x: f.interpolate(x.image, size=(7, 7), mode="bilinear", antialias=True),
        "igamma": lambda x: torch.igamma(x.positive, x.positive),
        "i0": lambda x: torch.i0(x.a),
        "erfinv": lambda x: torch.erfinv(x.a * 0.2),
        "polygamma": lambda x: torch.polygamma(1, x.positive),
        "bessel_j0": lambda x: s.bessel_j0(x.a),
        "zeta": lambda x: s.zeta(x.positive + 1.5, x.positive),
        "ndtri": lambda x: s.ndtri(x.a.sigmoid()),
        "entr": lambda x: s.entr(x.positive),
        "sinc": lambda x: torch.sinc(x.a),
        "gammaln": lambda x: s.gammaln(x.positive),
        "i1e": lambda x: s.i1e(x.a),
        "nextafter": lambda x: torch.nextafter(x.a, x.b),
        "rounded": lambda x: x.a.round(decimals=1),
        "trace": lambda x: x.positive.trace(),
        "frexp": lambda x: list(torch.frexp(x.a)),
        "ldexp": lambda x: torch.ldexp(x.a, x.b.round()),
        "heaviside": lambda x: torch.heaviside(x.a, x.b),
    }


def unique_values(torch):
    return {
        "unique": lambda x: x.a.round().unique(),
        "counts": lambda x: list(x.long.round().unique(return_inverse=True, return_counts=True)),
        "consecutive": lambda x: x.long.round().flatten().unique_consecutive(),
        "rows": lambda x: x.a.round()[:, :2].unique(dim=0),
        "histc": lambda x: torch.histc(x.a, 20, -3, 3),
        "bucketize": lambda x: torch.bucketize(x.a, x.row.sort().values),
        "bincount": lambda x: torch.bincount(x.many_rows),
    }


def _convolutions(torch):
    f = torch.nn.functional
    return {
        "plain": (lambda a, w: f.conv2d(a, w, padding=1) / 8, lambda x: [x.image, x.weight]),
        "strided": (lambda a, w: f.conv2d(a, w, stride=2) / 8, lambda x: [x.image, x.weight]),
        "dilated": (lambda a, w: f.conv2d(a, w, dilation=2) / 8, lambda x: [x.image, x.weight]),
        "depthwise": (lambda a, w: f.conv2d(a, w[:3, :1], groups=3, padding=1) / 8, lambda x: [x.image, x.weight]),
        "transposed": (
            lambda a, w: f.conv_transpose2d(a, w.transpose(0, 1), stride=2) / 8,
            lambda x: [x.image, x.weight],
        ),
        "of lines": (lambda a, w: f.conv1d(a, w[:, :, 0]) / 8, lambda x: [x.image[:, :, 0], x.weight]),
        "of cubes": (lambda a, w: f.conv3d(a, w[None, :2, :2, :, :] / 8), lambda x: [x.cube, x.weight]),
    }


def convolutions(torch):
    """Without cuDNN: torch then has kernels of its own, and products."""
    return {name: lambda x, f=function, p=picked: f(*p(x)) for name, (function, picked) in _convolutions(torch).items()}


def convolution_gradients(torch):
    return of_gradients(torch, _convolutions(torch))


def einsum(torch):
    return {
        "product": lambda x: torch.einsum("ik,jk->ij", x.positive, x.positive) / 65,
        "batched": lambda x: torch.einsum("bhqd,bhkd->bhqk", x.q, x.k) / 8,
        "trace": lambda x: torch.einsum("ii->", x.positive[:, :33]),
        "three": lambda x: torch.einsum("ij,ij,j->i", x.positive, x.positive, x.row.abs()) / 65,
        "tensordot": lambda x: torch.tensordot(x.q, x.k, dims=([2, 3], [2, 3])) / 72,
    }


def integer_arithmetic(torch):
    return {
        name: lambda x, name=name: getattr(torch, name)(x.a, x.b)
        for name in "add sub mul div floor_divide remainder bitwise_and bitwise_or bitwise_xor bitwise_left_shift "
        "bitwise_right_shift gcd lcm eq lt maximum".split()
    } | {"invert": lambda x: ~x.a, "power": lambda x: x.b**2, "to float": lambda x: x.a.float()}


def integer_reductions(torch):
    return {
        "sum": lambda x: x.a.sum(),
        "prod": lambda x: (x.a[:3, :5] // 30 + 1).prod(),
        "amax": lambda x: x.a.amax(0),
        "argmin": lambda x: x.a.amin(1),
        "any": lambda x: (x.a > 88).any(1),
        "cumsum": lambda x: x.a.cumsum(0),
        "bincount": lambda x: torch.bincount(x.a.flatten()),
        "mean": lambda x: x.a.float().mean(1),
    }


def integer_order(torch):
    return {
        "sort": lambda x: list(x.a.sort(dim=1, stable=True)),
        "sort long": lambda x: list(x.long.sort(dim=0, stable=True)),
        "unique": lambda x: x.long.unique(),
        "counts": lambda x: list(x.long.unique(return_inverse=True, return_counts=True)),
        "topk": lambda x: x.long.topk(9).values,
        "nonzero": lambda x: (x.a > 50).nonzero(),
        "histogram": lambda x: torch.bincount(x.long),
    }


def complex_numbers(torch):
    two = {name: lambda x, name=name: getattr(torch, name)(x.a, x.b) for name in "add sub mul div eq".split()}
    return {
        **two,
        **named(torch, "abs angle exp log sin cos tanh sqrt conj_physical reciprocal sigmoid sinh cosh tan"),
        "power": lambda x: x.a**2,
        "sum": lambda x: x.a.sum(1),
        "mean": lambda x: x.a.mean(),
        "prod": lambda x: x.a[:, :4].prod(1),
        "product": lambda x: x.a @ x.b.t(),
        "real": lambda x: x.a.real + x.b.imag,
        "polar": lambda x: torch.polar(x.a.abs(), x.b.abs()),
        "cumsum": lambda x: x.a.cumsum(0),
        "index": lambda x: x.a[2:5, ::3] * 2,
    }
