"""GStreamer: frames in the device's memory through its library for CUDA, a kernel that it compiles by NVRTC, and its
plugin nvcodec."""
import ctypes
import os

from client_steps import available, equal, main, step
from programs import below, output_of

WIDTH, HEIGHT = 50, 30
ROW = WIDTH * 4  # Bytes of a row's picture, in RGBA
PICTURE = bytes(index * 7 % 251 for index in range(HEIGHT * ROW))
READ, WRITE, ON_DEVICE = 1, 2, 1 << 17  # Of GstMapFlags and GST_MAP_CUDA


class Mapped(ctypes.Structure):
    """GstMapInfo"""
    _fields_ = [("memory", ctypes.c_void_p), ("flags", ctypes.c_int), ("data", ctypes.c_void_p),
                ("size", ctypes.c_size_t), ("rest", ctypes.c_void_p * 9)]


class Library:
    """One of GStreamer's: a function returns a pointer unless it is said to return a number."""

    def __init__(self, name):
        self._library = ctypes.CDLL(name)

    def __getattr__(self, name):
        function = getattr(self._library, name)
        function.restype = ctypes.c_void_p
        return function

    def number(self, name, *arguments):
        function = getattr(self._library, name)
        function.restype = ctypes.c_int
        return function(*arguments)


@step("load")
def load():
    gst, video, cuda = map(Library, ("libgstreamer-1.0.so.0", "libgstvideo-1.0.so.0", "libgstcuda-1.0.so.0"))
    gst.gst_init(None, None)
    equal(cuda.number("gst_cuda_load_library"), 1)
    return gst, video, cuda


@step("query")
def context(load):
    cuda = load[2]
    cuda.gst_cuda_memory_init_once()
    made = cuda.gst_cuda_context_new(0)
    available(made, "no context of CUDA")
    return ctypes.c_void_p(made)


class Frame:
    """A picture in GStreamer's memory on the device, of rows that may be longer than the picture."""

    def __init__(self, load, context):
        self.gst, video, cuda = load
        info = ctypes.c_void_p(video.gst_video_info_new())
        video.gst_video_info_set_format(info, video.number("gst_video_format_from_string", b"RGBA"), WIDTH, HEIGHT)
        allocator = ctypes.c_void_p(self.gst.gst_allocator_find(b"gst.cuda.memory"))
        self.memory = ctypes.c_void_p(cuda.gst_cuda_allocator_alloc(allocator, context, info))
        equal(cuda.number("gst_is_cuda_memory", self.memory), 1)

    def at(self, flags, use):
        """What `use` returns of the address and the size."""
        mapped = Mapped()
        equal(self.gst.number("gst_memory_map", self.memory, ctypes.byref(mapped), flags), 1)
        out = use(mapped.data, mapped.size)
        self.gst.gst_memory_unmap(self.memory, ctypes.byref(mapped))
        return out

    def write(self, picture):
        def store(data, size):
            for row in range(HEIGHT):
                ctypes.memmove(data + row * size // HEIGHT, picture[row * ROW:][:ROW], ROW)

        self.at(WRITE, store)

    def read(self):
        return self.at(READ, lambda data, size: picture_in(ctypes.string_at(data, size)))


def picture_in(memory):
    """Without the ends of the rows."""
    return b"".join(memory[row * len(memory) // HEIGHT:][:ROW] for row in range(HEIGHT))


def on_device(context, cuda, work):
    """What `work` returns while the context is current."""
    equal(cuda.number("gst_cuda_context_push", context), 1)
    try:
        return work(ctypes.CDLL("libcuda.so.1"))
    finally:
        equal(cuda.number("gst_cuda_context_pop", None), 1)


@step("copy")
def upload(load, context):
    """Bytes that were written where the processor reads them, by the driver."""
    frame = Frame(load, context)
    frame.write(PICTURE)

    def read(address, size):
        out = ctypes.create_string_buffer(size)
        equal(on_device(context, load[2], lambda driver: driver.cuMemcpyDtoH_v2(
            out, ctypes.c_void_p(address), ctypes.c_size_t(size))), 0)
        return picture_in(out.raw)

    equal(frame.at(READ | ON_DEVICE, read), PICTURE)
    return frame


@step("copy")
def download(load, context, upload):
    """Bytes that the driver wrote, where the processor reads them."""
    def fill(address, size):
        equal(on_device(context, load[2], lambda driver: driver.cuMemsetD8_v2(
            ctypes.c_void_p(address), ctypes.c_ubyte(0xA5), ctypes.c_size_t(size))), 0)

    upload.at(WRITE | ON_DEVICE, fill)
    equal(upload.read(), b"\xa5" * len(PICTURE))


@step("copy")
def copied(load, context):
    """Within the device: another frame of its own."""
    frame = Frame(load, context)
    frame.write(PICTURE)
    memory = ctypes.c_void_p(load[0].gst_memory_copy(frame.memory, ctypes.c_ssize_t(0), ctypes.c_ssize_t(-1)))
    equal(load[2].number("gst_is_cuda_memory", memory), 1)
    frame.write(bytes(len(PICTURE)))
    frame.memory = memory
    equal(frame.read(), PICTURE)


SOURCE = b"""
extern "C" __global__ void brighter(unsigned char *bytes, int count, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) bytes[i] = min(255, bytes[i] + by);
}
"""


@step("kernel")
def own_kernel(load, context):
    """What its converters do: compiled by NVRTC through GStreamer, loaded and launched through it."""
    cuda = load[2]
    os.environ.setdefault("GST_CUDA_NVRTC_LIBNAME", "libnvrtc.so.12")
    equal(cuda.number("gst_cuda_nvrtc_load_library"), 1)
    text = on_device(context, cuda, lambda _: cuda.gst_cuda_nvrtc_compile(SOURCE))
    available(text, "no kernel was compiled")
    frame = Frame(load, context)
    frame.write(PICTURE)
    module, function = ctypes.c_void_p(), ctypes.c_void_p()

    def launch(address, size):
        count, by = ctypes.c_int(size), ctypes.c_int(40)
        data = ctypes.c_void_p(address)
        pointers = (ctypes.c_void_p * 3)(*(ctypes.addressof(each) for each in (data, count, by)))
        equal(cuda.number("CuModuleLoadData", ctypes.byref(module), ctypes.c_void_p(text)), 0)
        equal(cuda.number("CuModuleGetFunction", ctypes.byref(function), module, b"brighter"), 0)
        equal(cuda.number("CuLaunchKernel", function, -(-size // 64), 1, 1, 64, 1, 1, 0, None, pointers, None), 0)
        equal(cuda.number("CuStreamSynchronize", None), 0)
        equal(cuda.number("CuModuleUnload", module), 0)

    frame.at(READ | WRITE | ON_DEVICE, lambda address, size: on_device(context, cuda, lambda _: launch(address, size)))
    equal(list(frame.read()), [min(255, byte + 40) for byte in PICTURE])


@step("copy")
def plugin():
    """A picture to the device and back, by its elements."""
    os.environ["GST_PLUGIN_SYSTEM_PATH"] = below("usr/lib/x86_64-linux-gnu/gstreamer-1.0")
    os.environ["GST_REGISTRY_FORK"] = "no"
    picture = ["videotestsrc", "num-buffers=1", "!", "video/x-raw,format=RGBA,width=64,height=48"]
    end = ["!", "fdsink"]
    start = ["gst-launch-1.0", "--quiet"]
    equal(output_of(*start, *picture, "!", "cudaupload", "!", "cudadownload", *end), output_of(*start, *picture, *end))


main()
