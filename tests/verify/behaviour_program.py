"""A CUDA program on libcudart and libcublas: one task each, named by the first word. Prints what it found as JSON.

CUDA documents the results, whatever the MUSA behind the libraries does.
"""
import ctypes
import json
import os
import struct
import subprocess
import sys

HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3
SUCCESS = 0


class Runtime:
    def __init__(self):
        self.library = ctypes.CDLL("libcudart.so.12")

    def __getattr__(self, name):
        return getattr(self.library, name)

    def good(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != SUCCESS:
            raise SystemExit("%s returned %d" % (name, status))

    def upload(self, data):
        place = ctypes.c_void_p()
        self.good("cudaMalloc", ctypes.byref(place), ctypes.c_size_t(len(data)))
        self.good("cudaMemcpy", place, data, ctypes.c_size_t(len(data)), HOST_TO_DEVICE)
        return place

    def download(self, place, size):
        out = ctypes.create_string_buffer(size)
        self.good("cudaMemcpy", out, place, ctypes.c_size_t(size), DEVICE_TO_HOST)
        return out.raw

    def stream(self):
        stream = ctypes.c_void_p()
        self.good("cudaStreamCreate", ctypes.byref(stream))
        return stream

    def attribute(self, number, device=0):
        value = ctypes.c_int(-5)
        status = self.cudaDeviceGetAttribute(ctypes.byref(value), number, device)
        return [status, value.value]


class Blas:
    def __init__(self):
        self.library = ctypes.CDLL("libcublas.so.12")
        self.handle = ctypes.c_void_p()
        assert self.library.cublasCreate_v2(ctypes.byref(self.handle)) == SUCCESS


def half(number):
    return struct.pack("<e", number)


def algorithm(runtime):
    """The product of 2 and 3 in half precision with CUBLAS_GEMM_DEFAULT_TENSOR_OP."""
    blas = Blas()
    product = runtime.upload(half(0))
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    kind, compute, tensor_op = 2, 68, 99
    status = blas.library.cublasGemmEx(
        blas.handle, 0, 0, 1, 1, 1, ctypes.byref(one), runtime.upload(half(2)), kind, 1, runtime.upload(half(3)),
        kind, 1, ctypes.byref(zero), product, kind, 1, compute, tensor_op)
    return {"status": status, "product": struct.unpack("<e", runtime.download(product, 2))[0],
            "pending": runtime.cudaGetLastError()}


def sgemm(runtime, blas):
    one = ctypes.c_float(1)
    data = struct.pack("<f", 2)
    return blas.library.cublasSgemm_v2(blas.handle, 0, 0, 1, 1, 1, ctypes.byref(one), runtime.upload(data), 1,
                                       runtime.upload(data), 1, ctypes.byref(one), runtime.upload(data), 1)


def pending(runtime):
    """A product that succeeds leaves no error, and takes none away."""
    blas = Blas()
    out = {"status": sgemm(runtime, blas), "pending": runtime.cudaGetLastError()}
    places = runtime.upload(b"1234")
    runtime.cudaSetDevice(1000)
    one = ctypes.c_float(1)
    blas.library.cublasSscal_v2(blas.handle, 1, ctypes.byref(one), places, 1)
    return {**out, "own": runtime.cudaGetLastError()}


def graph(runtime):
    """Two executables of a graph that is destroyed before they run."""
    place, other = runtime.upload(b"\0" * 64), runtime.upload(b"\5" * 64)
    stream, made, node = runtime.stream(), ctypes.c_void_p(), ctypes.c_void_p()
    runtime.good("cudaGraphCreate", ctypes.byref(made), 0)
    runtime.good("cudaGraphAddMemcpyNode1D", ctypes.byref(node), made, None, ctypes.c_size_t(0), place, other,
                 ctypes.c_size_t(64), DEVICE_TO_DEVICE)
    executables = [ctypes.c_void_p(), ctypes.c_void_p()]
    runtime.good("cudaGraphInstantiateWithFlags", ctypes.byref(executables[0]), made, ctypes.c_ulonglong(0))
    runtime.good("cudaGraphInstantiate", ctypes.byref(executables[1]), made, ctypes.c_ulonglong(0))
    statuses = [runtime.cudaGraphDestroy(made)]
    for executable in executables:
        runtime.good("cudaMemset", place, 0, ctypes.c_size_t(64))
        statuses += [runtime.cudaGraphLaunch(executable, stream), runtime.cudaStreamSynchronize(stream)]
        statuses.append(0 if runtime.download(place, 64) == b"\5" * 64 else "not copied")
        statuses.append(runtime.cudaGraphExecDestroy(executable))
    return {"statuses": statuses}


def later_attributes(runtime):
    """130: a device without NUMA. 131, 134: no node. 126: one domain. 139: cannot be known. 1000: no attribute."""
    out = {str(number): runtime.attribute(number) for number in (126, 130, 131, 134)}
    out["pending"] = runtime.cudaGetLastError()
    out.update((str(number), runtime.attribute(number)[0]) for number in (139, 1000))
    out["no such device"] = runtime.attribute(130, 1000)[0]
    return out


def warp(runtime):
    properties = ctypes.create_string_buffer(1032)
    runtime.good("cudaGetDeviceProperties_v2", properties, 0)
    return {"attributes": [runtime.attribute(number)[1] for number in (10, 75, 76)],
            "properties": list(struct.unpack_from("<i", properties, 308) + struct.unpack_from("<ii", properties, 360))}


class Handle(ctypes.Structure):
    _fields_ = [("reserved", ctypes.c_ubyte * 64)]


def export(runtime):
    handle = Handle()
    runtime.good("cudaIpcGetMemHandle", ctypes.byref(handle), runtime.upload(b"\7" * 4096))
    runtime.good("cudaDeviceSynchronize")
    print(bytes(handle.reserved).hex(), flush=True)
    sys.stdin.readline()


def ipc(runtime):
    """Opens memory of device 0 in another process while device 1 is current."""
    with subprocess.Popen([sys.executable, "-B", __file__, "export"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as child:
        handle = Handle((ctypes.c_ubyte * 64)(*bytes.fromhex(child.stdout.readline())))
        runtime.good("cudaSetDevice", 1)
        address, device = ctypes.c_void_p(), ctypes.c_int()
        status = runtime.cudaIpcOpenMemHandle(ctypes.byref(address), handle, 1)
        found = runtime.download(address, 4096) == b"\7" * 4096 if status == SUCCESS else None
        runtime.good("cudaGetDevice", ctypes.byref(device))
        out = {"status": status, "same": found, "device": device.value, "pending": runtime.cudaGetLastError()}
        child.communicate("\n")
    return out


def peer(runtime):
    size = 9 << 20  # More than one part.
    sent = os.urandom(1 << 10) * (size >> 10)
    source = runtime.upload(sent)
    runtime.good("cudaSetDevice", 1)
    there, again, stream = runtime.upload(b"\0" * size), runtime.upload(b"\0" * size), runtime.stream()
    runtime.good("cudaSetDevice", 0)
    out = {"statuses": [runtime.cudaMemcpyPeer(there, 1, source, 0, ctypes.c_size_t(size)),
                        runtime.cudaMemcpyPeerAsync(again, 1, source, 0, ctypes.c_size_t(size), stream),
                        runtime.cudaStreamSynchronize(stream)],
           "pending": runtime.cudaGetLastError()}
    return {**out, "same": [runtime.download(place, size) == sent for place in (there, again)]}


def narrow(runtime):
    pitch, width, rows = 512, 8, 100
    sent = bytes((i // pitch + i) % 256 for i in range(pitch * rows))
    expected = b"".join(sent[row * pitch:row * pitch + width] for row in range(rows))
    source, stream, right = runtime.upload(sent), runtime.stream(), []
    for _ in range(6):
        found = ctypes.create_string_buffer(width * rows)
        arguments = [found, ctypes.c_size_t(width), source, ctypes.c_size_t(pitch), ctypes.c_size_t(width),
                     ctypes.c_size_t(rows), DEVICE_TO_HOST]
        right.append(runtime.cudaMemcpy2D(*arguments) == SUCCESS and found.raw == expected)
        found = arguments[0] = ctypes.create_string_buffer(width * rows)
        right.append(runtime.cudaMemcpy2DAsync(*arguments, stream) == SUCCESS and
                     runtime.cudaStreamSynchronize(stream) == SUCCESS and found.raw == expected)
    pending = runtime.cudaGetLastError()
    # A pitch that is too small stays an error.
    wrong = runtime.cudaMemcpy2D(found, ctypes.c_size_t(4), source, ctypes.c_size_t(pitch), ctypes.c_size_t(width),
                                 ctypes.c_size_t(2), DEVICE_TO_HOST) != SUCCESS
    return {"right": right, "pending": pending, "wrong": wrong}


def identity(runtime):
    properties = ctypes.create_string_buffer(1032)
    runtime.good("cudaGetDeviceProperties_v2", properties, 1)
    driver = ctypes.CDLL("libcuda.so.1")
    own = ctypes.create_string_buffer(16)
    statuses = [driver.cuInit(0), driver.cuDeviceGetUuid_v2(own, 1)]
    return {"statuses": statuses, "same": properties.raw[256:272] == own.raw, "zero": not any(own.raw),
            "pending": runtime.cudaGetLastError()}


if __name__ == "__main__":
    found = globals()[sys.argv[1]](Runtime())
    if found is not None:
        print(json.dumps(found))
