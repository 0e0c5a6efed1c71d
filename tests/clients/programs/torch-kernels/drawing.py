"""Random numbers of torch's own kernels, against Philox's."""

import json
import sys

import numpy
import philox
import torch

SEED = 1234567890123


def draws(count, largest_grid):
    """{name: [drawn, expected]}"""
    word, four, place = philox.words(SEED, count, largest_grid)
    where = {"device": "cuda"}
    kinds = {
        "uniform": (lambda: torch.rand(count, **where), philox.uniform(word)),
        "normal": (lambda: torch.randn(count, **where), philox.normal(four, place)),
        "integers": (lambda: torch.randint(-5, 90, (count,), **where), word % 95 - 5.0),
        "chances": (lambda: torch.empty(count, **where).bernoulli_(0.3), word * 2.0**-32 + 2.0**-33 < 0.3),
        "exponential": (
            lambda: torch.empty(count, **where).exponential_(2.0),
            -numpy.log(word * 2.0**-32 + 2.0**-33) / 2,
        ),
        "range": (lambda: torch.empty(count, **where).uniform_(2, 5), philox.uniform(word) * 3 + 2),
    }
    out = {}
    for name, (draw, expected) in kinds.items():
        torch.cuda.manual_seed(SEED)
        out[name] = [draw().cpu().double().tolist(), expected.astype(float).tolist()]
    return out


if __name__ == "__main__":
    print(json.dumps(draws(*map(int, sys.argv[1:]))))
