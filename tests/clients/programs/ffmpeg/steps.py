"""FFmpeg: its CUDA device, frames in five formats uploaded and downloaded, its filters for CUDA, NVENC and NVDEC."""
from client_steps import equal, main, step
from programs import output_of

FORMATS = ("nv12", "yuv420p", "yuv444p", "p010le", "bgr0")
WIDTH, HEIGHT, FRAMES = 322, 242, 4  # No multiples of what a device likes.
PICTURES = ["-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate=5"]
DEVICE = ["-init_hw_device", "cuda=first:0", "-filter_hw_device", "first"]


def ffmpeg(*words):
    return output_of("ffmpeg", "-hide_banner", "-nostdin", "-v", "error", *words)


def frames(filters, *before):
    """The bytes of each frame that filters make of the test pictures."""
    out = ffmpeg(*before, *PICTURES, "-frames:v", str(FRAMES), "-vf", filters, "-f", "rawvideo", "-")
    equal(len(out) % FRAMES, 0, "bytes beyond whole frames")
    size = len(out) // FRAMES
    return [out[at:at + size] for at in range(0, len(out), size)]


@step("load")
def load():
    equal(output_of("ffmpeg", "-version")[:18].decode(), "ffmpeg version 5.1")


@step("host")
def on_the_cpu(load):
    made = {name: frames(f"format={name}") for name in FORMATS}
    equal(len(set(made["nv12"])), FRAMES, "different frames")
    return made


@step("query")
def device(load):
    equal(b"cuda" in ffmpeg("-hwaccels"), True)
    ffmpeg(*DEVICE, *PICTURES, "-frames:v", "1", "-f", "null", "-")


@step("query")
def absent_device(device):
    """There is one device."""
    try:
        ffmpeg("-init_hw_device", "cuda=second:1", *PICTURES, "-frames:v", "1", "-f", "null", "-")
    except OSError as error:
        equal("CUDA_ERROR_INVALID_DEVICE" in str(error), True, str(error))
    else:
        raise AssertionError("the device 1 was found")


@step("copy")
def upload_and_download(on_the_cpu, device):
    for name, expected in on_the_cpu.items():
        there_and_back = frames(f"format={name},hwupload,hwdownload,format={name}", *DEVICE)
        for index, (one, other) in enumerate(zip(there_and_back, expected)):
            equal(one == other, True, f"frame {index} of {name}")


@step("copy")
def upload_by_its_own_filter(on_the_cpu, device):
    """hwupload_cuda makes the device itself."""
    for one, other in zip(frames("format=nv12,hwupload_cuda=device=0,hwdownload,format=nv12"), on_the_cpu["nv12"]):
        equal(one == other, True, "frame")


@step("copy")
def two_devices(on_the_cpu, device):
    """From one context to memory of another one, through the host."""
    filters = "format=nv12,hwupload_cuda,hwdownload,format=nv12,hwupload_cuda,hwdownload,format=nv12"
    for one, other in zip(frames(filters), on_the_cpu["nv12"]):
        equal(one == other, True, "frame")


def filtered(filters):
    return frames(f"format=yuv420p,hwupload,{filters},hwdownload,format=yuv420p", *DEVICE)


@step("kernel")
def scaling(device):
    filtered("scale_cuda=160:120")


@step("kernel")
def deinterlacing(device):
    filtered("yadif_cuda")


@step("kernel")
def chroma_key(device):
    filtered("chromakey_cuda=green")


@step("library")
def encoding(device):
    ffmpeg(*PICTURES, "-frames:v", "3", "-c:v", "h264_nvenc", "-f", "null", "-")


@step("host")
def film(load):
    ffmpeg(*PICTURES, "-frames:v", "5", "-c:v", "libx264", "-y", "film.mp4")
    return "film.mp4"


@step("library")
def decoding(film, device):
    """By NVDEC, asked for by the decoder's name."""
    ffmpeg(*DEVICE, "-c:v", "h264_cuvid", "-i", film, "-f", "null", "-")


@step("host")
def decoding_elsewhere(film, device):
    """-hwaccel cuda goes on by the CPU's decoder if NVDEC is missing."""
    equal(ffmpeg("-hwaccel", "cuda", "-i", film, "-f", "framemd5", "-"), ffmpeg("-i", film, "-f", "framemd5", "-"))


main()
