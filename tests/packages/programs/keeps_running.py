"""A program that computes while its libraries are upgraded or removed. It uses the runtime and
cuBLAS, prints "ready", and goes on until it gets a line: then it uses further functions for the
first time, and prints "ended well" and how many rounds it made. Argument: "cublas" if there is a
device; otherwise every call must say that there is none."""
import ctypes
import sys
import threading

NO_DRIVER = 35
SIZE = 64
expected = 0 if "cublas" in sys.argv[1:] else NO_DRIVER
cudart = ctypes.CDLL("libcudart.so.12")
cublas = ctypes.CDLL("libcublas.so.12") if expected == 0 else None


def done(status, wanted=0):
    if status != wanted:
        raise SystemExit("status %d instead of %d" % (status, wanted))


def copied():
    """Copies there and back with functions that have been called before."""
    device, back = ctypes.c_void_p(), ctypes.create_string_buffer(4 * SIZE)
    done(cudart.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(4 * SIZE)), expected)
    if expected != 0:
        return
    numbers = (ctypes.c_float * SIZE)(*range(SIZE))
    done(cudart.cudaMemcpy(device, numbers, ctypes.c_size_t(4 * SIZE), 1))
    two = ctypes.c_float(2)
    done(cublas.cublasSscal_v2(handle, SIZE, ctypes.byref(two), device, 1))
    done(cudart.cudaMemcpy(back, device, ctypes.c_size_t(4 * SIZE), 2))
    got = list((ctypes.c_float * SIZE).from_buffer(back))
    if got != [2.0 * number for number in range(SIZE)]:
        raise SystemExit("a wrong result: %s" % got)
    done(cudart.cudaFree(device))


handle = ctypes.c_void_p()
if expected == 0:
    done(cublas.cublasCreate_v2(ctypes.byref(handle)))
copied()
told = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), told.set()), daemon=True).start()
print("ready", flush=True)
rounds = 0
while not told.wait(0.01):
    copied()
    rounds += 1

# From here on, functions that it has not called before.
stream, event, least, greatest = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
done(cudart.cudaStreamCreate(ctypes.byref(stream)), expected)
done(cudart.cudaEventCreate(ctypes.byref(event)), expected)
done(cudart.cudaDeviceGetStreamPriorityRange(ctypes.byref(least), ctypes.byref(greatest)), expected)
if expected == 0:
    done(cublas.cublasSetStream_v2(handle, stream))
    copied()
    done(cudart.cudaEventRecord(event, stream))
    done(cudart.cudaEventSynchronize(event))
    done(cudart.cudaStreamSynchronize(stream))
    done(cublas.cublasDestroy_v2(handle))
print("ended well after", "many" if rounds > 5 else rounds, "rounds", flush=True)
