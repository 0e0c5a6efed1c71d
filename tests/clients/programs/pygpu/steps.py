"""pygpu: arrays of libgpuarray on its CUDA device; kernels that it writes, compiles by NVRTC and launches, and products
by cuBLAS, compared with NumPy."""
from client_steps import close, equal, main, step


def numbers(*shape):
    import numpy
    return numpy.random.default_rng(5).standard_normal(shape).astype(numpy.float32)


def same(array, expected, relative=0.0):
    import numpy
    equal(array.shape, expected.shape)
    close(numpy.asarray(array).ravel().tolist(), expected.ravel().tolist(), relative, relative)


@step("load")
def load():
    import pygpu
    return pygpu


@step("query")
def context(load):
    made = load.init("cuda0")
    equal(made.kind, b"cuda")
    equal(made.devname, "torchada host (CPU)")
    return made


@step("copy")
def copies(load, context):
    for kind in ("float32", "float64", "int8", "uint64", "bool"):
        data = (numbers(7, 33) * 50).astype(kind)
        same(load.array(data, context=context), data)


@step("kernel")
def strides(load, context):
    """What is not contiguous is copied by a kernel."""
    data = numbers(9, 14)
    there = load.array(data, context=context)
    same(there.transpose().copy(), data.T.copy())
    same(there[::2, ::-3].copy(), data[::2, ::-3])


@step("kernel")
def conversion(load, context):
    data = numbers(40) * 100
    same(load.array(data, context=context).astype("int32"), data.astype("int32"))
    same(load.array(data, context=context).astype("float16").astype("float64"),
         data.astype("float16").astype("float64"))


@step("kernel")
def elements(load, context):
    from pygpu.elemwise import elemwise1, elemwise2
    one, other = numbers(5, 40), numbers(40)
    there = load.array(one, context=context)
    there_too = load.array(other, context=context)
    for operator, expected in (("+", one + other), ("*", one * other), ("-", one - other)):
        same(elemwise2(there, operator, there_too, there, broadcast=True), expected, 1e-6)
    same(elemwise1(there, "-"), -one)


@step("kernel")
def expression(load, context):
    """An operation of the caller's own, in C."""
    from pygpu.elemwise import GpuElemwise, arg
    one, other = numbers(300), numbers(300)
    a, b, out = [load.array(data, context=context) for data in (one, other, 0 * one)]
    kernel = GpuElemwise(context, "c = a * a + 2.0f * b", [
        arg("c", "float32", write=True), arg("a", "float32", read=True), arg("b", "float32", read=True)])
    kernel(out, a, b)
    same(out, one * one + 2 * other, 1e-5)


@step("kernel")
def reduction(load, context):
    from pygpu.reduction import ReductionKernel
    data = numbers(6, 500)
    there = load.array(data, context=context)
    for axes, expected in (([True, True], data.sum()), ([False, True], data.sum(1)), ([True, False], data.sum(0))):
        kernel = ReductionKernel(context, "float32", "0", "a + b", axes)
        same(kernel(there), expected, 1e-4)


@step("kernel")
def own_kernel(load, context):
    """A kernel with shared memory and a barrier, in libgpuarray's language."""
    from pygpu import gpuarray
    source = """#include "cluda.h"
KERNEL void turned(GLOBAL_MEM float *a, ga_size offset) {
  LOCAL_MEM float kept[64];
  a = (GLOBAL_MEM float *)(((GLOBAL_MEM char *)a) + offset);
  const ga_size at = GID_0 * LDIM_0 + LID_0;
  kept[LID_0] = a[at];
  local_barrier();
  a[at] = kept[LDIM_0 - 1 - LID_0];
}"""
    data = numbers(4, 64)
    there = load.array(data, context=context)
    kernel = gpuarray.GpuKernel(source, "turned", [gpuarray.GpuArray, "uint64"], context=context)
    kernel(there, there.offset, gs=4, ls=64)
    same(there, data[:, ::-1])


@step("library")
def products(load, context):
    from pygpu import blas
    one, other = numbers(13, 29), numbers(29, 8)
    there = [load.array(data, context=context) for data in (one, other)]
    same(blas.gemm(1.0, *there, 0.0), one @ other, 1e-4)
    same(blas.gemv(1.0, there[0], load.array(other[:, 0].copy(), context=context)), one @ other[:, 0], 1e-4)
    same(blas.dot(*[load.array(data[:29].copy(), context=context) for data in (one[0], other[:, 1])]),
         (one[0] @ other[:, 1]).reshape(()), 1e-4)


main()
