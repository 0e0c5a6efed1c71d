"""Compiles a source by nvrtcCompileProgram, for hostile_sources.py.

  hostile_nvrtc.py LIBNVRTC FOLDER SOURCE IMAGE

FOLDER is for -I. Prints the log. Exit status: 0 IMAGE was made, 1 the source does not compile, more: what must not be.
"""
import ctypes
import os
import sys

COMPILATION = 6
LEFT, OTHER = 90, 100


def text_of(nvrtc, program, what):
    size = ctypes.c_size_t()
    assert getattr(nvrtc, "nvrtcGet%sSize" % what)(program, ctypes.byref(size)) == 0
    buffer = ctypes.create_string_buffer(size.value)
    assert getattr(nvrtc, "nvrtcGet" + what)(program, buffer) == 0
    return buffer.raw


def main():
    library, folder, source, image = sys.argv[1:]
    nvrtc = ctypes.CDLL(library)
    program = ctypes.c_void_p()
    with open(source, "rb") as file:
        text = file.read()  # ctypes gives all of it; what follows a zero is not the source's
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), ctypes.c_char_p(text), b"hostile.cu", 0, None, None) == 0
    options = (ctypes.c_char_p * 1)(b"-I" + folder.encode())
    status = nvrtc.nvrtcCompileProgram(program, 1, options)
    sys.stdout.buffer.write(text_of(nvrtc, program, "ProgramLog").rstrip(b"\0"))
    sys.stdout.flush()
    if status == 0:
        with open(image, "wb") as out:
            out.write(text_of(nvrtc, program, "CUBIN"))
    assert nvrtc.nvrtcDestroyProgram(ctypes.byref(program)) == 0
    left = os.listdir(os.environ["TMPDIR"])
    if left:
        print("left:", *left)
        return LEFT
    return {0: 0, COMPILATION: 1}.get(status, OTHER + status)


if __name__ == "__main__":
    sys.exit(main())
