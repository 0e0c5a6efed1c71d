#!/usr/bin/env python3
"""An ordinary program for PyTorch's CUDA wheel: it trains a small network on the device and on the CPU, and compares
the losses. It knows nothing about MUSA or torchada."""

import torch
from torch import nn


def losses(device):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
    inputs, labels = torch.randn(32, 64).to(device), torch.randint(0, 10, (32,)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    out = []
    for _ in range(20):
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        out.append(loss.item())
    return out


print("step   device      CPU")
pairs = list(zip(losses("cuda"), losses("cpu")))
for step in (0, 4, 9, 14, 19):
    print("{:4}   {:.4f}   {:.4f}".format(step + 1, *pairs[step]))
print("train.py: largest difference of the losses:",
      "{:.1e}".format(max(abs(device - cpu) for device, cpu in pairs)))
