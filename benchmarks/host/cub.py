#!/usr/bin/env python3
"""Builds cub.cu with a CCCL of the user's and runs it on the stand-in.

  cub.py BUILD [REPETITIONS [EXPONENT]]     of 2^EXPONENT numbers, 22 by default

CCCL is that of nvcc's toolkit, or the folder that the variable BENCHMARK_CCCL names.
Takes minutes, most of them for nvcc. Status 77, with a line: there is no nvcc. The programs are kept below BUILD."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests/kernels"))
# pylint: disable=wrong-import-position
import toolkit  # noqa: E402

ARCHITECTURE = 80


def call(*command):
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if ended.returncode:
        sys.exit(f"{command[0]}: {(ended.stderr + ended.stdout)[-4000:]}")


def build(torchada, nvcc, made):
    """(image, program)"""
    headers = Path(toolkit.headers(nvcc))
    own = headers / "cccl"
    cccl = Path(os.environ.get("BENCHMARK_CCCL") or (own if own.is_dir() else headers))
    made.mkdir(parents=True, exist_ok=True)
    image, program, source = made / "image", made / "program", SOURCE / "benchmarks/host/cub.cu"
    # nvcc defines the architectures, and CCCL's names have them inside.
    call(torchada, "kernels", "build", "--backend=host", "-o", image, "-I", cccl, "-I", headers, "-I", SOURCE,
         f"-D__CUDA_ARCH_LIST__={ARCHITECTURE}0", source)
    # nvcc's own device code is never run.
    call(nvcc, "-std=c++20", "-O3", "-Xcompiler", "-fopenmp", "-cudart", "shared", "-w", "-Xptxas", "-O0",
         f"-arch=sm_{ARCHITECTURE}", "-I", cccl, "-I", SOURCE, "-o", program, source,
         *(SOURCE / "benchmarks" / name for name in ("host/cub_loops.cpp", "samples.cpp", "results.cpp")))
    return image, program


def main():
    folder = Path(sys.argv[1]).resolve()
    nvcc = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")
    if nvcc is None:
        print("SKIPPED: no nvcc here, so the speed of CUB was NOT measured")
        return 77
    torchada = folder / "stage/bin/torchada"
    image, program = build(torchada, nvcc, folder / "benchmarks/cub")
    # OpenMP's threads would go on spinning beside the kernels.
    return subprocess.run([torchada, "run", "--backend=host", f"--kernels={image}", "--", program, *sys.argv[2:]],
                          env={**os.environ, "OMP_WAIT_POLICY": "passive"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
