"""Error texts, and a thread's last error, which stays until it is read."""
import ctypes
import threading

import support
from support import CUDART, OUT_OF_MEMORY, SUCCESS


class ErrorTexts(support.ProgramTest):

    def test_every_code_has_a_text(self):
        cuda = support.open_cudart()
        for name in ("cudaGetErrorString", "cudaGetErrorName"):
            function = getattr(cuda, name)
            for code in list(range(1001)) + [-1, 9999, 10000, 2**31 - 1, -2**31]:
                text = function(code)
                self.assertIsNotNone(text, "%s(%d) is NULL" % (name, code))
                self.assertTrue(text.decode("utf-8"), "%s(%d) is empty" % (name, code))

    def test_known_texts(self):
        cuda = support.open_cudart()
        unknown = b"unrecognized error code"
        for code, name, text in [
            (0, b"cudaSuccess", b"no error"),
            (1, b"cudaErrorInvalidValue", b"invalid argument"),
            (2, b"cudaErrorMemoryAllocation", b"out of memory"),
            (35, b"cudaErrorInsufficientDriver",
             b"CUDA driver version is insufficient for CUDA runtime version"),
            (100, b"cudaErrorNoDevice", b"no CUDA-capable device is detected"),
            (209, b"cudaErrorNoKernelImageForDevice",
             b"no kernel image is available for execution on the device"),
            (600, b"cudaErrorNotReady", b"device not ready"),
            (704, b"cudaErrorPeerAccessAlreadyEnabled",
             b"peer access is already enabled"),
            (801, b"cudaErrorNotSupported", b"operation not supported"),
            (999, b"cudaErrorUnknown", b"unknown error"),
            (555, unknown, unknown),
            (-1, unknown, unknown),
        ]:
            self.assertEqual((name, text), (cuda.cudaGetErrorName(code),
                                            cuda.cudaGetErrorString(code)), code)

    def test_storage_stays(self):
        cuda = ctypes.CDLL(CUDART)
        cuda.cudaGetErrorString.restype = ctypes.c_void_p
        for code in (0, 2, 555):
            self.assertEqual(cuda.cudaGetErrorString(code), cuda.cudaGetErrorString(code),
                             "address of text %d" % code)


class LastError(support.DeviceTest):

    def fail_in_backend(self):
        memory = ctypes.c_void_p(0)
        self.status(OUT_OF_MEMORY, self.cuda.cudaMalloc, ctypes.byref(memory), 1 << 62)

    def fail_in_library(self):
        # MUSA has no counterpart, so the replacement library answers.
        self.status(support.NOT_SUPPORTED, self.cuda.cudaGraphicsUnregisterResource, None)
        self.said()  # one line, only the first time

    def in_other_thread(self, function):
        results = []
        thread = threading.Thread(target=lambda: results.append(function()))
        thread.start()
        thread.join()
        return results[0]

    def check_sticky(self, code):
        self.assertEqual(SUCCESS, self.in_other_thread(self.cuda.cudaPeekAtLastError),
                         "another thread's error")
        self.assertEqual(SUCCESS, self.in_other_thread(self.cuda.cudaGetLastError),
                         "another thread's error")
        self.status(code, self.cuda.cudaPeekAtLastError)
        self.status(SUCCESS, self.cuda.cudaGetDevice, ctypes.byref(ctypes.c_int(0)))
        self.status(code, self.cuda.cudaPeekAtLastError)
        self.status(code, self.cuda.cudaGetLastError)
        self.status(SUCCESS, self.cuda.cudaGetLastError)
        self.status(SUCCESS, self.cuda.cudaPeekAtLastError)

    def test_error_of_backend(self):
        self.fail_in_backend()
        self.check_sticky(OUT_OF_MEMORY)

    def test_error_of_library(self):
        self.fail_in_library()
        self.check_sticky(support.NOT_SUPPORTED)

    def test_one_read_clears_both(self):
        self.fail_in_backend()
        self.fail_in_library()
        self.status(OUT_OF_MEMORY, self.cuda.cudaPeekAtLastError)
        self.status(OUT_OF_MEMORY, self.cuda.cudaGetLastError)
        self.status(SUCCESS, self.cuda.cudaGetLastError)

    def test_threads_have_errors_of_their_own(self):

        def fail_and_read():
            memory = ctypes.c_void_p(0)
            self.cuda.cudaMalloc(ctypes.byref(memory), 1 << 62)
            return self.cuda.cudaGetLastError()

        self.assertEqual(OUT_OF_MEMORY, self.in_other_thread(fail_and_read))
        self.status(SUCCESS, self.cuda.cudaGetLastError)


if __name__ == "__main__":
    support.main()
