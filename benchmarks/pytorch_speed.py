#!/usr/bin/env python3
"""PyTorch's wheel on the CPU stand-in, with kernels from PyTorch's sources, against its own CPU device, in turns.

    pytorch_speed.py STAGE PYTHON [--kernels=FOLDER] [--repetitions=N] [--only=NAME,...]

PYTHON has the wheel that the recipe pytorch-2.6 is for. Kernels come from FOLDER, or are made on demand before anything
is measured. Both devices have as many threads as this machine has processors. The ratio is the time on the CPU device
to that on the stand-in, by the clock and by processor time, which a busy machine changes less: above 1.00, the
stand-in is faster. Median (quartiles)."""
import argparse
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NETWORKS = os.path.join(os.path.dirname(HERE), "tests", "clients", "programs", "torch-kernels")
MEASURE = "import sys, pytorch_speed; pytorch_speed.measure(int(sys.argv[1]), sys.argv[2].split(',')[:-1])"
FLOATS = 1 << 24
# width, words of context, layers, heads, texts at once, words that there are
GPTS = {"gpt2-tiny": (32, 16, 2, 4, 8, 50), "gpt2-small": (256, 128, 4, 4, 4, 1000), "gpt2": (768, 128, 4, 12, 2, 5000)}


def elementwise(torch, device, name):
    """A function that computes FLOATS numbers."""
    torch.manual_seed(0)
    one, other = (torch.randn(FLOATS).to(device) for _ in range(2))
    out = torch.empty_like(one)
    return {
        "add": lambda: torch.add(one, other, out=out),
        "mul": lambda: torch.mul(one, other, out=out),
        "relu": lambda: torch.clamp_min(one, 0, out=out),
        "copy": lambda: out.copy_(one),
    }[name]


def training_step(torch, device, sizes):
    """A step of AdamW on the GPT-2 of the tests. Its sizes are the module's."""
    # pylint: disable=import-error,import-outside-toplevel
    import networks

    networks.WIDTH, networks.CONTEXT, layers, heads, batch, networks.WORDS = sizes
    torch.manual_seed(0)
    model = networks.SmallGpt(layers=layers, heads=heads).to(device)
    words = torch.randint(networks.WORDS, (batch, networks.CONTEXT + 1))
    begin, expected = (part.contiguous().to(device) for part in (words[:, :-1], words[:, 1:].flatten()))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(begin), expected).backward()
        optimizer.step()

    return step


def times_of(torch, step):
    """Seconds by the clock, and of processors."""
    begin, used = time.perf_counter(), time.process_time()
    step()
    torch.cuda.synchronize()
    return time.perf_counter() - begin, time.process_time() - used


def shown(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.3f} ({low:.3f}-{high:.3f})"


def measure(repetitions, wanted):
    import torch  # pylint: disable=import-error,import-outside-toplevel

    torch.set_num_threads(os.cpu_count())
    # Kernels without sources, as the guide says.
    torch.backends.cudnn.enabled = False
    torch.backends.cuda.enable_flash_sdp(False)
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    print(f"{'':12} {'clock':>22} {'processor time':>22} {'CPU, ms':>9} {'stand-in, ms':>13}", flush=True)
    for name in wanted or ("add", "mul", "relu", "copy", *GPTS):
        make, what = (training_step, GPTS[name]) if name in GPTS else (elementwise, name)
        steps = {device: make(torch, device, what) for device in ("cpu", "cuda")}
        times = {device: [] for device in steps}
        for repetition in range(repetitions + 1):
            for device, step in steps.items():
                pair = times_of(torch, step)
                if repetition > 0:
                    times[device].append(pair)
        ratios = [[cpu[i] / ours[i] for cpu, ours in zip(times["cpu"], times["cuda"])] for i in range(2)]
        used = [1000 * statistics.median(pair[1] for pair in times[device]) for device in steps]
        print(f"{name:12} {shown(ratios[0]):>22} {shown(ratios[1]):>22} {used[0]:9.2f} {used[1]:13.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage")
    parser.add_argument("python")
    parser.add_argument("--kernels", default="")
    parser.add_argument("--repetitions", type=int, default=12)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    kernels = "--kernels=" + options.kernels if options.kernels else "--kernels-from=pytorch-2.6"
    # Threads of OpenMP that wait must take no processor time.
    environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE", "TORCHADA_HOST_ACCOUNT": f"speed{os.getpid()}",
                   "PYTHONPATH": os.pathsep.join([NETWORKS, HERE]), "PYTHONDONTWRITEBYTECODE": "1",
                   "TORCHADA_COMPUTE_CAPABILITY": "8.0"}
    command = [os.path.join(options.stage, "bin", "torchada"), "run", "--backend=host", kernels, "--", options.python,
               "-W", "ignore", "-c", MEASURE, str(options.repetitions), options.only + "," * bool(options.only)]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
