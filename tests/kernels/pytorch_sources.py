#!/usr/bin/env python3
"""Ten sources of PyTorch 2.6, unmodified, compiled for the CPU stand-in, and the kernels of the wheel from PyPI that
their images have.

 pytorch_sources.py STAGE WORK

WORK keeps what is downloaded: Debian's source package (27 MB), and of the wheels of PyTorch and CUDA 12.4 (1.6 GB) the
headers and the library that registers the kernels (0.9 GB)."""
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHIVE = "http://deb.debian.org/debian/pool/main/p/pytorch/pytorch_2.6.0+dfsg.orig.tar.xz"
SHA256 = "099a9601bc40d67656e75735c44abedb0fbe92d08817852ab7472eebb7e6ddff"
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
# As PyTorch's own build. The last is that of the wheel from PyPI.
DEFINITIONS = ["NDEBUG", "USE_CUDA", "TORCH_CUDA_BUILD_MAIN_LIB", "AT_PER_OPERATOR_HEADERS",
               "CUB_WRAPPED_NAMESPACE=at_cuda_detail", "__CUDA_NO_HALF_OPERATORS__", "__CUDA_NO_HALF_CONVERSIONS__",
               "__CUDA_NO_HALF2_OPERATORS__", "__CUDA_NO_BFLOAT16_CONVERSIONS__", "_GLIBCXX_USE_CXX11_ABI=0"]


def fetch_sources(work):
    """PyTorch's folder, unpacked."""
    folder = os.path.join(work, "pytorch-v2.6.0")
    if os.path.isdir(folder):
        return folder
    archive = os.path.join(work, "pytorch.tar.xz")
    with urllib.request.urlopen(ARCHIVE, timeout=60) as answer, open(archive, "wb") as out:
        shutil.copyfileobj(answer, out)
    with open(archive, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != SHA256:
        sys.exit(f"{ARCHIVE}: its SHA-256 is {found}, expected {SHA256}")
    unpacked = os.path.join(work, "unpacked")
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(archive) as file:
        # Python 3.11.2, Debian 12's, knows no filter.
        file.extractall(unpacked, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    top, = os.listdir(unpacked)
    os.rename(os.path.join(unpacked, top), folder)
    os.rmdir(unpacked)
    os.remove(archive)
    return folder


def fetch_wheels(work):
    """A folder with the wheels' headers and PyTorch's library."""
    folder, wheels, new = (os.path.join(work, name) for name in ("packages", "wheels", "packages.new"))
    if os.path.isdir(folder):
        return folder
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--require-hashes", "--only-binary=:all:", "--python-version=3.11", "--abi=cp311", "--abi=none",
                    "--platform=manylinux2014_x86_64", "--dest", wheels, "-r", HERE + "/pytorch/requirements.txt"],
                   check=True)
    shutil.rmtree(new, ignore_errors=True)
    for wheel in glob.glob(wheels + "/*.whl"):
        with zipfile.ZipFile(wheel) as file:
            file.extractall(new, [name for name in file.namelist()
                                  if re.match(r"nvidia/\w+/include/|torch/include/", name) or name == LIBRARY])
    shutil.rmtree(wheels)
    os.rename(new, folder)
    return folder


def build(stage, sources, packages, name, image):
    includes = [sources, sources + "/aten/src", packages + "/torch/include",
                *sorted(glob.glob(packages + "/nvidia/*/include"))]
    begin = time.monotonic()
    ended = subprocess.run(
        [stage + "/bin/torchada", "kernels", "build", "--backend=host", "--std=c++17", "-o", image,
         *("-D" + definition for definition in DEFINITIONS), *("-I" + folder for folder in includes),
         f"{sources}/aten/src/ATen/native/cuda/{name}.cu"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=1800)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"{name}: status {ended.returncode}, {time.monotonic() - begin:.0f} s, the largest so far {megabytes} MB",
          flush=True)
    if ended.returncode != 0:
        print(ended.stdout)
    return ended.returncode == 0


def found_in(stage, images, library):
    """How many of the library's kernels each image has."""
    ended = subprocess.run([stage + "/bin/torchada", "kernels", "list", "--format=json", "--kernels=" + images,
                            library],
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
    sources, packages = fetch_sources(work), fetch_wheels(work)
    built = [name for name in SOURCES if build(stage, sources, packages, name, f"{images}/{name}.image")]
    counts = found_in(stage, images, os.path.join(packages, LIBRARY))
    wrong = {name: (count, counts.get(name, 0)) for name, count in SOURCES.items() if counts.get(name, 0) != count}
    for name, (expected, got) in wrong.items():
        print(f"{name}: {got} of the wheel's kernels are in its image, expected {expected}")
    print(f"{len(built)} of {len(SOURCES)} sources compile; {sum(counts.values())} kernels of the wheel are in images")
    return 1 if wrong or len(built) != len(SOURCES) else 0


if __name__ == "__main__":
    sys.exit(main())
