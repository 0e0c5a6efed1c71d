"""How much torchada check reads of large files: the pages that the kernel has in its cache
afterwards. What is read ahead counts too, and so this is far less than the file."""
import ctypes
import mmap
import os
import tempfile

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support
from support import torchada

MEGABYTE = 1 << 20
PAGE = mmap.PAGESIZE


def forget(path):
    """Asks the kernel to drop the file from its cache."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def cached(path):
    """Bytes of the file in the kernel's cache."""
    size = os.path.getsize(path)
    pages = (size + PAGE - 1) // PAGE
    with open(path, "rb") as file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY) as memory:
        here = (ctypes.c_char * size).from_buffer(memory)
        told = (ctypes.c_ubyte * pages)()
        libc = ctypes.CDLL(None, use_errno=True)
        failed = libc.mincore(ctypes.c_void_p(ctypes.addressof(here)), ctypes.c_size_t(size), told)
        del here
    if failed:
        raise OSError(ctypes.get_errno(), "mincore")
    return PAGE * sum(page & 1 for page in told)


class Reading(support.CommandTest):

    def read_of(self, name, **contents):
        """Of a file of this name in a directory that check examines: its size, and bytes read."""
        with tempfile.TemporaryDirectory(dir=support.NATIVE) as folder:  # On a disk.
            path = os.path.join(folder, name)
            with open(path, "wb") as out:
                out.write(elf_maker.elf([], **contents))
            forget(path)
            if cached(path):
                self.skipTest("the kernel keeps the file in memory: bytes NOT counted")
            torchada("check", "--jobs=1", folder)
            return os.path.getsize(path), cached(path)

    def device_code(self):
        image = elf_maker.image(2, 80, b"x" * 32768)
        return elf_maker.fat_binary(*[image] * 1000)

    def test_device_code_of_nvidia(self):
        for name in ("libcublas.so.12", "libcusolver.so.11"):
            size, read = self.read_of(name, soname=name, fatbin=self.device_code())
            print(f"{name}: {read} bytes of {size}")
            self.assertLess(read, MEGABYTE // 4)

    def test_device_code_of_others(self):
        """A page for each of a thousand images, and the file's headers."""
        size, read = self.read_of("libuser.so", fatbin=self.device_code())
        print(f"libuser.so: {read} bytes of {size}")
        self.assertLess(read, 1000 * PAGE + MEGABYTE // 4)

    def test_static_runtime_of_nvidia(self):
        """It is linked last."""
        text = b"some text that is printed\0" * (32 * MEGABYTE // 26)
        mark = b"\0cudaErrorCudartUnloading\0/cudart.shm.\0libcuda.so.1\0"
        name = "libcusolver.so.11"
        size, read = self.read_of(name, soname=name, rodata=text + mark)
        print(f"{name} with the static runtime: {read} bytes of {size}")
        self.assertLess(read, 2 * MEGABYTE)
        size, read = self.read_of("libuser.so", rodata=text + mark)
        self.assertGreater(read, 32 * MEGABYTE * 9 // 10)


if __name__ == "__main__":
    support.main()
