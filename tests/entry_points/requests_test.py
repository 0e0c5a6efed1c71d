"""Every name that programs may ask cuGetProcAddress for, with every version and flag: the answer must be
this library's own function of the name that CUDA means.

 requests_test.py LIBCUDA RUNTIMES CLASS...

RUNTIMES: the folder with the libraries of CUDA's runtime, whose functions must answer the same.

What CUDA means is written by hand (requests.csv), read from the headers of the installed toolkit, and was asked of
NVIDIA's driver (../nvidia/entry_points.csv). It is not from mappings/."""
import collections
import csv
import ctypes
import glob
import os
import re
import sys
import unittest

LIBRARY, RUNTIMES = sys.argv.pop(1), sys.argv.pop(1)
HERE = os.path.dirname(os.path.abspath(__file__))
# Another release's headers, for packaging/test-full.sh.
TOOLKIT = os.environ.get("CUDA_INCLUDE", "/usr/local/cuda/include")

SUCCESS, INVALID_VALUE, NOT_FOUND = 0, 1, 500
FOUND, NO_SUCH_NAME, NEWER = 0, 1, 2
DEFAULT, LEGACY, PER_THREAD = 0, 1, 2
NEWEST = 13050  # The newest release that the libraries know.
STALE = 0x5a5a
# cuda-python 12 asks for this name with 11040 or a later version, and calls what it gets as
# cuGraphInstantiateWithFlags, which a macro of CUDA 12's headers makes of the name. NVIDIA's driver gives it
# cuGraphInstantiate_v2, which takes two more arguments.
OTHER = {"cuGraphInstantiate": (11040, "cuGraphInstantiateWithFlags")}

driver = ctypes.CDLL(LIBRARY)
arguments = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_uint64]
driver.cuGetProcAddress.argtypes = arguments
driver.cuGetProcAddress_v2.argtypes = arguments + [ctypes.POINTER(ctypes.c_int)]


def address(name):
    return ctypes.cast(getattr(driver, name), ctypes.c_void_p).value


def ours(name, version, function):
    """What our driver gives where CUDA's numbers mean `function`."""
    since, other = OTHER.get(name, (NEWEST + 1, None))
    return other if version >= since else function


def ask(name, version, flags):
    """(status, address, answer) of cuGetProcAddress_v2."""
    function, answer = ctypes.c_void_p(STALE), ctypes.c_int(-1)
    status = driver.cuGetProcAddress_v2(name.encode(), function, version, flags, answer)
    return status, function.value, answer.value


def ask_first(name, version, flags):
    """(status, address) of cuGetProcAddress."""
    function = ctypes.c_void_p(STALE)
    return driver.cuGetProcAddress(name.encode(), function, version, flags), function.value


def ask_runtime(runtime, name, version, flags):
    """(status, address, answer) of cudaGetDriverEntryPointByVersion."""
    function, answer = ctypes.c_void_p(STALE), ctypes.c_int(-1)
    status = runtime.cudaGetDriverEntryPointByVersion(
        name.encode(), ctypes.byref(function), ctypes.c_uint(version), ctypes.c_uint64(flags),
        ctypes.byref(answer))
    return status, function.value, answer.value


def ask_own_version(runtime, name, flags):
    """(status, address, answer) of cudaGetDriverEntryPoint, which asks for the runtime's version.

    In CUDA 11 it has no answer: a missing function is an error."""
    function, answer = ctypes.c_void_p(STALE), ctypes.c_int(-1)
    status = runtime.cudaGetDriverEntryPoint(name.encode(), ctypes.byref(function), ctypes.c_uint64(flags),
                                             ctypes.byref(answer))
    return status, function.value, answer.value


class RequestTest(unittest.TestCase):
    maxDiff = None
    runtimes = {}  # By their names.

    def expect(self, name, version, flags, function):
        """`function` is a name, NO_SUCH_NAME or NEWER."""
        where = "%s, version %d, flags %d" % (name, version, flags)
        if isinstance(function, int):
            self.assertEqual((SUCCESS, None, function), ask(name, version, flags), where)
            self.assertEqual((NOT_FOUND, None), ask_first(name, version, flags), where)
            for label, runtime in self.runtimes.items():
                self.assertEqual((SUCCESS, None, function), ask_runtime(runtime, name, version, flags),
                                 where + ", " + label)
            return
        expected = address(function)
        self.assertEqual((SUCCESS, expected, FOUND), ask(name, version, flags), where + ": " + function)
        self.assertEqual((SUCCESS, expected), ask_first(name, version, flags), where + ": " + function)
        for label, runtime in self.runtimes.items():
            self.assertEqual((SUCCESS, expected, FOUND), ask_runtime(runtime, name, version, flags),
                             "%s, %s: %s" % (where, label, function))


class Clients(RequestTest):
    """requests.csv: what programs ask for."""

    def test_each(self):
        with open(os.path.join(HERE, "requests.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 90)
        kinds = {"newer": NEWER, "no such name": NO_SUCH_NAME}
        for row in rows:
            self.expect(row["name"], int(row["version"]), int(row["flags"]),
                        kinds.get(row["function"], row["function"]))


class Measured(RequestTest):
    """What NVIDIA's driver of CUDA 13.0 answered."""

    NEWEST = 13000

    def test_each(self):
        answers = collections.defaultdict(list)
        with open(os.path.join(HERE, "..", "nvidia", "entry_points.csv"), encoding="utf-8") as file:
            for row in csv.DictReader(file):
                answers[row["name"], int(row["flags"])].append((int(row["version"]), row["function"]))
        self.assertGreater(len(answers), 1200)
        every = sorted({version for steps in answers.values() for version, _ in steps})
        every = sorted({version + step for version in every for step in (-1, 0)} | {self.NEWEST})
        for (name, flags), steps in answers.items():
            for version in every:
                known = [function for first, function in steps if first <= version] or ["newer"]
                self.expect(name, version, flags, ours(name, version, NEWER if known[-1] == "newer" else known[-1]))


class Arguments(RequestTest):
    """What CUDA's documentation says of the arguments."""

    def test_null(self):
        function = ctypes.c_void_p(STALE)
        for call in (driver.cuGetProcAddress, lambda *some: driver.cuGetProcAddress_v2(*some, None)):
            self.assertEqual(INVALID_VALUE, call(None, function, 12000, DEFAULT))
            self.assertEqual(INVALID_VALUE, call(b"cuInit", None, 12000, DEFAULT))
        self.assertEqual(STALE, function.value)

    def test_flags(self):
        for flags in (3, 4, 1 << 40):
            self.assertEqual((INVALID_VALUE, STALE, -1), ask("cuInit", 12000, flags))
            self.assertEqual((INVALID_VALUE, STALE), ask_first("cuInit", 12000, flags))

    def test_answer_is_optional(self):
        function = ctypes.c_void_p(STALE)
        self.assertEqual(SUCCESS, driver.cuGetProcAddress_v2(b"cuInit", function, 12000, DEFAULT, None))
        self.assertEqual(address("cuInit"), function.value)
        self.assertEqual(SUCCESS, driver.cuGetProcAddress_v2(b"cuNone", function, 12000, DEFAULT, None))
        self.assertIsNone(function.value)

    def test_version_is_that_of_the_driver_at_most(self):
        version = ctypes.c_int(0)
        self.assertEqual(SUCCESS, driver.cuDriverGetVersion(ctypes.byref(version)))
        self.assertEqual(NEWEST, version.value)
        self.expect("cuInit", version.value, DEFAULT, "cuInit")
        for newer in (version.value + 1, 14000, 2**31 - 1):
            self.assertEqual((INVALID_VALUE, STALE, -1), ask("cuInit", newer, DEFAULT))
            self.assertEqual((INVALID_VALUE, STALE), ask_first("cuInit", newer, DEFAULT))
        for old in (0, -1, -2**31):
            self.expect("cuInit", old, DEFAULT, NEWER)

    def test_names(self):
        for name in ("", "cu", "cuI", "cuInit ", "CUINIT", "cuMemcpy_ptds", "A" * 5000):
            self.expect(name, 12000, PER_THREAD, NO_SUCH_NAME)


class Overridden(RequestTest):
    """The driver's version follows TORCHADA_CUDA_VERSION."""

    def test_version(self):
        version = ctypes.c_int(0)
        os.environ["TORCHADA_CUDA_VERSION"] = "12.4"
        self.assertEqual(SUCCESS, driver.cuDriverGetVersion(ctypes.byref(version)))
        self.assertEqual(12040, version.value)
        self.expect("cuCtxCreate", 12040, DEFAULT, "cuCtxCreate_v3")
        self.assertEqual((INVALID_VALUE, STALE, -1), ask("cuCtxCreate", 12050, DEFAULT))
        self.assertEqual(INVALID_VALUE, driver.cuDriverGetVersion(None))


def read_toolkit():
    """The version, and {(name, suffix): versions}: the headers of types have one for each version of a name."""
    with open(os.path.join(TOOLKIT, "cuda.h"), encoding="utf-8", errors="replace") as file:
        newest = int(re.search(r"^#define CUDA_VERSION (\d+)", file.read(), re.MULTILINE).group(1))
    versions = collections.defaultdict(set)
    for header in glob.glob(os.path.join(TOOLKIT, "cuda*Typedefs.h")):
        with open(header, encoding="utf-8", errors="replace") as file:
            text = re.sub(r"#ifdef _WIN32.*?#endif", "", file.read(), flags=re.DOTALL)
        for name, version, suffix in re.findall(r"\*PFN_(cu\w+?)_v(\d{4,})((?:_pt[sd][sz])?)\)", text):
            versions[name, suffix].add(int(version))
    return newest, versions


class Toolkit(RequestTest):
    """Every type of the toolkit's headers of types, those for OpenGL, EGL and VDPAU among them."""

    def load_runtimes(self):
        """{CUDA's version: library}, and those with the newer function as runtimes of the other requests."""
        self.runtimes, found = {}, {}
        for soname in ("libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"):
            runtime = ctypes.CDLL(os.path.join(RUNTIMES, soname))
            version = ctypes.c_int(0)
            self.assertEqual(SUCCESS, runtime.cudaRuntimeGetVersion(ctypes.byref(version)))
            found[version.value] = runtime
            if version.value >= 12050:
                self.runtimes[soname] = runtime
        self.assertEqual(3, len(found))
        return found

    def expect_of_runtime(self, version, runtime, name, flags, function):
        where = "%s, flags %d, runtime %d: %s" % (name, flags, version, function)
        status, found, answer = ask_own_version(runtime, name, flags)
        if version < 12000:
            missing = isinstance(function, int)
            self.assertEqual(NOT_FOUND if missing else SUCCESS, status, where)
            self.assertEqual(None if missing else address(function), found, where)
        elif isinstance(function, int):
            self.assertEqual((SUCCESS, None, function), (status, found, answer), where)
        else:
            self.assertEqual((SUCCESS, address(function), FOUND), (status, found, answer), where)

    @staticmethod
    def functions_of(name, suffix):
        """The exports NAME, NAME_v2, ... in the order of their numbers, in which they came."""
        return [each for each in [name + suffix] + ["%s_v%d%s" % (name, number, suffix) for number in range(2, 10)]
                if hasattr(driver, each)]

    def test_every_version_of_every_name(self):
        newest, versions = read_toolkit()
        own_versions = self.load_runtimes()
        plain = {name: sorted(found) for (name, suffix), found in versions.items() if not suffix}
        self.assertGreater(len(plain), 390 if newest < 12000 else 400)
        self.assertIn("cuGLGetDevices", plain)
        asked = 0
        for name, numbers in plain.items():
            meant = list(zip(numbers, self.functions_of(name, "")))
            self.assertEqual(len(numbers), len(meant), name + ": exports are missing")
            own_stream = {}
            for suffix in ("_ptsz", "_ptds"):
                for number, function in zip(sorted(versions.get((name, suffix), [])), self.functions_of(name, suffix)):
                    own_stream[function] = number
            wanted = {1, 1000, newest} | {n + step for n in numbers for step in (-10, -1, 0, 1, 10)}
            wanted |= set(own_versions)
            for version in sorted(v for v in wanted if v <= newest):
                known = [function for number, function in meant if number <= version]
                legacy = ours(name, version, known[-1] if known else NEWER)
                own = [function for function, number in own_stream.items() if number <= version]
                per_thread = legacy if not own_stream else own[-1] if own else NEWER
                self.expect(name, version, DEFAULT, legacy)
                self.expect(name, version, LEGACY, legacy)
                self.expect(name, version, PER_THREAD, per_thread)
                asked += 3
                if version in own_versions:
                    for flags, function in ((DEFAULT, legacy), (LEGACY, legacy), (PER_THREAD, per_thread)):
                        self.expect_of_runtime(version, own_versions[version], name, flags, function)
            # Newer releases added functions, but took none away.
            self.expect(name, NEWEST, DEFAULT, ours(name, NEWEST, self.functions_of(name, "")[-1]))
        print("%d requests for %d names" % (asked, len(plain)))
        self.assertGreater(asked, 6000)


if __name__ == "__main__":
    if "Toolkit" in sys.argv and not os.path.exists(os.path.join(TOOLKIT, "cudaTypedefs.h")):
        print("SKIPPED: no cudaTypedefs.h below %s; the requests were not compared with CUDA's headers" % TOOLKIT)
        sys.exit(77)
    unittest.main(verbosity=2)
