"""Programs in a sandbox (seccomp) that refuses system calls."""
import os
import subprocess
import sys

from support import NATIVE, SKIPPED, STAGE, EveryLibrary, main, works

WITHOUT_CALLS = os.path.join(NATIVE, "without_calls")
WHY = "Operation not permitted"
# Numbers of system calls of x86-64, and for each library that does not work without them, what is said.
CALLS = {
    "memfd_create": (319, {"kernel": "(?s)cuModuleLoadData returned 304.*memfd_create: " + WHY}),
    "ftruncate": (77, dict.fromkeys(("runtime", "product", "random", "transform", "kernel"), "ftruncate: " + WHY)),
    "clone3": (435, {"random": "thread.*" + WHY, "transform": "thread.*" + WHY, "kernel": WHY,
                     "communicator": "cannot wait for ranks: " + WHY}),
    "socket": (41, {"communicator": "cannot wait for ranks: " + WHY}),
    "getrandom": (318, {"communicator": "cannot get random bytes from the system"}),
    "flock": (73, {"kernel": "no folder for temporary files.*" + WHY}),
    # What libraries do not need.
    "mincore, sched_getaffinity and others": (
        (27, 204, 203, 310, 311, 324, 28, 149, 157, 332, 131, 434, 62, 285, 294, 290), {}),
}
PROCESS_VM_READV = 310
# glibc starts threads by clone3 since 2.34; without it, a refusal of clone3 refuses nothing.
A_THREAD = "import threading; thread = threading.Thread(target=int); thread.start(); thread.join()"
# The last bytes of memory that the program may read are a text of PTX. 209: it is known as NVIDIA's.
PTX_AT_THE_END = """
import ctypes, mmap
PAGE = mmap.PAGESIZE
memory = mmap.mmap(-1, 2 * PAGE)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.mprotect(ctypes.c_void_p(start + PAGE), ctypes.c_size_t(PAGE), 0) == 0
text = b"// a comment\\n.version 8.0\\n\\0"
ctypes.memmove(start + PAGE - len(text), text, len(text))
cuda = ctypes.CDLL({driver!r})
context, module = ctypes.c_void_p(), ctypes.c_void_p()
assert cuda.cuInit(0) == 0
assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
status = cuda.cuModuleLoadData(ctypes.byref(module), ctypes.c_void_p(start + PAGE - len(text)))
assert status == 209, status
"""


class Sandbox(EveryLibrary):

    def test_an_image_in_memory_is_read_within_it(self):
        program = PTX_AT_THE_END.format(driver=os.path.join(STAGE, "lib/driver/libcuda.so.1"))
        result = subprocess.run([WITHOUT_CALLS, str(PROCESS_VM_READV), "--", sys.executable, "-c", program],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_refused_system_calls(self):
        for name, (numbers, refused) in CALLS.items():
            numbers = numbers if isinstance(numbers, tuple) else (numbers,)
            place = [WITHOUT_CALLS, *map(str, numbers), "--"]
            if name == "clone3" and works(*place, sys.executable, "-c", A_THREAD):
                refused = {}
            with self.subTest(name):
                self.check(place, refused)


if __name__ == "__main__":
    if not works(WITHOUT_CALLS, "319", "--", "true"):
        print("SKIPPED: the kernel has no seccomp, so no sandbox was tried")
        sys.exit(SKIPPED)
    main()
