"""Networks that the steps train, and their data."""

import torch
from torch import nn
from torch.nn import functional

WORDS, CLASSES, WIDTH, CONTEXT = 50, 10, 32, 16


class Dropout(nn.Module):
    """Dropout whose masks the device draws and keeps in a list; the CPU applies them in the same order."""

    def __init__(self, part, masks):
        super().__init__()
        self.part, self.masks = part, masks

    def forward(self, x):
        if not x.is_cuda:
            return x * self.masks.pop(0) / (1 - self.part)
        out, mask = torch.native_dropout(x, self.part, True)
        self.masks.append(mask.cpu())
        return out


def perceptron():
    return nn.Sequential(nn.Linear(20, WIDTH), nn.LayerNorm(WIDTH), nn.ReLU(), nn.Linear(WIDTH, CLASSES))


def perceptron_data():
    return torch.randn(64, 20), torch.randint(CLASSES, (64,))


def convolutional():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, stride=2),
        nn.GroupNorm(4, 16),
        nn.GELU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(64, CLASSES),
    )


def depthwise():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3),
        nn.SiLU(),
        nn.Conv2d(8, 8, 3, groups=8),
        nn.ConvTranspose2d(8, 4, 2, stride=2),
        nn.InstanceNorm2d(4, affine=True),
        nn.AvgPool2d(4),
        nn.Flatten(),
        nn.Linear(144, CLASSES),
    )


def images():
    return torch.randn(16, 1, 16, 16), torch.randint(CLASSES, (16,))


class Recurrent(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.layer = kind(12, WIDTH, batch_first=True, **options)
        self.out = nn.Linear(WIDTH * (2 if options.get("bidirectional") else 1), CLASSES)

    def forward(self, x):
        return self.out(self.layer(x)[0][:, -1])


def sequences():
    return torch.randn(16, 9, 12), torch.randint(CLASSES, (16,))


class Block(nn.Module):
    def __init__(self, heads, masks):
        super().__init__()
        self.heads, self.dropout = heads, Dropout(0.1, masks) if masks is not None else nn.Identity()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attend, self.joined = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        parts = self.attend(self.first(x)).split(WIDTH, 2)
        q, k, v = (part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in parts)
        there = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.dropout(self.joined(there.transpose(1, 2).flatten(2)))
        return x + self.dropout(self.narrow(functional.gelu(self.wide(self.second(x)), approximate="tanh")))


class SmallGpt(nn.Module):
    """GPT-2's layers, with weights of the first and the last tied. `masks`: where those of its dropout are kept."""

    def __init__(self, masks=None, layers=2, heads=4):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*(Block(heads, masks) for _ in range(layers)))
        self.last, self.out = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)
        self.out.weight = self.words.weight

    def forward(self, x):
        x = self.words(x) + self.places(torch.arange(x.shape[1], device=x.device))
        return self.out(self.last(self.blocks(x))).flatten(0, 1)


def texts():
    text = torch.randint(WORDS, (8, CONTEXT + 1))
    return text[:, :-1].contiguous(), text[:, 1:].flatten()
