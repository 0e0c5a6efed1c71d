#!/usr/bin/env python3
"""Ten sources of PyTorch 2.6, unmodified, compiled for the CPU stand-in, and the kernels of the wheel from PyPI that
their images have.

 pytorch_sources.py STAGE WORK

WORK keeps what is downloaded: what the recipe pytorch-2.6 fetches, and of PyTorch's wheel (0.8 GB) the library that
registers the kernels (0.9 GB)."""
import glob
import json
import os
import resource
import shutil
import subprocess
import sys
import time
import zipfile

import yaml

RECIPE = "pytorch-2.6"
LIBRARY = "torch/lib/libtorch_cuda.so"
# How many kernels the wheel registers of each.
SOURCES = {
    "FillKernel": 120,
    "ActivationThresholdKernel": 162,  # lambdas in functions of an unnamed namespace
    "SoftMax": 424,  # barriers, shuffles, shared memory of the launch
    "Loss": 96,  # lambdas whose names nvcc gives one level more
    "layer_norm_kernel": 32,
    "Copy": 226,
    "Dropout": 128,  # cuRAND's device functions
    "ForeachReduceOp": 116,  # arguments of 4 KB
    "fused_adamw_impl": 4,
    "ReduceArgMaxKernel": 27,
}


def fetch_library(wheel, work):
    """The library that registers the kernels, out of the recipe's wheel of PyTorch."""
    library, wheels = os.path.join(work, LIBRARY), os.path.join(work, "wheels")
    if os.path.exists(library):
        return library
    os.makedirs(wheels, exist_ok=True)
    requirement = os.path.join(wheels, "requirements.txt")
    with open(requirement, "w", encoding="utf-8") as out:
        out.write(f"{wheel['wheel']} --hash=sha256:{wheel['sha256']}\n")
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--require-hashes", "--only-binary=:all:", *wheel["tags"], "--dest", wheels, "-r", requirement],
                   check=True)
    file, = glob.glob(wheels + "/*.whl")
    with zipfile.ZipFile(file) as opened:
        opened.extract(LIBRARY, work + "/new")
    shutil.rmtree(wheels)
    os.makedirs(os.path.dirname(library), exist_ok=True)
    os.rename(os.path.join(work, "new", LIBRARY), library)
    return library


def build(torchada, recipe, folder, name, image):
    """As the recipe says, but the whole source at once."""
    flags = [flag.replace("-std=", "--std=") for flag in recipe["flags"] if flag.startswith(("-D", "-std="))]
    includes = [f"-I{folder}/{path}" for path in recipe["include"]]
    source = f"{folder}/pytorch/aten/src/ATen/native/cuda/{name}.cu"
    begin = time.monotonic()
    ended = subprocess.run(
        [torchada, "kernels", "build", "--backend=host", "-o", image, *flags, *includes, source],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=1800)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"{name}: status {ended.returncode}, {time.monotonic() - begin:.0f} s, the largest so far {megabytes} MB",
          flush=True)
    if ended.returncode != 0:
        print(ended.stdout)
    return ended.returncode == 0


def found_in(torchada, images, library):
    """How many of the library's kernels each image has."""
    ended = subprocess.run([torchada, "kernels", "list", "--format=json", "--kernels=" + images, library],
                           stdout=subprocess.PIPE, text=True, check=True)
    kernels, = (file["kernels"] for file in json.loads(ended.stdout)["files"])
    counts = {}
    for kernel in kernels:
        if kernel["library"]:
            name = os.path.basename(kernel["library"]).removesuffix(".image")
            counts[name] = counts.get(name, 0) + 1
    return counts


def main():
    stage, work = map(os.path.realpath, sys.argv[1:3])
    images = os.path.join(work, "images")
    os.makedirs(work, exist_ok=True)
    shutil.rmtree(images, ignore_errors=True)
    os.makedirs(images)
    torchada = os.path.join(stage, "bin", "torchada")
    with open(os.path.join(stage, "share", "recipes", RECIPE + ".yaml"), encoding="utf-8") as file:
        recipe = yaml.safe_load(file)
    kernels = os.path.join(work, "kernels")
    subprocess.run([torchada, "kernels", "fetch", RECIPE], env={**os.environ, "TORCHADA_KERNELS_FOLDER": kernels},
                   check=True)
    library = fetch_library(next(item for item in recipe["fetch"] if item.get("wheel", "").startswith("torch==")), work)
    folder = os.path.join(kernels, RECIPE)
    built = [name for name in SOURCES if build(torchada, recipe, folder, name, f"{images}/{name}.image")]
    counts = found_in(torchada, images, library)
    wrong = {name: (count, counts.get(name, 0)) for name, count in SOURCES.items() if counts.get(name, 0) != count}
    for name, (expected, got) in wrong.items():
        print(f"{name}: {got} of the wheel's kernels are in its image, expected {expected}")
    print(f"{len(built)} of {len(SOURCES)} sources compile; {sum(counts.values())} kernels of the wheel are in images")
    return 1 if wrong or len(built) != len(SOURCES) else 0


if __name__ == "__main__":
    sys.exit(main())
