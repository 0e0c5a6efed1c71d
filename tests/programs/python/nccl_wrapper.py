"""An NCCL wrapper like those of inference servers: pure ctypes, everything bound at once, the
unique id by value."""
import ctypes


class UniqueId(ctypes.Structure):
    _fields_ = [("internal", ctypes.c_byte * 128)]


INT8, UINT8, INT32, UINT32, INT64, UINT64, FLOAT16, FLOAT32, FLOAT64, BFLOAT16 = range(10)
SUM, PROD, MAX, MIN, AVG = range(5)


class Nccl:
    def __init__(self, name="libnccl.so.2"):
        self.library = ctypes.CDLL(name)
        integer, pointer, size = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t
        out = ctypes.POINTER(pointer)
        self.functions = {}
        for function, result, arguments in [
            ("ncclGetErrorString", ctypes.c_char_p, [integer]),
            ("ncclGetVersion", integer, [ctypes.POINTER(integer)]),
            ("ncclGetUniqueId", integer, [ctypes.POINTER(UniqueId)]),
            ("ncclCommInitRank", integer, [out, integer, UniqueId, integer]),
            ("ncclCommCount", integer, [pointer, ctypes.POINTER(integer)]),
            ("ncclCommUserRank", integer, [pointer, ctypes.POINTER(integer)]),
            ("ncclAllReduce", integer,
             [pointer, pointer, size, integer, integer, pointer, pointer]),
            ("ncclReduce", integer,
             [pointer, pointer, size, integer, integer, integer, pointer, pointer]),
            ("ncclAllGather", integer, [pointer, pointer, size, integer, pointer, pointer]),
            ("ncclReduceScatter", integer,
             [pointer, pointer, size, integer, integer, pointer, pointer]),
            ("ncclSend", integer, [pointer, size, integer, integer, pointer, pointer]),
            ("ncclRecv", integer, [pointer, size, integer, integer, pointer, pointer]),
            ("ncclBroadcast", integer,
             [pointer, pointer, size, integer, integer, pointer, pointer]),
            ("ncclCommDestroy", integer, [pointer]),
            ("ncclCommAbort", integer, [pointer]),
            ("ncclCommGetAsyncError", integer, [pointer, ctypes.POINTER(integer)]),
            ("ncclGroupStart", integer, []),
            ("ncclGroupEnd", integer, []),
            ("ncclCommWindowRegister", integer, [pointer, pointer, size, out, integer]),
            ("ncclCommWindowDeregister", integer, [pointer, pointer]),
            ("ncclCommRegister", integer, [pointer, pointer, size, out]),
            ("ncclCommDeregister", integer, [pointer, pointer]),
            ("ncclMemAlloc", integer, [out, size]),
            ("ncclMemFree", integer, [pointer]),
        ]:
            bound = getattr(self.library, function)
            bound.restype = result
            bound.argtypes = arguments
            self.functions[function] = bound

    def call(self, name, *arguments):
        status = self.functions[name](*arguments)
        if status != 0:
            text = self.functions["ncclGetErrorString"](status).decode("utf-8")
            raise RuntimeError("%s: %s (%d)" % (name, text, status))

    def version_code(self):
        version = ctypes.c_int()
        self.call("ncclGetVersion", ctypes.byref(version))
        return version.value

    def version_of_digits(self):
        """Splits the decimal number: one digit, two digits, the rest."""
        digits = str(self.version_code())
        return (int(digits[0]), int(digits[1:3]), int(digits[3:]))

    def unique_id(self):
        unique = UniqueId()
        self.call("ncclGetUniqueId", ctypes.byref(unique))
        return unique

    def init_rank(self, ranks, unique, rank):
        communicator = ctypes.c_void_p()
        self.call("ncclCommInitRank", ctypes.byref(communicator), ranks, unique, rank)
        return communicator
