"""cuFFT through ctypes: every kind of transform in one, two and three dimensions, compared with the
sum that defines the transform."""
import array
import cmath
import ctypes
import random

import support
from support import ABI, SUCCESS

CUFFT = "libcufft.so.%d" % {11: 10, 12: 11, 13: 12}[ABI]
INVALID_PLAN, INVALID_TYPE, INVALID_VALUE, INVALID_SIZE = 1, 3, 4, 8
FORWARD, INVERSE = -1, 1
TYPES = {"R2C": 0x2a, "C2R": 0x2c, "C2C": 0x29, "D2Z": 0x6a, "Z2D": 0x6c, "Z2Z": 0x69}
SHAPES = [(1,), (8,), (15,), (97,), (4, 6), (5, 7), (2, 3, 5), (3, 4, 4)]


def count_of(shape):
    out = 1
    for length in shape:
        out *= length
    return out


def indices(shape):
    """Every index of an array of this shape, in row-major order."""
    if not shape:
        return [()]
    return [(i,) + rest for i in range(shape[0]) for rest in indices(shape[1:])]


def transform(values, shape, sign):
    """The definition: one axis after the other, each by its sum."""
    out = list(values)
    for axis, length in enumerate(shape):
        step = count_of(shape[axis + 1:])
        roots = [cmath.exp(sign * 2j * cmath.pi * k / length) for k in range(length)]
        following = list(out)
        for start in range(len(out)):
            position = start // step % length
            base = start - position * step
            following[start] = sum(out[base + j * step] * roots[position * j % length]
                                   for j in range(length))
        out = following
    return out


def half(values, shape):
    """The part of a real array's transform that cuFFT stores."""
    return [value for index, value in zip(indices(shape), values) if index[-1] <= shape[-1] // 2]


class Fft(support.DeviceTest):

    def setUp(self):
        super().setUp()
        self.fft = ctypes.CDLL(CUFFT)
        for name in ("cufftExecC2C", "cufftExecZ2Z"):
            getattr(self.fft, name).argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p,
                                                ctypes.c_int]
        for name in ("cufftExecR2C", "cufftExecD2Z", "cufftExecC2R", "cufftExecZ2D",
                     "cufftSetWorkArea", "cufftSetStream"):
            count = 2 if "Set" in name else 3
            getattr(self.fft, name).argtypes = [ctypes.c_int, ctypes.c_void_p,
                                                ctypes.c_void_p][:count]
        self.random = random.Random(7)

    def plan(self, function, *arguments):
        plan = ctypes.c_int(-1)
        self.status(SUCCESS, function, ctypes.byref(plan), *arguments)
        self.addCleanup(self.fft.cufftDestroy, plan)
        return plan.value

    def numbers_on_device(self, numbers, kind, floats):
        """A device array; `floats` is "f" or "d", `kind` is "real" or "complex"."""
        flat = array.array(floats)
        for number in numbers:
            flat.append(complex(number).real)
            if kind == "complex":
                flat.append(complex(number).imag)
        memory = self.allocate(max(len(flat) * flat.itemsize, 1))
        self.upload(memory, flat.tobytes())
        return memory

    def numbers_from_device(self, memory, count, kind, floats):
        flat = array.array(floats)
        words = count * (2 if kind == "complex" else 1)
        flat.frombytes(self.download(memory, words * flat.itemsize))
        if kind == "real":
            return list(flat)
        return [complex(flat[i], flat[i + 1]) for i in range(0, words, 2)]

    def complex_numbers(self, count):
        return [complex(self.random.uniform(-1, 1), self.random.uniform(-1, 1))
                for _ in range(count)]

    def compare(self, expected, got, floats):
        self.assertEqual(len(expected), len(got))
        allowed = {"f": 2e-6, "d": 1e-14}[floats] * (1 + max(abs(value) for value in expected))
        for i, (want, have) in enumerate(zip(expected, got)):
            self.assertLessEqual(abs(want - have), allowed, "element %d: %r, expected %r" %
                                 (i, have, want))

    def check(self, plan, name, shape, batch=1):
        """Executes the plan on random numbers and compares all transforms of the batch."""
        floats = "d" if "Z" in name or "D" in name else "f"
        function = getattr(self.fft, "cufftExec" + name)
        count, halves = count_of(shape), len(half([0] * count_of(shape), shape))
        if name in ("C2C", "Z2Z"):
            numbers = self.complex_numbers(batch * count)
            for sign in (FORWARD, INVERSE):
                source = self.numbers_on_device(numbers, "complex", floats)
                result = self.numbers_on_device(numbers, "complex", floats)
                self.status(SUCCESS, function, plan, source, result, sign)
                expected = [value for i in range(batch)
                            for value in transform(numbers[i * count:(i + 1) * count], shape, sign)]
                got = self.numbers_from_device(result, batch * count, "complex", floats)
                self.compare(expected, got, floats)
            return
        reals = [self.random.uniform(-1, 1) for _ in range(batch * count)]
        spectra = [value for i in range(batch)
                   for value in half(transform(reals[i * count:(i + 1) * count], shape, FORWARD),
                                     shape)]
        if name in ("R2C", "D2Z"):
            source = self.numbers_on_device(reals, "real", floats)
            result = self.numbers_on_device([0] * (batch * halves), "complex", floats)
            self.status(SUCCESS, function, plan, source, result)
            got = self.numbers_from_device(result, batch * halves, "complex", floats)
            self.compare(spectra, got, floats)
        else:
            source = self.numbers_on_device(spectra, "complex", floats)
            result = self.numbers_on_device([0] * (batch * count), "real", floats)
            self.status(SUCCESS, function, plan, source, result)
            got = self.numbers_from_device(result, batch * count, "real", floats)
            self.compare([count * value for value in reals], got, floats)

    def test_every_type_and_dimension(self):
        for name, number in TYPES.items():
            for shape in SHAPES:
                with self.subTest(type=name, shape=shape):
                    function = getattr(self.fft, "cufftPlan%dd" % len(shape))
                    rest = (1,) if len(shape) == 1 else ()
                    self.check(self.plan(function, *shape, number, *rest), name, shape)

    def test_many(self):
        for name, number in TYPES.items():
            for shape in ((9,), (4, 3), (2, 3, 4)):
                with self.subTest(type=name, shape=shape):
                    lengths = (ctypes.c_int * len(shape))(*shape)
                    plan = self.plan(self.fft.cufftPlanMany, len(shape), lengths, None, 1, 0, None,
                                     1, 0, number, 3)
                    self.check(plan, name, shape, batch=3)

    def test_strided(self):
        """Every second complex number is transformed, the others stay."""
        count, stride = 10, 2
        numbers = self.complex_numbers(count * stride)
        lengths = (ctypes.c_int * 1)(count)
        room = (ctypes.c_int * 1)(count * stride)
        plan = self.plan(self.fft.cufftPlanMany, 1, lengths, room, stride, count * stride, room,
                         stride, count * stride, TYPES["C2C"], 1)
        memory = self.numbers_on_device(numbers, "complex", "f")
        self.status(SUCCESS, self.fft.cufftExecC2C, plan, memory, memory, FORWARD)
        expected = list(numbers)
        expected[::stride] = transform(numbers[::stride], (count,), FORWARD)
        got = self.numbers_from_device(memory, count * stride, "complex", "f")
        self.compare(expected, got, "f")

    def test_own_work_area_and_stream(self):
        plan = self.plan(self.fft.cufftCreate)
        self.status(SUCCESS, self.fft.cufftSetAutoAllocation, plan, 0)
        stream = self.make_stream()
        self.status(SUCCESS, self.fft.cufftSetStream, plan, stream)
        size, again = ctypes.c_size_t(0), ctypes.c_size_t(1)
        self.status(SUCCESS, self.fft.cufftMakePlan1d, plan, 21, TYPES["Z2Z"], 1,
                    ctypes.byref(size))
        self.status(SUCCESS, self.fft.cufftGetSize, plan, ctypes.byref(again))
        self.assertEqual(size.value, again.value)
        self.status(SUCCESS, self.fft.cufftSetWorkArea, plan, self.allocate(max(size.value, 1)))
        numbers = self.complex_numbers(21)
        memory = self.numbers_on_device(numbers, "complex", "d")
        self.status(SUCCESS, self.fft.cufftExecZ2Z, plan, memory, memory, FORWARD)
        self.status(SUCCESS, self.cuda.cudaStreamSynchronize, stream)
        got = self.numbers_from_device(memory, 21, "complex", "d")
        self.compare(transform(numbers, (21,), FORWARD), got, "d")

    def test_errors(self):
        plan = ctypes.c_int(-1)
        make = self.fft.cufftPlan1d
        self.status(INVALID_SIZE, make, ctypes.byref(plan), 0, TYPES["C2C"], 1)
        self.status(INVALID_TYPE, make, ctypes.byref(plan), 8, 0x28, 1)
        self.status(INVALID_PLAN, self.fft.cufftExecC2C, 4711, 1, 1, FORWARD)
        self.status(INVALID_PLAN, self.fft.cufftDestroy, 4711)


if __name__ == "__main__":
    support.main()
