"""Eight ranks on one host: each sees the device that CUDA_VISIBLE_DEVICES gives it, whether the
variable is set from outside or through os.environ before the first call. Devices are named by number
or by UUID."""
import glob
import os
import shutil
import subprocess
import tempfile
import unittest

from support import DRIVER, HOST, LIB, main, run_python

RANKS = 8
ASK = """
import ctypes, os
{before}
cudart = ctypes.CDLL("libcudart.so.12")
count, bus = ctypes.c_int(), ctypes.create_string_buffer(64)
assert cudart.cudaGetDeviceCount(ctypes.byref(count)) == 0
assert cudart.cudaDeviceGetPCIBusId(bus, 64, 0) == 0
print(count.value, bus.value.decode())
"""


class VisibleDevices(unittest.TestCase):
    def ask(self, before="", **environment):
        result = run_python(ASK.format(before=before), TORCHADA_HOST_DEVICES=str(RANKS), **environment)
        self.assertEqual("", result.stderr)
        self.assertEqual(0, result.returncode)
        count, bus = result.stdout.split()
        return int(count), bus

    def buses(self):
        result = run_python(ASK.format(before="").replace(", 64, 0)", ", 64, 7)"),
                            TORCHADA_HOST_DEVICES=str(RANKS))
        self.assertEqual("8", result.stdout.split()[0])
        return [self.ask(MUSA_VISIBLE_DEVICES=str(rank))[1] for rank in range(RANKS)]

    def test_set_from_outside(self):
        expected = self.buses()
        self.assertEqual(RANKS, len(set(expected)), expected)
        for rank in range(RANKS):
            self.assertEqual((1, expected[rank]), self.ask(CUDA_VISIBLE_DEVICES=str(rank)))

    def test_set_by_the_program_before_its_first_call(self):
        expected = self.buses()
        for rank in range(RANKS):
            before = f"os.environ['CUDA_VISIBLE_DEVICES'] = '{rank}'"
            self.assertEqual((1, expected[rank]), self.ask(before))

    def test_order_is_kept(self):
        expected = self.buses()
        self.assertEqual((2, expected[5]), self.ask(CUDA_VISIBLE_DEVICES="5,2"))

    def test_empty_hides_every_device(self):
        result = run_python("import ctypes\nn = ctypes.c_int(7)\n"
                            "lib = ctypes.CDLL('libcudart.so.12')\n"
                            "print(lib.cudaGetDeviceCount(ctypes.byref(n)))",
                            TORCHADA_HOST_DEVICES=str(RANKS), CUDA_VISIBLE_DEVICES="")
        self.assertEqual(("100", ""), (result.stdout.strip(), result.stderr))  # cudaErrorNoDevice

    def test_the_users_word_on_musas_name_counts(self):
        expected = self.buses()
        self.assertEqual((1, expected[3]),
                         self.ask(CUDA_VISIBLE_DEVICES="1,2", MUSA_VISIBLE_DEVICES="3"))


# Prints the UUIDs of the visible devices, in CUDA's order.
UUIDS = """
import ctypes, os, sys
{before}
uuids = []
driver = ctypes.CDLL(os.path.join({lib!r}, "driver", "libcuda.so.1"))
status, count = driver.cuInit(0), ctypes.c_int()
if status == 0:
    assert driver.cuDeviceGetCount(ctypes.byref(count)) == 0
for device in range(count.value):
    uuid = (ctypes.c_ubyte * 16)()
    assert driver.cuDeviceGetUuid_v2(uuid, device) == 0
    text = bytes(uuid).hex()
    uuids.append("GPU-" + "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])))
print(status, *uuids)
{after}
"""
NVML_UUIDS = """
import ctypes, os
nvml = ctypes.CDLL(os.path.join({lib!r}, "nvml", "libnvidia-ml.so.1"))
assert nvml.nvmlInit_v2() == 0
count = ctypes.c_uint()
assert nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0
uuids = []
for index in range(count.value):
    handle, text = ctypes.c_void_p(), ctypes.create_string_buffer(96)
    assert nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(handle)) == 0
    assert nvml.nvmlDeviceGetUUID(handle, text, 96) == 0
    uuids.append(text.value.decode())
"""
NO_DEVICE = "100"


class ByUuid(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.uuids = cls.started().stdout.split()[1:]

    @staticmethod
    def started(visible=None, *, before="", after="", devices=3, **environment):
        code = UUIDS.format(before=before, after=after, lib=LIB)
        if visible is not None:
            environment["CUDA_VISIBLE_DEVICES"] = visible
        return run_python(code, TORCHADA_HOST_DEVICES=str(devices), **environment)

    def shows(self, expected, visible, line=None, **others):
        """The devices `expected`, by number, are visible, and stderr has no line, or one that matches `line`."""
        result = self.started(visible, **others)
        self.assertEqual(0, result.returncode, result.stderr)
        status, *uuids = result.stdout.split()
        self.assertEqual([self.uuids[device] for device in expected], uuids, result.stderr)
        self.assertEqual("0" if expected else NO_DEVICE, status)
        lines = result.stderr.splitlines()
        self.assertEqual(0 if line is None else 1, len(lines), result.stderr)
        if line is not None:
            self.assertIn("CUDA_VISIBLE_DEVICES", lines[0])
            self.assertRegex(lines[0], line)
        return result

    def test_whole_and_lists(self):
        self.assertEqual(3, len(set(self.uuids)), self.uuids)
        first, second, third = self.uuids
        self.shows([1], second)
        self.shows([2], third)
        self.shows([1, 2], f"{second},{third}")
        self.shows([2, 0], f"{third},{first}")
        self.shows([2, 1, 0], ",".join(reversed(self.uuids)))

    def test_as_nvml_tells_it(self):
        told = run_python(NVML_UUIDS.format(lib=LIB) + "print(*uuids)", TORCHADA_HOST_DEVICES="3").stdout.split()
        self.assertEqual(self.uuids, told)
        # It goes on to show all devices, and the variable counts although it was asked first.
        self.shows([2], self.uuids[2], before=NVML_UUIDS.format(lib=LIB) + f"assert uuids == {self.uuids}\nuuids = []")

    def test_digits_may_be_capital(self):
        self.shows([1], "GPU-" + self.uuids[1][4:].upper())

    def test_beginning(self):
        """The stand-in's UUIDs differ in the last digit, so an MTML with others is asked."""
        mtml = self.with_mtml("""
            #include <string.h>
            static const char* uuids[] = {"12345678-0000-0000-0000-000000000000",
                                          "GPU-1234ABCD-0000-0000-0000-00000000000A",
                                          "abc00000-0000-0000-0000-000000000000"};
            int mtmlLibraryInit(void** l) { *l = l; return 0; }
            int mtmlLibraryCountDevice(const void* l, unsigned* n) { *n = 3; return 0; }
            int mtmlLibraryInitDeviceByIndex(const void* l, unsigned i, void** d) { *d = (char*)uuids[i]; return 0; }
            int mtmlDeviceGetUUID(const void* d, char* t, unsigned n) { strncpy(t, d, n); return 0; }""")
        self.shows([2], "GPU-a", TORCHADA_MUSA_PATH=mtml)
        self.shows([2], "GPU-abc00000-0", TORCHADA_MUSA_PATH=mtml)
        self.shows([1, 0], "GPU-1234ab,GPU-12345", TORCHADA_MUSA_PATH=mtml)
        self.shows([0], "GPU-12345678-0000-0000-0000-000000000000", TORCHADA_MUSA_PATH=mtml)
        self.shows([], "GPU-1234", '"GPU-1234" .*more than one', TORCHADA_MUSA_PATH=mtml)
        self.shows([2], "GPU-abc,GPU-1234,GPU-12345", '"GPU-1234" .*more than one', TORCHADA_MUSA_PATH=mtml)
        self.shows([], "GPU-12345,GPU-1234567", "second time", TORCHADA_MUSA_PATH=mtml)

    def test_beginning_of_several(self):
        beginning = self.uuids[0][:-1]
        self.shows([], beginning, rf'"{beginning}" and what follows is hidden: more than one device has a UUID')
        self.shows([1], f"{self.uuids[1]},{beginning},{self.uuids[2]}", rf'"{beginning}" .*more than one')
        self.shows([0], beginning, devices=1)

    def test_unknown(self):
        unknown = "GPU-" + ("0" if self.uuids[0][4] != "0" else "1") + self.uuids[0][5:]
        self.shows([], unknown, f'"{unknown}" .*no device has a UUID that begins so')
        self.shows([2], f"{self.uuids[2]},{unknown},{self.uuids[1]}", f'"{unknown}" and what follows is hidden')
        self.shows([], self.uuids[0] + "0", "no UUID")
        self.shows([], "GPU-what,0", '"GPU-what" .*no UUID')
        self.shows([1], f"{self.uuids[1]}, {self.uuids[2]}", "blank")
        self.shows([1], f"{self.uuids[1]},", '"" and what follows')

    def test_twice(self):
        self.shows([], f"{self.uuids[1]},{self.uuids[2]},{self.uuids[1]}", "second time, so every device is hidden")

    def test_parts(self):
        self.shows([], "MIG-" + self.uuids[1][4:], '"MIG-.*no MIG parts')
        self.shows([1], f"{self.uuids[1]},MIG-{self.uuids[2]}/1/0", "no MIG parts")

    def test_mixed_with_numbers(self):
        """The first entry decides which form counts, as PyTorch tells it of CUDA."""
        self.shows([1], f"{self.uuids[1]},2", '"2" and what follows .*either UUIDs or numbers')
        self.shows([2, 0], f"2,0,{self.uuids[1]}", f'"{self.uuids[1]}" and what follows .*either UUIDs or numbers')

    def test_musas_own_forms_pass(self):
        for value in ("MTGPU-0123", "all", f"MTGPU-0123,{self.uuids[0]}", "-1"):
            result = self.started(value, after="libc = ctypes.CDLL(None)\nlibc.getenv.restype = ctypes.c_char_p\n"
                                               "print(libc.getenv(b'MUSA_VISIBLE_DEVICES').decode())")
            self.assertEqual((f"{NO_DEVICE}\n{value}\n", ""), (result.stdout, result.stderr))

    def test_the_users_word_on_musas_name_counts(self):
        self.shows([0], self.uuids[2], MUSA_VISIBLE_DEVICES="0")

    def test_every_library_and_a_line_for_who_asks(self):
        """A second library of the process finds the variable set and says nothing."""
        after = ("cudart = ctypes.CDLL('libcudart.so.12')\nassert cudart.cudaGetDeviceCount(ctypes.byref(count)) == 0\n"
                 "assert count.value == 2, count")
        self.shows([2, 1], f"{self.uuids[2]},{self.uuids[1]}", after=after)
        result = self.started(f"{self.uuids[2]},{self.uuids[1]}", TORCHADA_LOG="info")
        self.assertRegex(result.stderr, r"MUSA_VISIBLE_DEVICES=2,1 \(from the devices in CUDA_VISIBLE_DEVICES\)")

    def test_threads(self):
        """All threads see the same devices, whichever of them opens MUSA through which library."""
        before = ("import threading\n"
                  "names = ('libcudart.so.12', 'libcublas.so.12', 'libcudart.so.13')\n"
                  "libraries = [ctypes.CDLL(name) for name in names]\n"
                  "counts, gate = [], threading.Barrier(6)\n"
                  "def ask(index):\n"
                  "    number, handle = ctypes.c_int(), ctypes.c_void_p()\n"
                  "    gate.wait()\n"
                  "    if index % 3 == 1: libraries[1].cublasCreate_v2(ctypes.byref(handle))\n"
                  "    libraries[index % 2 * 2].cudaGetDeviceCount(ctypes.byref(number)); counts.append(number.value)\n"
                  "threads = [threading.Thread(target=ask, args=[index]) for index in range(6)]\n"
                  "for thread in threads: thread.start()\n"
                  "for thread in threads: thread.join()\n"
                  "assert counts == [1] * 6, counts")
        for _ in range(5):
            self.shows([2], self.uuids[2], before=before)

    def test_musa_was_open(self):
        before = f"musart = ctypes.CDLL({os.path.join(HOST, 'lib', 'libmusart.so')!r})"
        self.shows([0, 1, 2], self.uuids[1], "no effect.*set MUSA_VISIBLE_DEVICES to the numbers", before=before)

    def copy_of_musa(self):
        folder = tempfile.mkdtemp(prefix="torchada-uuid-")
        self.addCleanup(shutil.rmtree, folder)
        root = os.path.join(folder, "musa")
        shutil.copytree(HOST, root)
        shutil.copytree(DRIVER, os.path.join(root, "lib"), dirs_exist_ok=True)
        return root

    def with_mtml(self, source):
        """A MUSA with this libmtml, or with none."""
        root = self.copy_of_musa()
        for path in glob.glob(os.path.join(root, "lib", "libmtml.so*")):
            os.remove(path)
        if source is not None:
            library = os.path.join(root, "lib", "libmtml.so.2")
            subprocess.run(["cc", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", library], input=source, text=True,
                           check=True)
        return root

    def test_without_mtml(self):
        self.shows([1], self.uuids[1], TORCHADA_MUSA_PATH=self.copy_of_musa())
        root = self.with_mtml(None)
        self.shows([], self.uuids[1], rf'"{self.uuids[1]}" .*libmtml, cannot be opened; list device numbers',
                   TORCHADA_MUSA_PATH=root)
        self.shows([1], "1", TORCHADA_MUSA_PATH=root)

    def test_mtml_that_lacks_or_refuses(self):
        begin = "int mtmlLibraryInit(void** l) { *l = l; return 0; }"
        count = "int mtmlLibraryCountDevice(const void* l, unsigned* n) { *n = 3; return 0; }"
        failing = "int mtmlLibraryInitDeviceByIndex(const void* l, unsigned i, void** d) { return 999; }"
        for source, line in (("int nothing;", "mtmlLibraryInit of .* is missing"),
                             (begin, "mtmlLibraryCountDevice of .* is missing"),
                             (begin + count + failing, "mtmlLibraryInitDeviceByIndex of .* returned 999")):
            self.shows([], self.uuids[1], line, TORCHADA_MUSA_PATH=self.with_mtml(source))


if __name__ == "__main__":
    main()
