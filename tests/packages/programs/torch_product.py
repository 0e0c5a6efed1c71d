"""PyTorch without kernels of its own: a copy and a product. Without a device it says so."""
import torch

print("torch", torch.__version__, "has", torch.cuda.device_count(), "devices")
if torch.cuda.is_available():
    left, right = torch.arange(6.0).reshape(2, 3), torch.arange(12.0).reshape(3, 4)
    product = (left.cuda() @ right.cuda()).cpu()
    right_one = "equal" if torch.equal(product, left @ right) else "WRONG"
    print("a product on", torch.cuda.get_device_name(), "is", right_one)
