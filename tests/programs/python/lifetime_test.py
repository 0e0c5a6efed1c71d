"""Closing and reopening, forks, and calls while the process is exiting."""
import ctypes
import os
import subprocess
import sys

import support
from support import CUBLAS, CUDART, CURAND, NCCL, SUCCESS, run, show


def close(library):
    libc = ctypes.CDLL(None)
    libc.dlclose.argtypes = [ctypes.c_void_p]
    return libc.dlclose(library._handle)


def thread_count():
    return len(os.listdir("/proc/self/task"))


class Lifetime(support.ProgramTest):

    def test_closed_and_opened_again(self):
        self.assertEqual(1, thread_count())
        for _ in range(3):
            for soname in (NCCL, CUBLAS, CURAND, CUDART):
                library = ctypes.CDLL(soname)
                self.assertEqual(0, close(library))
        cuda = ctypes.CDLL(CUDART)
        memory = ctypes.c_void_p()
        for _ in range(3):
            self.status(SUCCESS, cuda.cudaMalloc, ctypes.byref(memory), 4096)
            self.status(SUCCESS, cuda.cudaFree, memory)
            self.assertEqual(0, close(cuda))
            cuda = ctypes.CDLL(CUDART)

    def test_loading_starts_no_thread(self):
        before = thread_count()
        for soname in (CUDART, CUBLAS, CURAND, NCCL):
            ctypes.CDLL(soname)
        self.assertEqual(before, thread_count())

    def test_fork_and_exec_after_use(self):
        count = ctypes.c_int(-77)
        self.status(SUCCESS, ctypes.CDLL(CUDART).cudaGetDeviceCount, ctypes.byref(count))
        self.assertEqual(b"fine\n", subprocess.check_output(["/bin/echo", "fine"]))
        child = os.fork()
        if child == 0:
            os._exit(7)
        self.assertEqual(7, os.WEXITSTATUS(os.waitpid(child, 0)[1]), "a child that does nothing")

    def test_preloaded_into_everything(self):
        """Shells and helpers of a program inherit LD_PRELOAD and must work unchanged."""
        result = run("/bin/sh", "-c", "/bin/echo one; /bin/true && echo two",
                     LD_PRELOAD=" ".join((CUDART, NCCL, CUBLAS, CURAND)))
        self.assertEqual((0, "one\ntwo\n", ""), (result.returncode, result.stdout, result.stderr),
                         show(result))

    def test_calls_while_the_process_ends(self):
        """Exit handlers registered before the library was loaded run after its own and MUSA's."""
        script = ("import ctypes\n"
                  "libc = ctypes.CDLL(None)\n"
                  "late = ctypes.CFUNCTYPE(None)(lambda: print('late', cuda.cudaDeviceSynchronize("
                  ") in (0, 4), flush=True))\n"
                  "libc.__cxa_atexit(late, None, None)\n"
                  "cuda = ctypes.CDLL('%s')\n"
                  "memory = ctypes.c_void_p()\n"
                  "print(cuda.cudaMalloc(ctypes.byref(memory), 64), flush=True)\n"
                  "libc.exit(3)\n" % CUDART)
        result = run(sys.executable, "-B", "-c", script)
        self.assertEqual((3, "0\nlate True\n", ""),
                         (result.returncode, result.stdout, result.stderr), show(result))


class ForkFirst(support.ProgramTest):
    """In a process that has loaded but not used the library."""

    def test_fork_before_use(self):
        cuda = ctypes.CDLL(CUDART)
        child = os.fork()
        if child == 0:
            count = ctypes.c_int(-77)
            os._exit(7 if cuda.cudaGetDeviceCount(ctypes.byref(count)) == 0 and count.value > 0
                     else 1)
        self.assertEqual(7, os.WEXITSTATUS(os.waitpid(child, 0)[1]), "calls in the child")
        count = ctypes.c_int(-77)
        self.status(SUCCESS, cuda.cudaGetDeviceCount, ctypes.byref(count))


if __name__ == "__main__":
    support.main()
