"""Device properties, whose struct has a different size in every CUDA major; attributes; and
versions."""
import ctypes

import support
from support import ABI, INVALID_DEVICE, SUCCESS

CANARY = bytes([0xA5]) * 128
LEGACY = {"multiProcessorCount": 388, "integrated": 396, "l2CacheSize": 616,
          "maxThreadsPerMultiProcessor": 624, "regsPerMultiprocessor": 648, "isMultiGpuBoard": 656,
          "clockRate": 348}
NEWEST = {"multiProcessorCount": 384, "integrated": 388, "l2CacheSize": 596,
          "maxThreadsPerMultiProcessor": 604, "regsPerMultiprocessor": 632, "isMultiGpuBoard": 640}
# Offsets on which all majors agree.
COMMON = {"regsPerBlock": 304, "warpSize": 308, "maxThreadsPerBlock": 320, "maxThreadsDim0": 324,
          "maxThreadsDim1": 328, "maxThreadsDim2": 332, "maxGridSize0": 336, "maxGridSize1": 340,
          "maxGridSize2": 344, "major": 360, "minor": 364}
ATTRIBUTES = {"regsPerBlock": 12, "warpSize": 10, "maxThreadsPerBlock": 1, "maxThreadsDim0": 2,
              "maxThreadsDim1": 3, "maxThreadsDim2": 4, "maxGridSize0": 5, "maxGridSize1": 6,
              "maxGridSize2": 7, "major": 75, "minor": 76, "multiProcessorCount": 16,
              "integrated": 18, "l2CacheSize": 38, "maxThreadsPerMultiProcessor": 39,
              "regsPerMultiprocessor": 82, "isMultiGpuBoard": 84, "clockRate": 13}
TOTAL_GLOBAL_MEMORY = 288
SHARED_MEMORY_PER_BLOCK = (296, 8)
# (function, size of its struct, offsets)
FORMS = {11: [("cudaGetDeviceProperties", 728, LEGACY)],
         12: [("cudaGetDeviceProperties", 728, LEGACY),
              ("cudaGetDeviceProperties_v2", 1032, LEGACY)],
         13: [("cudaGetDeviceProperties", 1008, NEWEST)]}[ABI]


class Properties(support.DeviceTest):

    def read(self, name, size):
        guarded = ctypes.create_string_buffer(b"\xee" * size + CANARY, size + len(CANARY))
        self.status(SUCCESS, getattr(self.cuda, name), guarded, 0)
        self.assertEqual(CANARY, guarded.raw[size:], "%s: bytes behind its %d" % (name, size))
        return guarded.raw[:size]

    def attribute(self, number):
        value = ctypes.c_int(-77)
        self.status(SUCCESS, self.cuda.cudaDeviceGetAttribute, ctypes.byref(value), number, 0)
        return value.value

    def test_size_name_and_memory(self):
        free, total = ctypes.c_size_t(0), ctypes.c_size_t(0)
        self.status(SUCCESS, self.cuda.cudaMemGetInfo, ctypes.byref(free), ctypes.byref(total))
        self.assertGreater(total.value, 0)
        for name, size, _ in FORMS:
            with self.subTest(name):
                properties = self.read(name, size)
                text = properties[:256].split(b"\0")[0].decode("utf-8")
                self.assertTrue(0 < len(text) < 256, "name: %r" % text)
                self.assertEqual(total.value, int.from_bytes(
                    properties[TOTAL_GLOBAL_MEMORY:TOTAL_GLOBAL_MEMORY + 8], "little"))

    def test_plausible(self):
        for name, size, offsets in FORMS:
            properties = self.read(name, size)
            for member in ("major", "warpSize", "maxThreadsPerBlock", "multiProcessorCount",
                           "maxThreadsDim0", "maxGridSize0"):
                offset = dict(COMMON, **offsets)[member]
                value = int.from_bytes(properties[offset:offset + 4], "little", signed=True)
                self.assertGreater(value, 0, "%s.%s at %d" % (name, member, offset))

    def test_equal_to_attributes(self):
        for name, size, offsets in FORMS:
            properties = self.read(name, size)
            members = dict(COMMON, **offsets)
            attributes = {member: self.attribute(ATTRIBUTES[member]) for member in members}
            values = {member: int.from_bytes(properties[offset:offset + 4], "little", signed=True)
                      for member, offset in members.items()}
            offset, number = SHARED_MEMORY_PER_BLOCK
            attributes["sharedMemPerBlock"] = self.attribute(number)
            values["sharedMemPerBlock"] = int.from_bytes(properties[offset:offset + 8], "little")
            self.assertEqual(attributes, values, name)

    def test_no_such_device(self):
        for name, size, _ in FORMS:
            buffer = ctypes.create_string_buffer(size)
            self.status(INVALID_DEVICE, getattr(self.cuda, name), buffer, 4711)
            self.status(INVALID_DEVICE, self.cuda.cudaGetLastError)
        self.status(INVALID_DEVICE, self.cuda.cudaSetDevice, 4711)
        self.status(INVALID_DEVICE, self.cuda.cudaGetLastError)

    def test_probing_leaves_no_error(self):
        """The library queries attributes that a backend may not know. The last error must not show that."""
        for name, size, _ in FORMS:
            self.read(name, size)
            self.status(SUCCESS, self.cuda.cudaGetLastError)

    def test_pending_error_stays(self):
        memory = ctypes.c_void_p(0)
        for name, size, _ in FORMS:
            self.status(support.OUT_OF_MEMORY, self.cuda.cudaMalloc, ctypes.byref(memory), 1 << 62)
            self.read(name, size)
            self.status(support.OUT_OF_MEMORY, self.cuda.cudaGetLastError)
            self.status(SUCCESS, self.cuda.cudaGetLastError)


class Versions(support.DeviceTest):

    def test_versions(self):
        runtime, driver = ctypes.c_int(-77), ctypes.c_int(-77)
        self.status(SUCCESS, self.cuda.cudaRuntimeGetVersion, ctypes.byref(runtime))
        self.status(SUCCESS, self.cuda.cudaDriverGetVersion, ctypes.byref(driver))
        self.assertEqual(ABI, runtime.value // 1000, "runtime version %d" % runtime.value)
        self.assertEqual(0, runtime.value % 10, "runtime version %d" % runtime.value)
        self.assertGreaterEqual(driver.value, runtime.value, "driver against runtime")


if __name__ == "__main__":
    support.main()
