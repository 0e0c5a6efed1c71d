"""Compiled kernels in the driver's modules and libraries, from memory and files, and its linker."""
import ctypes
import itertools
import os
import tempfile
import threading
import time

import support
from compiled_kernels import EXPRESSION, KernelTest
from support import ABI, NO_KERNEL_IMAGE, SUCCESS

INVALID_VALUE, INVALID_IMAGE, NO_BINARY, FILE_NOT_FOUND, INVALID_HANDLE, NOT_FOUND = 1, 200, 209, 301, 400, 500


class Loaded(KernelTest):

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


class Linked(KernelTest):

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


if __name__ == "__main__":
    support.main()
