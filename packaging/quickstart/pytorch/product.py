#!/usr/bin/env python3
"""An ordinary program for PyTorch's CUDA wheel. It knows nothing about MUSA or torchada."""

import torch

a = torch.arange(12.0).reshape(3, 4)
there = (a.cuda() @ a.T.contiguous().cuda()).cpu()
print("product.py: a product on the device:", "right" if torch.equal(there, a @ a.T) else "WRONG")
