"""StarPU: its CUDA worker alone, by the examples of its package: vectors, products and factors by cuBLAS, which check
their results themselves, and kernels that nvcc compiled."""
import os
import re

from client_steps import close, equal, main, step
from programs import below, output_of

EXAMPLES = "usr/lib/x86_64-linux-gnu/starpu/examples"


@step("load")
def load():
    # No worker but that of the device: each task runs there, or the example fails.
    os.environ.update({"STARPU_NCPU": "0", "STARPU_NCUDA": "1", "STARPU_NOPENCL": "0", "STARPU_SILENT": "1"})
    equal(os.path.exists(below(EXAMPLES, "axpy")), True)


def example(name, *words):
    """What it prints, some of it on stderr."""
    return output_of("sh", "-c", 'exec "$@" 2>&1', "sh", below(EXAMPLES, name), *words).decode()


@step("query")
def workers(load):
    said = output_of("starpu_machine_display").decode()
    equal(re.findall(r"CUDA (\d+)\.\d+ \((.*?) [\d.]+ GiB", said)[:1], [("0", "torchada host (CPU)")])


@step("library")
def vectors(load):
    """y = a x + y, in blocks: cublasSaxpy."""
    found = re.search(r"AFTER y\[0\] = ([\d.]+) \(ALPHA = ([\d.]+)\)", example("axpy"))
    close([float(found[1])], [4 + float(found[2])], 1e-3)


@step("library")
def products(load):
    for name in ("sgemm", "dgemm"):
        equal("Results are OK" in example(name, "-check"), True, name)


@step("library")
def factors(load):
    """L and U of a matrix in tiles: products, triangular solutions and more of cuBLAS."""
    for name, most in (("lu_example_float", 1e-6), ("lu_example_double", 1e-14)):
        said = example(name, "-check", "-size", "256", "-nblocks", "4")
        error = re.search(r"\|\|A-LU\|\| / \(\|\|A\|\|\*N\) : (\S+)", said)
        equal(float(error[1]) < most, True, error[0])


@step("library")
def conjugate_gradients(load):
    found = re.search(r"iter \d+ DELTA \S+ - (\S+)", example("cg"))
    equal(float(found[1]) < 1e-3, True, found[0])


@step("kernel")
def own_kernels(load):
    output_of(below(EXAMPLES, "vector_scal"))


main()
