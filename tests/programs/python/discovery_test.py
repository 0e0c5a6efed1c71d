"""How clients find a library that the process already has: by maps, by SONAME, by its link map, in
the global scope."""
import ctypes
import os

import support
from cudart_wrapper import CudaRuntime, LongIpcHandle, find_loaded
from support import ABI, CUBLAS, CUBLASLT, CUDART, CURAND, LIB, NATIVE, NCCL

RTLD_NOLOAD = 4
RTLD_DI_LINKMAP = 2
RTLD_DI_ORIGIN = 6


class LinkMap(ctypes.Structure):
    _fields_ = [("l_addr", ctypes.c_void_p), ("l_name", ctypes.c_char_p)]


def address(library, name):
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


class Discovery(support.ProgramTest):

    def check_wrapper(self):
        runtime = CudaRuntime(LongIpcHandle)
        self.assertEqual(os.path.join(LIB, CUDART), runtime.path)
        runtime.call("cudaSetDevice", 0)
        memory = runtime.malloc(4096)
        runtime.call("cudaMemset", memory, 0x5A, 4096)
        copy = ctypes.create_string_buffer(4096)
        runtime.memcpy(ctypes.addressof(copy), memory, 4096)
        self.assertEqual(b"\x5a" * 4096, copy.raw)
        runtime.call("cudaFree", memory)
        runtime.call("cudaDeviceSynchronize")
        runtime.call("cudaDeviceReset")
        with self.assertRaisesRegex(RuntimeError,
                                    r"^cudaSetDevice: invalid device ordinal \(101\)$"):
            runtime.call("cudaSetDevice", 4711)
        return runtime

    def test_opened_by_bare_name(self):
        self.assertIsNone(find_loaded("libcudart"))
        opened = ctypes.CDLL(CUDART)
        runtime = self.check_wrapper()
        self.assertEqual(address(opened, "cudaMalloc"), address(runtime.library, "cudaMalloc"))

    def test_noload_and_link_map(self):
        for soname in (CUDART, NCCL, CUBLAS, CUBLASLT, CURAND):
            with self.subTest(soname):
                ctypes.CDLL(soname)
                again = ctypes.CDLL(soname, RTLD_NOLOAD | os.RTLD_NOW)
                dlinfo = ctypes.CDLL(None).dlinfo
                dlinfo.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
                link_map = ctypes.POINTER(LinkMap)()
                self.status(0, dlinfo, again._handle, RTLD_DI_LINKMAP, ctypes.byref(link_map))
                self.assertEqual(os.path.join(LIB, soname),
                                 os.path.realpath(link_map.contents.l_name.decode()))
                origin = ctypes.create_string_buffer(4096)
                self.status(0, dlinfo, again._handle, RTLD_DI_ORIGIN, origin)
                self.assertEqual(LIB, os.path.realpath(origin.value.decode()))

    def test_real_file_under_its_own_name(self):
        for soname in (CUDART, NCCL, CUBLAS, CUBLASLT, CURAND):
            path = os.path.join(LIB, soname)
            self.assertTrue(os.path.isfile(path) and not os.path.islink(path),
                            "%s: expected a regular file, clients skip links" % path)
            in_folder = os.path.join(LIB, "cu%d" % ABI, soname)
            self.assertTrue(os.path.samefile(path, in_folder),
                            "%s and %s: expected one file, two would be loaded twice" %
                            (path, in_folder))


class LinkedExtension(Discovery):
    """The process has the library because an extension module is linked with it."""

    def test_opened_by_bare_name(self):
        extension = ctypes.CDLL(os.path.join(NATIVE, "programs_extension_%d.so" % ABI))
        self.assertEqual(0, extension.extension_touch_device(), "status of the extension's calls")
        self.check_wrapper()


class GlobalScope(support.ProgramTest):

    def test_global_scope(self):
        for soname, name in ((CUDART, "cudaHostRegister"), (NCCL, "ncclGetVersion")):
            with self.subTest(soname):
                with self.assertRaises(AttributeError):
                    getattr(ctypes.CDLL(None), name)
                library = ctypes.CDLL(soname, ctypes.RTLD_GLOBAL)
                self.assertEqual(address(library, name), address(ctypes.CDLL(None), name))
        buffer = ctypes.create_string_buffer(8192)
        aligned = (ctypes.addressof(buffer) + 4095) & ~4095
        everything = ctypes.CDLL(None)
        self.status(0, everything.cudaHostRegister, ctypes.c_void_p(aligned),
                    ctypes.c_size_t(4096), 0)
        self.status(0, everything.cudaHostUnregister, ctypes.c_void_p(aligned))


if __name__ == "__main__":
    support.main()
