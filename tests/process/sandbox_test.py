"""Programs in a sandbox (seccomp) that refuses system calls."""
import os
import sys

from support import NATIVE, SKIPPED, EveryLibrary, main, works

WITHOUT_CALLS = os.path.join(NATIVE, "without_calls")
WHY = "Operation not permitted"
# Numbers of system calls of x86-64, and for each library that does not work without them, what is said.
CALLS = {
    "memfd_create": (319, {"kernel": "memfd_create: " + WHY}),
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


class Sandbox(EveryLibrary):

    def test_refused_system_calls(self):
        for name, (numbers, refused) in CALLS.items():
            numbers = numbers if isinstance(numbers, tuple) else (numbers,)
            with self.subTest(name):
                self.check([WITHOUT_CALLS, *map(str, numbers), "--"], refused)


if __name__ == "__main__":
    if not works(WITHOUT_CALLS, "319", "--", "true"):
        print("SKIPPED: the kernel has no seccomp, so no sandbox was tried")
        sys.exit(SKIPPED)
    main()
