"""A runtime wrapper like those of inference servers: it takes the library that the process already
has, found by name in the process's maps, and binds all functions at once."""
import ctypes
import os


class LongIpcHandle(ctypes.Structure):
    """These clients declare 128 bytes; the ABI has 64."""
    _fields_ = [("internal", ctypes.c_byte * 128)]


class IpcHandle(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * 64)]


def find_loaded(stem):
    """Path of the first mapping whose line contains `stem`, or None. The file itself must have the
    name: clients report a directory of that name, or a link to another file, as a mistake."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            if stem in line:
                path = line[line.index("/"):].strip()
                name = os.path.basename(path).rpartition(".so")[0]
                if not name.startswith(stem):
                    raise AssertionError("unexpected file name %s of %s" % (path, stem))
                return path
    return None


class CudaRuntime:
    def __init__(self, handle_type):
        self.handle_type = handle_type
        self.path = find_loaded("libcudart")
        if self.path is None:
            raise AssertionError("libcudart is not loaded in the current process")
        self.library = ctypes.CDLL(self.path)
        pointer, size, integer = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        self.functions = {}
        for name, result, arguments in [
            ("cudaSetDevice", integer, [integer]),
            ("cudaDeviceSynchronize", integer, []),
            ("cudaDeviceReset", integer, []),
            ("cudaGetErrorString", ctypes.c_char_p, [integer]),
            ("cudaMalloc", integer, [ctypes.POINTER(pointer), size]),
            ("cudaFree", integer, [pointer]),
            ("cudaMemset", integer, [pointer, integer, size]),
            ("cudaMemcpy", integer, [pointer, pointer, size, integer]),
            ("cudaIpcGetMemHandle", integer, [ctypes.POINTER(handle_type), pointer]),
            ("cudaIpcOpenMemHandle", integer,
             [ctypes.POINTER(pointer), handle_type, ctypes.c_uint]),
        ]:
            function = getattr(self.library, name)
            function.restype = result
            function.argtypes = arguments
            self.functions[name] = function

    def call(self, name, *arguments):
        status = self.functions[name](*arguments)
        if status != 0:
            text = self.functions["cudaGetErrorString"](status).decode("utf-8")
            raise RuntimeError("%s: %s (%d)" % (name, text, status))

    def malloc(self, size):
        memory = ctypes.c_void_p()
        self.call("cudaMalloc", ctypes.byref(memory), size)
        return memory

    def memcpy(self, to, source, size):
        """Takes addresses, or a buffer that the caller keeps."""
        self.call("cudaMemcpy", to, source, size, 4)  # cudaMemcpyDefault

    def export_memory(self, memory, handle):
        self.call("cudaIpcGetMemHandle", ctypes.byref(handle), memory)

    def open_memory(self, handle):
        memory = ctypes.c_void_p()
        self.call("cudaIpcOpenMemHandle", ctypes.byref(memory), handle, 1)
        return memory
