"""pytorch_rounds.py [--leak=WHAT]: trains a network, a round for each line on its input. Every loss is compared with
that of the same training on the CPU. In some rounds PyTorch's profiler watches, and its trace must have each kernel and
each copy.

After a round it writes a line: the round's number, and the bytes of free memory of the device. Runs in the Python that
has PyTorch, under torchada."""
import collections
import contextlib
import copy
import gc
import json
import os
import sys
import tempfile

import pytorch_leaks
import torch
from client_steps import close, equal
from networks import perceptron, perceptron_data
from torch.nn import functional

BATCHES, WATCHED = 5, 4  # In a round; every so many rounds.


def train(model, batches):
    """The loss of each batch, which is copied to the model's device."""
    device, out = next(model.parameters()).device, []
    # One parameter after the other, so that few kernels have to be made.
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2, foreach=False)
    for inputs, wanted in batches:
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(inputs.to(device)), wanted.to(device))
        loss.backward()
        optimizer.step()
        out.append(loss.item())
    return out


def trace_of(profile):
    """{category: [event]} of the file that the profiler writes."""
    out = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profile.export_chrome_trace(path)
        with open(path, encoding="utf-8") as file:
            for event in json.load(file)["traceEvents"]:
                out[event.get("cat")].append(event)
    return out


class Watcher:
    """Profiles, and looks for what was done in the trace."""

    def __init__(self):
        self.kernels = None  # Of the training, as the first trace has them.

    @contextlib.contextmanager
    def watch(self, batches, additions):
        """What is done within, and then so many additions."""
        numbers = torch.zeros(1000, device="cuda")
        torch.cuda.synchronize()
        with torch.profiler.profile() as profile:
            yield
            for _ in range(additions):
                numbers.add_(1)
            torch.cuda.synchronize()
        equal(numbers.tolist(), [additions] * 1000, "numbers")
        trace = trace_of(profile)
        copies = collections.Counter((event["name"].split()[1], event["args"]["bytes"])
                                     for event in trace["gpu_memcpy"])
        expected = collections.Counter(("HtoD", part.nbytes) for batch in batches for part in batch)
        expected["DtoH", 4] = len(batches)
        equal(copies, expected, "copies in the trace")
        launched = sorted(event["args"]["correlation"] for event in trace["cuda_runtime"]
                          if event["name"] == "cudaLaunchKernel")
        equal(sorted(event["args"]["correlation"] for event in trace["kernel"]), launched, "kernels, by their launches")
        self.kernels = self.kernels or len(launched) - additions
        equal(len(launched), self.kernels + additions, "kernels in the trace")


def main():
    torch.backends.cudnn.enabled = False
    leak = sys.argv[1].partition("=")[2] if sys.argv[1:] else ""
    torch.manual_seed(1)
    model, watcher = perceptron().to("cuda"), Watcher()
    for number, _ in enumerate(sys.stdin):
        torch.manual_seed(number % 100)
        batches = [perceptron_data() for _ in range(BATCHES)]
        twin = copy.deepcopy(model).cpu()
        is_watched = number % WATCHED == 0
        with watcher.watch(batches, number % 7) if is_watched else contextlib.nullcontext():
            found = train(model, batches)
        close(found, train(twin, batches), 0, 1e-4, "loss")
        # A profile refers to itself. Python would collect hundreds of them at once.
        gc.collect()
        if leak:
            pytorch_leaks.lose(leak)
        print(number + 1, torch.cuda.mem_get_info()[0], flush=True)


if __name__ == "__main__":
    main()
