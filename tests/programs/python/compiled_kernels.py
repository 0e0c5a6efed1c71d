"""What tests of kernels compiled at run time share: source to NVRTC, what it gives to the driver, launch."""
import array
import ctypes
import os
import tempfile

import support
from support import ABI, DRIVER, SUCCESS

NVRTC = "libnvrtc.so.%s" % {11: "11.2", 12: "12", 13: "13"}[ABI]
COUNT = 1000

SCALE = b"""
#include "factor.h"
namespace ours {
template <typename T, int kStep>
__global__ void scale(T* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i] * FACTOR + kStep;
}
}
extern "C" __global__ void plus(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += MORE;
}
"""
HEADERS = {b"factor.h": b"#define FACTOR 3\n"}
EXPRESSION = b"ours::scale<float, 2>"


def texts(values):
    return (ctypes.c_char_p * max(len(values), 1))(*values)


class NvrtcTest(support.ProgramTest):

    def setUp(self):
        super().setUp()
        self.nvrtc = ctypes.CDLL(NVRTC)
        pointer = ctypes.c_void_p
        for name in ("PTX", "CUBIN", "ProgramLog"):
            getattr(self.nvrtc, "nvrtcGet" + name).argtypes = [pointer, pointer]
            getattr(self.nvrtc, "nvrtcGet%sSize" % name).argtypes = [pointer, pointer]
        self.nvrtc.nvrtcCompileProgram.argtypes = [pointer, ctypes.c_int, pointer]
        self.nvrtc.nvrtcAddNameExpression.argtypes = [pointer, ctypes.c_char_p]
        self.nvrtc.nvrtcGetLoweredName.argtypes = [pointer, ctypes.c_char_p, pointer]

    def program(self, source=SCALE, name=b"scale.cu", headers=HEADERS, expressions=()):
        program = ctypes.c_void_p()
        self.status(SUCCESS, self.nvrtc.nvrtcCreateProgram, ctypes.byref(program), source, name, len(headers),
                    texts(list(headers.values())), texts(list(headers)))
        self.addCleanup(self.destroy, program)
        for expression in expressions:
            self.status(SUCCESS, self.nvrtc.nvrtcAddNameExpression, program, expression)
        return program

    def destroy(self, program):
        self.status(SUCCESS, self.nvrtc.nvrtcDestroyProgram, ctypes.byref(program))
        self.assertIsNone(program.value)

    def compile(self, program, *options):
        return self.nvrtc.nvrtcCompileProgram(program, len(options), texts(options))

    def size(self, program, what):
        size = ctypes.c_size_t(99)
        self.status(SUCCESS, getattr(self.nvrtc, "nvrtcGet%sSize" % what), program, ctypes.byref(size))
        return size.value

    def get(self, program, what):
        """Exactly the bytes that were promised; what lies behind them must stay as it was."""
        size = self.size(program, what)
        buffer = ctypes.create_string_buffer(b"\x5a" * (size + 8), size + 8)
        self.status(SUCCESS, getattr(self.nvrtc, "nvrtcGet" + what), program, buffer)
        self.assertEqual(b"\x5a" * 8, buffer.raw[size:], what)
        return buffer.raw[:size]

    def log(self, program):
        log = self.get(program, "ProgramLog")
        self.assertEqual(0, log[-1])
        return log[:-1].decode()

    def lowered(self, program, expression):
        name = ctypes.c_char_p()
        self.status(SUCCESS, self.nvrtc.nvrtcGetLoweredName, program, expression, ctypes.byref(name))
        return name.value


class KernelTest(NvrtcTest):

    def setUp(self):
        super().setUp()
        self.cuda = ctypes.CDLL(os.path.join(DRIVER, "libcuda.so.1"))
        self.cudart = support.open_cudart()
        context = ctypes.c_void_p()
        self.status(SUCCESS, self.cuda.cuInit, 0)
        self.status(SUCCESS, self.cuda.cuDevicePrimaryCtxRetain, ctypes.byref(context), 0)
        self.status(SUCCESS, self.cuda.cuCtxSetCurrent, context)
        self.cuda.cuLaunchKernel.argtypes = ([ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3)
        self.values = array.array("f", [i / 4 for i in range(COUNT)])
        self.options = [b"--gpu-architecture=sm_%d" % self.own(), b"-DMORE=5", b"--std=c++17"]

    def folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return made.name

    def own(self):
        number = [ctypes.c_int() for _ in range(2)]
        for attribute, value in zip((75, 76), number):
            self.status(SUCCESS, self.cuda.cuDeviceGetAttribute, ctypes.byref(value), attribute, 0)
        return number[0].value * 10 + number[1].value

    def launch(self, function):
        """The values after one launch."""
        memory, size = ctypes.c_void_p(), COUNT * 4
        self.status(SUCCESS, self.cudart.cudaMalloc, ctypes.byref(memory), size)
        given = (ctypes.c_float * COUNT)(*self.values)
        self.status(SUCCESS, self.cudart.cudaMemcpy, memory, ctypes.byref(given), size, support.HOST_TO_DEVICE)
        count = ctypes.c_int(COUNT)
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(memory), ctypes.addressof(count))
        self.status(SUCCESS, self.cuda.cuLaunchKernel, function, (COUNT + 127) // 128, 1, 1, 128, 1, 1, 0, None,
                    arguments, None)
        self.status(SUCCESS, self.cudart.cudaMemcpy, ctypes.byref(given), memory, size, support.DEVICE_TO_HOST)
        self.status(SUCCESS, self.cudart.cudaFree, memory)
        return list(given)

    def module_function(self, image, name, load="cuModuleLoadData", more=()):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.status(SUCCESS, getattr(self.cuda, load), ctypes.byref(module), image, *more)
        self.status(SUCCESS, self.cuda.cuModuleGetFunction, ctypes.byref(function), module, name)
        return function

    def check_scaled(self, function):
        self.assertEqual([value * 3 + 2 for value in self.values], self.launch(function))
