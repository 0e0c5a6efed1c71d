"""NVML on the CPU stand-in, through ctypes: what programs that show and choose devices ask."""
import ctypes
import os
import subprocess
import sys
import threading
import unittest

import support
from support import STAGE, SUCCESS, run

NVML = os.path.join(STAGE, "lib", "nvml", "libnvidia-ml.so.1")
COMMAND = os.path.join(STAGE, "bin", "torchada")
UNINITIALIZED, INVALID_ARGUMENT, NVML_NOT_SUPPORTED, NOT_FOUND, INSUFFICIENT_SIZE = 1, 2, 3, 6, 7
DRIVER_NOT_LOADED, GPU_IS_LOST, VERSION_MISMATCH = 9, 15, 25
GIB = 1 << 30
os.environ["TORCHADA_HOST_DEVICES"] = "2"


class Memory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong),
                ("used", ctypes.c_ulonglong)]


class PciInfo(ctypes.Structure):
    _fields_ = [("legacy", ctypes.c_char * 16), ("domain", ctypes.c_uint), ("bus", ctypes.c_uint),
                ("device", ctypes.c_uint), ("id", ctypes.c_uint), ("subsystem", ctypes.c_uint),
                ("address", ctypes.c_char * 32)]


def open_nvml():
    nvml = ctypes.CDLL(NVML)
    nvml.nvmlErrorString.restype = ctypes.c_char_p
    return nvml


class NvmlTest(support.ProgramTest):

    def setUp(self):
        super().setUp()
        self.nvml = open_nvml()

    def start(self):
        self.status(SUCCESS, self.nvml.nvmlInit_v2)
        self.addCleanup(self.nvml.nvmlShutdown)

    def device(self, index=0):
        handle = ctypes.c_void_p()
        self.status(SUCCESS, self.nvml.nvmlDeviceGetHandleByIndex_v2, index, ctypes.byref(handle))
        return handle

    def number(self, function, *arguments, kind=ctypes.c_uint):
        out = kind()
        self.status(SUCCESS, function, *arguments, ctypes.byref(out))
        return out.value

    def text(self, function, *arguments, size=96):
        out = ctypes.create_string_buffer(size)
        self.status(SUCCESS, function, *arguments, out, size)
        return out.value.decode()


class Devices(NvmlTest):

    def test_initialisation_is_counted(self):
        self.status(UNINITIALIZED, self.nvml.nvmlDeviceGetCount_v2, ctypes.byref(ctypes.c_uint()))
        for _ in range(3):
            self.status(SUCCESS, self.nvml.nvmlInit_v2)
        for _ in range(3):
            self.assertEqual(2, self.number(self.nvml.nvmlDeviceGetCount_v2))
            self.status(SUCCESS, self.nvml.nvmlShutdown)
        self.status(UNINITIALIZED, self.nvml.nvmlShutdown)

    def test_texts(self):
        self.assertEqual(b"NVML_SUCCESS", self.nvml.nvmlErrorString(0))
        self.assertEqual(b"NVML_ERROR_NOT_SUPPORTED", self.nvml.nvmlErrorString(3))
        for number in (-1, 12345):
            self.assertEqual(b"unknown NVML status", self.nvml.nvmlErrorString(number))

    def test_who_they_are(self):
        self.start()
        seen = set()
        for index in range(2):
            device = self.device(index)
            self.assertEqual(index, self.number(self.nvml.nvmlDeviceGetIndex, device))
            uuid = self.text(self.nvml.nvmlDeviceGetUUID, device)
            self.assertRegex(uuid, r"\AGPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
            found = self.number(self.nvml.nvmlDeviceGetHandleByUUID, uuid.encode(),
                                kind=ctypes.c_void_p)
            self.assertEqual(device.value, found)
            info = PciInfo()
            self.status(SUCCESS, self.nvml.nvmlDeviceGetPciInfo_v3, device, ctypes.byref(info))
            self.assertRegex(info.address.decode(), r"\A[0-9A-F]{8}:[0-9A-F]{2}:[0-9A-F]{2}\.0\Z")
            for text in (info.address, info.legacy):
                found = self.number(self.nvml.nvmlDeviceGetHandleByPciBusId_v2, text,
                                    kind=ctypes.c_void_p)
                self.assertEqual(device.value, found)
            seen.add((uuid, info.address))
        self.assertEqual(2, len(seen))
        handle = ctypes.c_void_p()
        self.status(INVALID_ARGUMENT, self.nvml.nvmlDeviceGetHandleByIndex_v2, 2,
                    ctypes.byref(handle))
        self.status(NOT_FOUND, self.nvml.nvmlDeviceGetHandleByUUID, b"GPU-0", ctypes.byref(handle))

    def test_the_runtime_shows_the_same(self):
        self.start()
        cuda = support.open_cudart()
        address = ctypes.create_string_buffer(32)
        self.status(SUCCESS, cuda.cudaDeviceGetPCIBusId, address, 32, 1)
        found = self.number(self.nvml.nvmlDeviceGetHandleByPciBusId_v2, address.value,
                            kind=ctypes.c_void_p)
        self.assertEqual(self.device(1).value, found)
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.status(SUCCESS, self.nvml.nvmlDeviceGetCudaComputeCapability, self.device(1),
                    ctypes.byref(major), ctypes.byref(minor))
        for attribute, told in ((75, major.value), (76, minor.value)):
            value = ctypes.c_int()
            self.status(SUCCESS, cuda.cudaDeviceGetAttribute, ctypes.byref(value), attribute, 1)
            self.assertEqual(value.value, told)
        driver = self.number(self.nvml.nvmlSystemGetCudaDriverVersion, kind=ctypes.c_int)
        self.assertEqual(driver, self.number(cuda.cudaDriverGetVersion, kind=ctypes.c_int))

    def test_memory_of_another_process(self):
        self.start()
        device = self.device(1)
        memory = Memory()
        self.status(SUCCESS, self.nvml.nvmlDeviceGetMemoryInfo, device, ctypes.byref(memory))
        before = memory.used
        self.assertEqual(memory.total, memory.used + memory.free)
        program = ("import ctypes, sys\n"
                   "cuda = ctypes.CDLL(%r)\n"
                   "cuda.cudaMalloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]\n"
                   "cuda.cudaSetDevice(1)\n"
                   "print(cuda.cudaMalloc(ctypes.byref(ctypes.c_void_p()), %d), flush=True)\n"
                   "sys.stdin.read()\n" % (support.CUDART, GIB))
        with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as other:
            self.assertEqual(b"0\n", other.stdout.readline())
            self.status(SUCCESS, self.nvml.nvmlDeviceGetMemoryInfo, device, ctypes.byref(memory))
            self.assertGreaterEqual(memory.used - before, GIB)
            other.communicate(b"")
        self.status(SUCCESS, self.nvml.nvmlDeviceGetMemoryInfo, device, ctypes.byref(memory))
        self.assertLess(memory.used - before, GIB)

    def test_versions_of_structs(self):
        self.start()
        for size, version, expected in ((40, 2, SUCCESS), (40, 1, VERSION_MISMATCH),
                                        (24, 2, VERSION_MISMATCH)):
            room = (ctypes.c_uint * 12)(*[0x5a5a5a5a] * 12)
            room[0] = size | version << 24
            self.status(expected, self.nvml.nvmlDeviceGetMemoryInfo_v2, self.device(), room)
            self.assertEqual([0x5a5a5a5a] * 2, list(room)[10:], "wrote behind the struct")
            if expected != SUCCESS:
                self.assertEqual([0x5a5a5a5a] * 11, list(room)[1:], "wrote to another version")

    def test_short_buffers(self):
        self.start()
        name = self.text(self.nvml.nvmlDeviceGetName, self.device())
        room = ctypes.create_string_buffer(b"\x5a" * 96, 96)
        self.status(INSUFFICIENT_SIZE, self.nvml.nvmlDeviceGetName, self.device(), room, len(name))
        self.assertEqual(b"\x5a" * 96, room.raw)
        self.status(SUCCESS, self.nvml.nvmlDeviceGetName, self.device(), room, len(name) + 1)

    def test_what_is_not_told(self):
        """Nothing is said at the usual level: programs expect these refusals."""
        self.start()
        count = ctypes.c_uint(7)
        self.status(NVML_NOT_SUPPORTED, self.nvml.nvmlDeviceGetComputeRunningProcesses_v3,
                    self.device(), ctypes.byref(count), None)
        self.assertEqual(7, count.value)
        self.status(NVML_NOT_SUPPORTED, self.nvml.nvmlDeviceGetPersistenceMode, self.device(),
                    ctypes.byref(count))
        self.assertEqual(7, count.value)


class Lost(NvmlTest):

    def test_a_device_that_is_lost(self):
        self.start()
        lost, other = self.device(1), self.device(0)
        memory = Memory()
        self.status(SUCCESS, self.nvml.nvmlDeviceGetMemoryInfo, lost, ctypes.byref(memory))
        libc = ctypes.CDLL(None)
        libc.setenv(b"TORCHADA_HOST_LOST", b"1", 1)
        self.addCleanup(libc.unsetenv, b"TORCHADA_HOST_LOST")
        before = bytes(memory)
        self.status(GPU_IS_LOST, self.nvml.nvmlDeviceGetMemoryInfo, lost, ctypes.byref(memory))
        self.assertEqual(before, bytes(memory))
        self.status(GPU_IS_LOST, self.nvml.nvmlDeviceGetName, lost,
                    ctypes.create_string_buffer(96), 96)
        self.status(SUCCESS, self.nvml.nvmlDeviceGetMemoryInfo, other, ctypes.byref(memory))


class Threads(NvmlTest):

    def test_32_threads(self):
        """Each initialises, asks and shuts down; none sees what another one did."""
        wrong = []

        def work(index):
            for _ in range(50):
                handle, memory = ctypes.c_void_p(), Memory()
                statuses = [
                    self.nvml.nvmlInit_v2(),
                    self.nvml.nvmlDeviceGetHandleByIndex_v2(index % 2, ctypes.byref(handle)),
                    self.nvml.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory)),
                    self.nvml.nvmlDeviceGetUtilizationRates(handle, (ctypes.c_uint * 2)()),
                    self.nvml.nvmlShutdown()]
                if statuses != [SUCCESS] * 5 or memory.total == 0:
                    wrong.append((index, statuses, memory.total))

        threads = [threading.Thread(target=work, args=(index,)) for index in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], wrong)
        self.status(UNINITIALIZED, self.nvml.nvmlShutdown)


class Fork(NvmlTest):
    """Programs ask NVML first and fork the processes that use the devices."""

    def test_child(self):
        self.start()
        self.number(self.nvml.nvmlDeviceGetCount_v2)
        child = os.fork()
        if child == 0:
            count = ctypes.c_int()
            cuda = support.open_cudart()
            statuses = [
                self.nvml.nvmlDeviceGetCount_v2(ctypes.byref(ctypes.c_uint())),
                cuda.cudaGetDeviceCount(ctypes.byref(count)),
                cuda.cudaMalloc(ctypes.byref(ctypes.c_void_p()), 1024)]
            os._exit(0 if statuses == [0, 0, 0] and count.value == 2 else 1)
        self.assertEqual(0, os.waitpid(child, 0)[1])

    def test_devices_chosen_later(self):
        """CUDA_VISIBLE_DEVICES counts although NVML opened MUSA before it was set."""
        self.start()
        libc = ctypes.CDLL(None)
        libc.setenv(b"CUDA_VISIBLE_DEVICES", b"1", 1)
        count = ctypes.c_int()
        self.status(SUCCESS, support.open_cudart().cudaGetDeviceCount, ctypes.byref(count))
        self.assertEqual(1, count.value)
        self.assertEqual(2, self.number(self.nvml.nvmlDeviceGetCount_v2))


class WithoutMusa(NvmlTest):

    def test_no_musa(self):
        """As NVIDIA's library without a driver."""
        ctypes.CDLL(None).setenv(b"TORCHADA_MUSA_PATH", b"/nonexistent", 1)
        for _ in range(2):
            self.status(DRIVER_NOT_LOADED, self.nvml.nvmlInit_v2)
        self.assertRegex(self.said(), r"\Atorchada: libnvidia-ml.so.1: no MUSA found below "
                         r"TORCHADA_MUSA_PATH=/nonexistent; first call: nvmlInit_v2; returning "
                         r"9\n\Z")
        room = ctypes.create_string_buffer(96)
        for function, arguments in (
                (self.nvml.nvmlDeviceGetCount_v2, [room]),
                (self.nvml.nvmlSystemGetDriverVersion, [room, 96]),
                (self.nvml.nvmlDeviceGetHandleByIndex_v2, [0, room]),
                (self.nvml.nvmlDeviceGetComputeRunningProcesses_v3, [None, room, None]),
                (self.nvml.nvmlShutdown, [])):
            self.status(UNINITIALIZED, function, *arguments)
        self.assertEqual(b"NVML_ERROR_UNINITIALIZED", self.nvml.nvmlErrorString(1))
        version = self.number(self.nvml.nvmlSystemGetCudaDriverVersion, kind=ctypes.c_int)
        self.assertGreaterEqual(version, 13000)
        self.assertEqual("13", self.text(self.nvml.nvmlSystemGetNVMLVersion))


class OnRequest(unittest.TestCase):
    ASK = "import ctypes; ctypes.CDLL('libnvidia-ml.so.1').nvmlInit_v2()"

    def asked(self, *options, **variables):
        return run(COMMAND, "run", *options, "--", sys.executable, "-c", self.ASK, **variables)

    def test_who_finds_it(self):
        for options, variables, found in ((["--nvml"], {}, True),
                                          ([], {"TORCHADA_NVML": "1"}, True),
                                          (["--only=nvml"], {}, True),
                                          (["--only=cudart", "--nvml"], {}, True),
                                          ([], {}, False), ([], {"TORCHADA_NVML": "0"}, False),
                                          (["--only=cudart"], {}, False)):
            for via in ("path", "audit"):
                result = self.asked("--via=" + via, *options, **variables)
                self.assertEqual(found, result.returncode == 0,
                                 "%r %r: %s" % (options, variables, support.show(result)))

    def test_refusals_are_told_on_request(self):
        ask = ("import ctypes; nvml = ctypes.CDLL('libnvidia-ml.so.1'); nvml.nvmlInit_v2(); "
               "[nvml.nvmlDeviceGetComputeMode(None, None) for _ in range(2)]")
        for level, lines in (("warn", 0), ("info", 1)):
            result = run(COMMAND, "run", "--nvml", "--", sys.executable, "-c", ask,
                         TORCHADA_LOG=level)
            told = [line for line in result.stderr.splitlines()
                    if "nvmlDeviceGetComputeMode" in line]
            self.assertEqual(lines, len(told), support.show(result))
            if lines:
                self.assertIn("is not supported: ", told[0])
                self.assertIn("; returning NVML_ERROR_NOT_SUPPORTED (3)", told[0])


if __name__ == "__main__":
    support.main()
