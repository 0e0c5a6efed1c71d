"""Kernels compiled at run time through ctypes: source to NVRTC, what it gives to the driver or the runtime, launch,
and results compared with Python's."""
import array
import ctypes
import itertools
import os
import resource
import tempfile
import threading
import time

import support
from support import ABI, DRIVER, NO_KERNEL_IMAGE, SUCCESS

NVRTC = "libnvrtc.so.%s" % {11: "11.2", 12: "12", 13: "13"}[ABI]
(INVALID_INPUT, INVALID_PROGRAM, INVALID_OPTION, COMPILATION, NO_COMPILER, TOO_LATE, TOO_EARLY, NO_SUCH_EXPRESSION,
 INTERNAL_ERROR, CANCELLED) = 3, 4, 5, 6, 7, 8, 9, 10, 11, 16
INVALID_VALUE, INVALID_IMAGE, NO_BINARY, FILE_NOT_FOUND, INVALID_HANDLE, NOT_FOUND = 1, 200, 209, 301, 400, 500
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
# Threads that wait have stacks where a function that is called waits, and else frames.
STARVING = b"""
__device__ __noinline__ void wait() { __syncthreads(); }
extern "C" __global__ void stacks(float* x) {
  x[threadIdx.x] = 1;
  wait();
}
extern "C" __global__ void frames(float* x) {
  float mine[15000];
  for (int i = 0; i < 15000; ++i) mine[i] = x[i % 1000] + i;
  __syncthreads();
  x[threadIdx.x] = mine[threadIdx.x * blockDim.y + blockIdx.x];
}
"""
HEADERS = {b"factor.h": b"#define FACTOR 3\n"}
EXPRESSION = b"ours::scale<float, 2>"


def texts(values):
    return (ctypes.c_char_p * max(len(values), 1))(*values)


class Nvrtc(support.ProgramTest):

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

    def architectures(self):
        number = ctypes.c_int(-1)
        self.status(SUCCESS, self.nvrtc.nvrtcGetNumSupportedArchs, ctypes.byref(number))
        listed = (ctypes.c_int * (number.value + 1))(*[-1] * (number.value + 1))
        self.status(SUCCESS, self.nvrtc.nvrtcGetSupportedArchs, listed)
        self.assertEqual(-1, listed[number.value])
        return list(listed)[:number.value]


class Compiled(Nvrtc):

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

    def test_template_by_name_expression(self):
        program = self.program(expressions=[EXPRESSION, b"plus"])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        cubin = self.get(program, "CUBIN")
        self.check_scaled(self.module_function(cubin, self.lowered(program, EXPRESSION)))
        self.assertEqual(b"plus", self.lowered(program, b"plus"))
        self.assertEqual([value + 5 for value in self.values], self.launch(self.module_function(cubin, b"plus")))

    def test_static_names_as_nvidia_writes_them(self):
        """What nvrtcGetLoweredName of CUDA 13.0 answers; programs have the plain ones in their sources."""
        program = self.program(b"static __constant__ int held[4];\nstatic __device__ int own;\n"
                               b"static __global__ void work(int* out) { *out = held[0] + own; }",
                               expressions=[b"work", b"&own"])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        module, address, size = ctypes.c_void_p(), ctypes.c_ulonglong(), ctypes.c_size_t()
        self.status(SUCCESS, self.cuda.cuModuleLoadData, ctypes.byref(module), self.get(program, "CUBIN"))
        for name, expected in ((b"held", 16), (b"own", 4), (self.lowered(program, b"&own"), 4)):
            self.status(SUCCESS, self.cuda.cuModuleGetGlobal_v2, ctypes.byref(address), ctypes.byref(size), module,
                        name)
            self.assertEqual(expected, size.value, name)
        self.status(NOT_FOUND, self.cuda.cuModuleGetGlobal_v2, ctypes.byref(address), None, module, b"absent")
        function = ctypes.c_void_p()
        self.status(SUCCESS, self.cuda.cuModuleGetFunction, ctypes.byref(function), module, b"_Z4workPi")
        self.status(NOT_FOUND, self.cuda.cuModuleGetFunction, ctypes.byref(function), module, b"_Z4workPl")

    def test_ptx_is_the_image_with_a_zero(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        ptx = self.get(program, "PTX")
        self.assertEqual(self.get(program, "CUBIN") + b"\0", ptx)
        name = self.lowered(program, EXPRESSION)
        self.check_scaled(self.module_function(ptx, name))
        self.check_scaled(self.module_function(ptx, name, "cuModuleLoadDataEx", (0, None, None)))

    def test_virtual_architecture_gives_ptx_only(self):
        program = self.program(expressions=[EXPRESSION])
        options = [b"--gpu-architecture=compute_%d" % self.own(), *self.options[1:]]
        self.assertEqual(SUCCESS, self.compile(program, *options), self.log(program))
        self.assertEqual(0, self.size(program, "CUBIN"))
        self.check_scaled(self.module_function(self.get(program, "PTX"), self.lowered(program, EXPRESSION)))

    def link(self, *images, logs=256, status=SUCCESS):
        """A state with the images, the status of the last, and the error log's bytes and told length."""
        self.cuda.cuLinkAddData_v2.argtypes = ([ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t,
                                                ctypes.c_char_p, ctypes.c_uint] + [ctypes.c_void_p] * 2)
        error, info = (ctypes.create_string_buffer(b"\x5a" * (logs + 8), logs + 8) for _ in range(2))
        self.kept = error, info
        options = (ctypes.c_int * 4)(5, 6, 3, 4)  # CU_JIT_ERROR_LOG_BUFFER, its size, CU_JIT_INFO_LOG_BUFFER, its size
        values = (ctypes.c_void_p * 4)(ctypes.addressof(error), logs, ctypes.addressof(info), logs)
        state = ctypes.c_void_p()
        self.status(SUCCESS, self.cuda.cuLinkCreate_v2, 4, options, values, ctypes.byref(state))
        self.assertEqual((b"", b""), (error.value, info.value))
        for number, image in enumerate(images):
            expected = status if number == len(images) - 1 else SUCCESS
            self.status(expected, self.cuda.cuLinkAddData_v2, state, 1, image, len(image), b"input%d" % number, 0, None,
                        None)
        self.assertEqual((b"\x5a" * 8, b"\x5a" * 8), (error.raw[logs:], info.raw[logs:]))
        return state, error.value, values

    def complete(self, state):
        image, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.status(SUCCESS, self.cuda.cuLinkComplete, state, ctypes.byref(image), ctypes.byref(size))
        copy = ctypes.string_at(image, size.value)
        self.status(SUCCESS, self.cuda.cuLinkDestroy, state)
        self.status(INVALID_HANDLE, self.cuda.cuLinkDestroy, state)
        return copy

    def test_link_of_one_image_is_that_image(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        for image in self.get(program, "PTX"), self.get(program, "CUBIN"):
            state, log, values = self.link(image)
            linked = self.complete(state)
            self.assertEqual((image, b""), (linked, log))
            self.assertEqual((None, None), (values[1], values[3]))  # Nothing was said.
            self.check_scaled(self.module_function(linked, self.lowered(program, EXPRESSION), "cuModuleLoadDataEx",
                                                   (0, None, None)))

    def test_link_of_several_images_has_the_kernels_of_all(self):
        images = []
        for number in range(3):
            program = self.program(b"__constant__ int value%d = %d;\n"
                                   b'extern "C" __global__ void plus%d(float* values, int count) {'
                                   b"  const int i = blockIdx.x * blockDim.x + threadIdx.x;"
                                   b"  if (i < count) values[i] += value%d; }" % ((number, number + 1) + (number,) * 2),
                                   headers={}, expressions=[b"&value%d" % number])
            self.assertEqual(SUCCESS, self.compile(program, self.options[0]), self.log(program))
            images.append((self.get(program, "PTX"), self.lowered(program, b"&value%d" % number)))
        state, _, _ = self.link(*(image for image, _ in images))
        linked = self.complete(state)
        for load, function, unload in (("cuModuleLoadData", "cuModuleGetFunction", "cuModuleUnload"),
                                       ("cuLibraryLoadData", "cuLibraryGetKernel", "cuLibraryUnload")):
            module, of_function = ctypes.c_void_p(), ctypes.c_void_p()
            more = (None, None, 0, None, None, 0) if load.startswith("cuLib") else ()
            self.status(SUCCESS, getattr(self.cuda, load), ctypes.byref(module), linked, *more)
            inner = ctypes.c_void_p(module.value)  # The module, or that of the library.
            if more:
                self.status(SUCCESS, self.cuda.cuLibraryGetModule, ctypes.byref(inner), module)
            for number, (_, variable) in enumerate(images):
                found, address, size = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_size_t()
                self.status(SUCCESS, getattr(self.cuda, function), ctypes.byref(found), module, b"plus%d" % number)
                self.assertEqual([value + number + 1 for value in self.values], self.launch(found))
                constant = ctypes.c_int(-1)
                if more:
                    self.status(SUCCESS, self.cuda.cuKernelGetFunction, ctypes.byref(found), found)
                self.status(SUCCESS, self.cuda.cuFuncGetAttribute, ctypes.byref(constant), 2, found)
                self.assertEqual(4, constant.value)  # CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES
                self.status(SUCCESS, self.cuda.cuFuncGetModule, ctypes.byref(of_function), found)
                self.assertEqual(inner.value, of_function.value)
                self.status(SUCCESS, self.cuda.cuModuleGetGlobal_v2, ctypes.byref(address), ctypes.byref(size), inner,
                            variable)
                self.assertEqual(4, size.value)
            for get, where in ((getattr(self.cuda, function), module), (self.cuda.cuModuleGetTexRef, inner)):
                self.status(NOT_FOUND, get, ctypes.byref(found), where, b"absent")
            self.status(SUCCESS, getattr(self.cuda, unload), module)
            self.status(INVALID_HANDLE, getattr(self.cuda, unload), module)
        # Whatever is damaged in it, nothing is read beyond it, and nothing of it stays loaded.
        for place in [*range(0, 48, 4), 100, 200, len(linked) // 2]:
            damaged = bytearray(linked)
            damaged[place] ^= 0x80
            self.cuda.cuModuleLoadData(ctypes.byref(module), bytes(damaged))
        self.status(INVALID_IMAGE, self.cuda.cuModuleLoadData, ctypes.byref(module), linked[:24] + b"\xff" * 24)
        self.said()

    def test_link_refuses_what_is_not_ours(self):
        program = self.program()
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        ptx = self.get(program, "PTX")
        for image, status, text in ((b"//\n.version 8.0\n.target sm_80\n\0", NO_BINARY, b"PTX does not run on MUSA"),
                                    (b"!<arch>\n" + b" " * 90, NO_BINARY, b"an archive does not run on MUSA"),
                                    (ptx[:7], INVALID_IMAGE, b"cut off"), (ptx[:-100], INVALID_IMAGE, b"cut off"),
                                    (b"nothing of the kind\0", INVALID_IMAGE, b"cannot load this image by itself")):
            with self.subTest(image[:20]):
                state, log, values = self.link(ptx, image, status=status)
                self.assertRegex(log, b"^error : input1: .*" + text)
                self.assertEqual(len(log), values[1])
                self.assertEqual(ptx, self.complete(state))  # What was taken before is there.
                # A short buffer has the beginning, and ends.
                self.assertEqual(b"error : input0:", self.link(image, logs=16, status=status)[1])
        self.assertRegex(self.said(), r"cuLinkAddData_v2 is not supported with data=PTX: .* \(209\)\n")

    def test_link_arguments(self):
        state, _, _ = self.link()
        out, size, pointer = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.byref(ctypes.c_void_p())
        bad = (ctypes.c_int * 1)(999)
        self.status(INVALID_VALUE, self.cuda.cuLinkCreate_v2, 0, None, None, None)
        self.status(INVALID_VALUE, self.cuda.cuLinkCreate_v2, 1, None, None, pointer)
        self.status(INVALID_VALUE, self.cuda.cuLinkCreate_v2, 1, bad, (ctypes.c_void_p * 1)(), pointer)
        for add, first in ((self.cuda.cuLinkAddData_v2, (b"x", 1, b"n")), (self.cuda.cuLinkAddFile_v2, (b"/none",))):
            self.status(INVALID_HANDLE, add, None, 1, *first, 0, None, None)
            self.status(INVALID_VALUE, add, state, 77, *first, 0, None, None)
            self.status(INVALID_VALUE, add, state, 1, None, *first[1:], 0, None, None)
            self.status(INVALID_VALUE, add, state, 1, *first, 1, None, None)
        for path in (b"/none", b"/dev/zero", b"/tmp"):
            self.status(FILE_NOT_FOUND, self.cuda.cuLinkAddFile, state, 1, path, 0, None, None)
        self.status(INVALID_VALUE, self.cuda.cuLinkComplete, state, ctypes.byref(out), None)  # Nothing was added.
        self.status(INVALID_HANDLE, self.cuda.cuLinkComplete, None, ctypes.byref(out), None)
        program = self.program()
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        with tempfile.NamedTemporaryFile() as file:
            file.write(self.get(program, "CUBIN"))
            file.flush()
            self.status(SUCCESS, self.cuda.cuLinkAddFile, state, 0, file.name.encode(), 0, None, None)
        self.status(INVALID_VALUE, self.cuda.cuLinkComplete, state, None, ctypes.byref(size))
        self.assertEqual(self.get(program, "CUBIN"), self.complete(state))

    def test_libraries(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        image, name = self.get(program, "CUBIN"), self.lowered(program, EXPRESSION)
        for load, get in (("cuLibraryLoadData", "cuLibraryGetKernel"), ("cudaLibraryLoadData", "cudaLibraryGetKernel")):
            if load.startswith("cuda") and ABI == 11:
                continue
            door = self.cudart if load.startswith("cuda") else self.cuda
            library, kernel = ctypes.c_void_p(), ctypes.c_void_p()
            self.status(SUCCESS, getattr(door, load), ctypes.byref(library), image, None, None, 0, None, None, 0)
            self.status(SUCCESS, getattr(door, get), ctypes.byref(kernel), library, name)
            self.check_scaled(kernel)

    def test_the_hosts_initialisers_do_not_run(self):
        program = self.program(b'static int x = *(int*)8;\n' + Refused.KERNEL, headers={})
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        self.module_function(self.get(program, "CUBIN"), b"k")

    def test_compiled_again(self):
        program = self.program()
        for more in (1, 2):
            self.assertEqual(SUCCESS, self.compile(program, self.options[0], b"-DMORE=%d" % more), self.log(program))
            self.assertEqual([value + more for value in self.values],
                             self.launch(self.module_function(self.get(program, "CUBIN"), b"plus")))
        self.assertEqual(TOO_LATE, self.nvrtc.nvrtcAddNameExpression(program, b"plus"))

    def test_files_replaced_while_they_are_loaded(self):
        """A load gives one of the two images, or is refused with a line; what was loaded before stays as it was."""
        images = []
        for more in (1, 2):
            program = self.program()
            self.assertEqual(SUCCESS, self.compile(program, self.options[0], b"-DMORE=%d" % more), self.log(program))
            images.append(self.get(program, "CUBIN"))
        path = os.path.join(self.folder(), "image")
        with open(path, "wb") as file:
            file.write(images[0])
        kept = self.module_function(path.encode(), b"plus", "cuModuleLoad")
        ended = threading.Event()

        def replace():
            for round_number in itertools.count():
                if ended.is_set():
                    return
                # Every third time in place, in two halves, as cp does.
                target = path if round_number % 3 == 0 else path + ".new"
                image = images[round_number % 2]
                with open(target, "wb", buffering=0) as file:
                    file.write(image[:len(image) // 2])
                    file.write(image[len(image) // 2:])
                if target != path:
                    os.replace(target, path)

        thread = threading.Thread(target=replace)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(ended.set)
        loaded = attempts = 0
        while loaded < 20:
            attempts += 1
            self.assertLess(attempts, 20000, loaded)
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            status = self.cuda.cuModuleLoad(ctypes.byref(module), path.encode())
            if status != SUCCESS:
                self.assertIn(status, (INVALID_IMAGE, FILE_NOT_FOUND, NO_KERNEL_IMAGE))
                continue
            loaded += 1
            self.status(SUCCESS, self.cuda.cuModuleGetFunction, ctypes.byref(function), module, b"plus")
            changes = {after - before for before, after in zip(self.values, self.launch(function))}
            self.assertIn(changes, ({1.0}, {2.0}))
            self.status(SUCCESS, self.cuda.cuModuleUnload, module)
        self.assertEqual([value + 1 for value in self.values], self.launch(kept))
        self.said()  # One line for each refusal.

    def test_link_of_a_file_that_is_cut_off_meanwhile(self):
        """Each time it is added whole, or refused. What it has not must not be read: that would end the program."""
        program = self.program()
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        image = self.get(program, "CUBIN")
        path = os.path.join(self.folder(), "image").encode()
        ended = threading.Event()

        def cut_off():
            while not ended.is_set():
                with open(path, "wb", buffering=0) as file:  # Cuts it off first.
                    time.sleep(0.0005)
                    file.write(image)
                time.sleep(0.0005)

        thread = threading.Thread(target=cut_off)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(ended.set)
        tried = added = 0
        while tried < 2000 or not added:
            self.assertLess(tried, 200000)
            tried += 1
            state, _, _ = self.link()
            status = self.cuda.cuLinkAddFile_v2(state, 0, path, 0, None, None)
            if status == SUCCESS:
                added += 1
                self.assertEqual(image, self.complete(state))
            else:
                self.assertIn(status, (INVALID_IMAGE, FILE_NOT_FOUND, NO_KERNEL_IMAGE))
                self.status(SUCCESS, self.cuda.cuLinkDestroy, state)
        self.assertLess(added, tried)
        self.said()  # One line for each refusal.

    def test_an_error_names_file_and_line(self):
        program = self.program(b"// one\n// two\n__global__ void k(int* a) {\n  a[0] = wrong;\n}\n", b"mine.cu", {})
        self.assertEqual(COMPILATION, self.compile(program, self.options[0]))
        log = self.log(program)
        self.assertRegex(log, r"mine\.cu[:(]4\b[^\n]*error[^\n]*\n?")
        self.assertIn("wrong", log)
        self.assertEqual((1, 0), (self.size(program, "PTX"), self.size(program, "CUBIN")))
        name = ctypes.c_char_p()
        self.assertEqual(TOO_EARLY, self.nvrtc.nvrtcGetLoweredName(program, b"k", ctypes.byref(name)))
        # The same program without the error.
        self.assertEqual(SUCCESS, self.compile(program, self.options[0], b"-Dwrong=7"), self.log(program))
        self.assertEqual(7, array.array("i", array.array("f", self.launch(
            self.module_function(self.get(program, "CUBIN"), b"_Z1kPi"))).tobytes())[0])

    def test_an_error_in_a_header(self):
        program = self.program(b'#include "part.h"\n', b"mine.cu", {b"part.h": b"\n\nint wrong = ;\n"})
        self.assertEqual(COMPILATION, self.compile(program))
        self.assertRegex(self.log(program), r"part\.h[:(]3\b")

    def test_unknown_expression(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        name = ctypes.c_char_p()
        self.assertEqual(NO_SUCH_EXPRESSION,
                         self.nvrtc.nvrtcGetLoweredName(program, b"ours::scale<int, 1>", ctypes.byref(name)))

    def test_functions_without_a_mark(self):
        source = (b"template <typename T> T twice(T value) { return value + value; }\n"
                  b"extern \"C\" __global__ void k(float* a, int n) {\n"
                  b"  for (int i = threadIdx.x; i < n; i += blockDim.x) if (blockIdx.x == 0) a[i] = twice(a[i]);\n}\n")
        program = self.program(source, b"mine.cu", {})
        self.assertEqual(SUCCESS, self.compile(program, self.options[0], b"-default-device"), self.log(program))
        self.assertEqual([2 * value for value in self.values],
                         self.launch(self.module_function(self.get(program, "CUBIN"), b"k")))

    def test_options(self):
        program = self.program()
        for options in ([b"-arch", b"sm_%d" % self.own(), b"-D", b"MORE=1", b"-w"],
                        [b"-arch=sm_80", b"-DMORE=1"], [b"-DMORE=1"],
                        [b"--define-macro=MORE=1", b"-I", b"/usr/include", b"--include-path=/tmp", b"-I/"],
                        [b"-DMORE=1", b"-UNO", b"--undefine-macro=NO", b"--pre-include=factor.h", b"-std=c++14"],
                        [b"-DMORE=1", b"--use_fast_math", b"--fmad=false", b"-ftz=true", b"--prec-div=false"],
                        [b"-DMORE=1", b"-G", b"-lineinfo", b"-rdc=true", b"-dc", b"--maxrregcount=32", b"-ewp"],
                        [b"-DMORE=1", b"-Xptxas", b"-v", b"--pch", b"--restrict", b"-opt-info=inline"]):
            self.assertEqual(SUCCESS, self.compile(program, *options), (options, self.log(program)))
            self.assertEqual("", self.log(program), options)

    def test_products_and_sums(self):
        """One operation, as nvcc has it, only where --fmad allows it and the CPU has it."""
        source = (b"extern \"C\" __global__ void k(float* a, int n) {\n  const float x = 1 + n / 4096000.F;\n"
                  b"  a[0] = x * x - (1 + 2 * (x - 1));\n}\n")
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpu:
            has_fma = {"fma", "avx2"} <= set(cpu.read().split())
        for option, expected in ((b"--fmad=false", 0), (b"-fmad=true", 2 ** -24 if has_fma else 0)):
            program = self.program(source, b"fma.cu", {})
            self.assertEqual(SUCCESS, self.compile(program, self.options[0], option), self.log(program))
            self.assertEqual(expected, self.launch(self.module_function(self.get(program, "CUBIN"), b"k"))[0], option)

    def test_callback_cancels(self):
        if ABI == 11:
            return  # NVRTC 11 has no callbacks.
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        answers, asked = [0, 1], []

        def ask(payload, reserved):
            asked.append((payload, reserved))
            return answers.pop(0)

        callback = kind(ask)
        program = self.program()
        self.nvrtc.nvrtcSetFlowCallback.argtypes = [ctypes.c_void_p, kind, ctypes.c_void_p]
        self.status(SUCCESS, self.nvrtc.nvrtcSetFlowCallback, program, callback, 1234)
        self.assertEqual(CANCELLED, self.compile(program, *self.options))
        self.assertEqual([(1234, None)] * 2, asked)
        self.assertEqual(1, self.size(program, "PTX"))
        answers[:] = [1]
        self.assertEqual(CANCELLED, self.compile(program, *self.options))

    def test_the_devices_architecture_is_listed(self):
        self.assertIn(self.own(), self.architectures())


class Refused(Nvrtc):

    def test_options(self):
        program = self.program()
        for option, said in ((b"--foo", "unrecognized option --foo found"), (b"", "unrecognized option  found"),
                             (b"-arch=sm_", "invalid value for --gpu-architecture (-arch)"),
                             (b"-arch=native", "invalid value for --gpu-architecture (-arch)"),
                             (b"--std=c++99", "invalid value for --std (-std)"),
                             (b"--fmad=perhaps", "--fmad (-fmad) expects true or false"),
                             (b"--maxrregcount=many", "--maxrregcount (-maxrregcount) expects an integer value"),
                             (b"-G=yes", "--device-debug (-G) does not accept any argument")):
            self.assertEqual(INVALID_OPTION, self.compile(program, option))
            self.assertEqual("nvrtc: error: %s\n" % said, self.log(program))
        for option in (b"-dlto", b"--optix-ir", b"--create-pch=a.pch"):
            self.assertEqual(INVALID_OPTION, self.compile(program, option))
            self.assertIn("%s is not supported on MUSA" % option.decode(), self.log(program))
            self.assertIn("nvrtcCompileProgram is not supported with options=" + option.decode(), self.said())
        # An option that is wrong is no compilation.
        self.status(SUCCESS, self.nvrtc.nvrtcAddNameExpression, program, b"plus")

    # Each would read a file into the image, or run when the image is loaded or launched.
    HOSTILE = (
        (b'__device__ void leak() { asm(".incbin \\"/etc/passwd\\""); }\n__global__ void q() { leak(); }\n',
         "inline assembly"),
        (b'extern "C" __device__ int system(const char*);\n__global__ void q() { system("id"); }\n',
         "it uses system, which is no device function"),
        (b'__device__ int f() { return *(volatile int*)8; }\n__device__ int q = f();\n', "dynamic initialization"),
        (b'struct S { __device__ S() { *(volatile int*)8 = 0; } int a; };\n__device__ S s;\n',
         "dynamic initialization"),
        (b'__attribute__((constructor)) __device__ void c() { *(volatile int*)8 = 0; }\n',
         "a function that runs when it is loaded"),
        (b'__attribute__((destructor)) __device__ void c() { *(volatile int*)8 = 0; }\n',
         "a function that runs when it is loaded"),
    )
    KERNEL = b'extern "C" __global__ void k(int* p) { p[0] = 1; }\n'

    def test_sources_that_reach_for_the_machine(self):
        for source, said in self.HOSTILE:
            with self.subTest(source=source):
                program = self.program(source + self.KERNEL, headers={})
                self.assertEqual(COMPILATION, self.compile(program, b"-arch=sm_80"))
                self.assertIn(said, self.log(program))
                self.assertEqual(0, self.size(program, "CUBIN"))

    def test_assembly_outside_of_functions_is_the_hosts(self):
        reads = b'asm(".section .rodata\\nleaked: .incbin \\"/etc/passwd\\"\\n.previous");\n'
        program = self.program(reads + self.KERNEL, headers={})
        self.assertEqual(SUCCESS, self.compile(program, b"-arch=sm_80"))
        self.assertNotIn(b"root:", self.get(program, "CUBIN"))

    def test_forms(self):
        """Code for NVIDIA's own linkers and translators."""
        program = self.program()
        forms = {11: ["NVVM"], 12: ["NVVM", "LTOIR", "OptiXIR"], 13: ["LTOIR", "OptiXIR", "TileIR"]}[ABI]
        for form in forms:
            size = ctypes.c_size_t()
            for name in ("nvrtcGet%sSize" % form, "nvrtcGet" + form):
                self.assertEqual(INTERNAL_ERROR, getattr(self.nvrtc, name)(program, ctypes.byref(size)))
                self.assertIn("%s is not supported: " % name, self.said())

    def test_arguments(self):
        program = self.program()
        new = ctypes.c_void_p()
        create = self.nvrtc.nvrtcCreateProgram
        self.assertEqual(INVALID_INPUT, create(ctypes.byref(new), None, b"", 0, None, None))
        self.assertEqual(INVALID_INPUT, create(ctypes.byref(new), SCALE, b"", -1, None, None))
        self.assertEqual(INVALID_INPUT, create(ctypes.byref(new), SCALE, b"", 1, None, None))
        self.assertEqual(INVALID_PROGRAM, create(None, SCALE, b"", 0, None, None))
        self.assertEqual(INVALID_PROGRAM, self.nvrtc.nvrtcDestroyProgram(ctypes.byref(new)))
        self.assertEqual(INVALID_PROGRAM, self.nvrtc.nvrtcCompileProgram(None, 0, None))
        self.assertEqual(INVALID_INPUT, self.nvrtc.nvrtcCompileProgram(program, -1, None))
        self.assertEqual(INVALID_OPTION, self.nvrtc.nvrtcCompileProgram(program, 1, None))
        self.assertEqual(INVALID_INPUT, self.nvrtc.nvrtcGetPTX(program, None))
        self.assertEqual(INVALID_PROGRAM, self.nvrtc.nvrtcGetPTXSize(None, ctypes.byref(new)))


class Starved(Compiled):

    def starve(self):
        """Not a test of its own: it ends with the process's addresses limited, and prints the status of a launch."""
        program = self.program(STARVING)
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        function = self.module_function(self.get(program, "CUBIN"), os.environ["KERNEL"].encode())
        memory = ctypes.c_void_p()
        self.status(SUCCESS, self.cudart.cudaMalloc, ctypes.byref(memory), 4096)
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[0])
        most = pages * os.sysconf("SC_PAGESIZE") + (int(os.environ["MEBIBYTES"]) << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
        launched = self.cuda.cuLaunchKernel(function, 64, 1, 1, 1024, 1, 1, 0, None, arguments, None)
        print("STATUS", launched or self.cudart.cudaDeviceSynchronize())
        self.said()


class WithoutCompiler(Nvrtc):
    """On a tree whose SDK has no libmtrtc, and without MUSA."""

    def test_the_log_says_why(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(NO_COMPILER, self.compile(program, b"--gpu-architecture=sm_31", b"-DMORE=1"))
        log = self.log(program)
        self.assertIn("torchada found no compiler: ", log)
        wanted = "no MUSA found" if "nonexistent" in os.environ["TORCHADA_MUSA_PATH"] else "no usable libmtrtc in "
        self.assertIn(wanted, log)
        self.assertIn("; returning NVRTC_ERROR_BUILTIN_OPERATION_FAILURE (7)\n", log)
        self.assertIn(wanted, self.said())
        self.assertEqual((1, 0), (self.size(program, "PTX"), self.size(program, "CUBIN")))
        self.assertEqual(TOO_LATE, self.nvrtc.nvrtcAddNameExpression(program, b"plus"))
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.status(SUCCESS, self.nvrtc.nvrtcVersion, ctypes.byref(major), ctypes.byref(minor))
        self.assertEqual(ABI, major.value)


class EachLimit(support.ProgramTest):

    def test_a_kernel_without_memory_fails(self):
        """It neither hangs nor ends the process, whatever the last allocation was."""
        for kernel, limits in (("stacks", (2, 16, 24, 30, 45, 60, 80, 100)), ("frames", (2, 16, 45))):
            for mebibytes in limits:
                with self.subTest(kernel=kernel, mebibytes=mebibytes):
                    result = support.run_script(
                        "nvrtc_test.py", "Starved.starve", KERNEL=kernel, MEBIBYTES=str(mebibytes))
                    self.assertEqual(0, result.returncode, support.show(result))
                    self.assertRegex(result.stdout, "STATUS (2|304)\n")


class EachTree(support.ProgramTest):

    def test_without_a_compiler(self):
        trees = [os.path.join(support.STAGE, "host", tree) for tree in ("3.1", "4.3", "5.1")]
        for root in (*trees, "/nonexistent"):
            result = support.run_script("nvrtc_test.py", "WithoutCompiler", TORCHADA_MUSA_PATH=root)
            self.assertEqual(0, result.returncode, support.show(result))


if __name__ == "__main__":
    support.main()
