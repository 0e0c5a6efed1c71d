"""PyCUDA: devices, memory, copies of several shapes, streams and events, arrays, kernels that NVRTC compiled, and those
that it compiles by nvcc, to cubins."""
import ctypes
import os

from client_steps import close, equal, main, step

SOURCE = b"""extern "C" __global__ void scaled(float *out, const float *in, float factor, int count) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) out[at] = in[at] * factor;
}"""


def numbers(*shape):
    import numpy
    return numpy.random.default_rng(7).standard_normal(shape).astype(numpy.float32)


def same(actual, expected, relative=0.0):
    equal(actual.shape, expected.shape)
    close(actual.ravel().tolist(), expected.ravel().tolist(), relative)


@step("load")
def load():
    import pycuda.driver
    os.environ["PATH"] += ":/usr/local/cuda/bin"  # nvcc of a CUDA toolkit, which any client of sources needs.
    return pycuda.driver


@step("query")
def devices(load):
    load.init()
    equal(load.Device.count(), 1)
    device = load.Device(0)
    equal(device.compute_capability(), (8, 0))
    equal(device.total_memory(), 2 << 30)
    equal(device.get_attribute(load.device_attribute.WARP_SIZE), 32)
    return device


@step("query")
def context(load, devices):
    made = devices.make_context()
    import atexit
    atexit.register(made.pop)
    return made


@step("copy")
def copies(load, context):
    import numpy
    data, back = numbers(1000), numpy.empty(1000, numpy.float32)
    there, there_too = load.mem_alloc(4000), load.mem_alloc(4000)
    load.memcpy_htod(there, data)
    load.memcpy_dtod(there_too, there, 4000)
    load.memcpy_dtoh(back, there_too)
    same(back, data)
    load.memset_d32(int(there) + 400, 0, 100)
    load.memcpy_dtoh(back, there)
    data[100:200] = 0
    same(back, data)


@step("copy")
def copies_of_rectangles(load, context):
    import numpy
    data, back = numbers(20, 30), numpy.zeros((8, 12), numpy.float32)
    there, pitch = load.mem_alloc_pitch(30 * 4, 20, 4)
    copy = load.Memcpy2D()
    copy.set_src_host(data)
    copy.set_dst_device(there)
    copy.src_pitch, copy.dst_pitch, copy.width_in_bytes, copy.height = 30 * 4, pitch, 30 * 4, 20
    copy(aligned=True)
    copy = load.Memcpy2D()
    copy.set_src_device(there)
    copy.set_dst_host(back)
    copy.src_pitch, copy.src_x_in_bytes, copy.src_y = pitch, 5 * 4, 3
    copy.dst_pitch, copy.width_in_bytes, copy.height = 12 * 4, 12 * 4, 8
    copy(aligned=True)
    same(back, data[3:11, 5:17])


@step("copy")
def streams_and_events(load, context):
    data = load.pagelocked_empty(5000, "float32")
    back = load.pagelocked_empty(5000, "float32")
    data[:] = numbers(5000)
    stream, there, begin, end = load.Stream(), load.mem_alloc(data.nbytes), load.Event(), load.Event()
    begin.record(stream)
    load.memcpy_htod_async(there, data, stream)
    load.memcpy_dtoh_async(back, there, stream)
    end.record(stream)
    end.synchronize()
    same(back, data)
    equal(begin.time_till(end) >= 0, True)


@step("copy")
def arrays(context):
    import pycuda.gpuarray
    data = numbers(12, 9)
    there = pycuda.gpuarray.to_gpu(data)
    same(there.get(), data)
    same(there[3:7].get(), data[3:7])
    same(pycuda.gpuarray.to_gpu(data.astype("complex128")).get().real, data.astype("float64"))


def compiled(source):
    """As NVRTC compiles it: no package of PyCUDA's does that."""
    compiler, program, size = ctypes.CDLL("libnvrtc.so.11.2"), ctypes.c_void_p(), ctypes.c_size_t()
    equal(compiler.nvrtcCreateProgram(ctypes.byref(program), source, b"source.cu", 0, None, None), 0)
    equal(compiler.nvrtcCompileProgram(program, 0, None), 0)
    equal(compiler.nvrtcGetPTXSize(program, ctypes.byref(size)), 0)
    code = ctypes.create_string_buffer(size.value)
    equal(compiler.nvrtcGetPTX(program, code), 0)
    return code.raw


@step("kernel")
def kernel(load, context):
    import numpy
    function = load.module_from_buffer(compiled(SOURCE)).get_function("scaled")
    data, out = numbers(777), numpy.zeros(777, numpy.float32)
    function(load.Out(out), load.In(data), numpy.float32(3), numpy.int32(777), block=(64, 1, 1), grid=(13, 1))
    same(out, data * numpy.float32(3))
    equal(function.get_attribute(load.function_attribute.MAX_THREADS_PER_BLOCK) >= 64, True)


@step("kernel")
def kernel_on_a_stream(load, context):
    import numpy
    import pycuda.gpuarray
    function = load.module_from_buffer(compiled(SOURCE)).get_function("scaled")
    function.prepare("PPfi")
    data, stream = pycuda.gpuarray.to_gpu(numbers(256)), load.Stream()
    function.prepared_async_call((4, 1), (64, 1, 1), stream, data.gpudata, data.gpudata, 0.5, 256)
    stream.synchronize()
    same(data.get(), numbers(256) * numpy.float32(0.5))


@step("kernel")
def kernel_set_up_as_in_cuda_3(load, context):
    """By the functions of CUDA 3, which it keeps under such names."""
    import numpy
    import pycuda.gpuarray
    function = load.module_from_buffer(compiled(SOURCE)).get_function("scaled")
    data, out = pycuda.gpuarray.to_gpu(numbers(300)), pycuda.gpuarray.to_gpu(numbers(300))
    function._set_block_shape(32, 1, 1)
    function._set_shared_size(0)
    function._param_setv(0, numpy.array([out.ptr, data.ptr], numpy.uint64))
    function._param_setf(16, 0.25)
    function._param_seti(20, 300)
    function._param_set_size(24)
    function._launch_grid(10, 1)
    same(out.get(), numbers(300) * numpy.float32(0.25))
    stream = load.Stream()
    function._param_setf(16, 4)
    function._launch_grid_async(5, 2, stream)
    stream.synchronize()
    same(out.get()[:160], numbers(300)[:160] * numpy.float32(4))
    same(out.get()[160:], numbers(300)[160:] * numpy.float32(0.25))


@step("kernel")
def kernel_by_nvcc(load, context):
    from pycuda.compiler import SourceModule
    SourceModule(SOURCE.decode(), no_extern_c=True)


@step("kernel")
def arithmetic(context):
    """Of arrays: by kernels that it writes and compiles by nvcc."""
    import pycuda.gpuarray
    data = numbers(100)
    same((2 * pycuda.gpuarray.to_gpu(data)).get(), 2 * data)


main()
