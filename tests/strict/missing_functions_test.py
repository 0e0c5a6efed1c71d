"""Functions of MUSA that an adapter calls and that the opened MUSA lacks: one line with the CUDA
function, the MUSA function and the file that lacks it, counted by the summary and stopped at in
strict mode.

The tables say what each adapter calls. Tried are the SDK trees of the stand-in as they are, and
copies of the newest in which one function at a time is hidden.
"""
import collections
import ctypes
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

STAGE = os.path.realpath(os.environ["STRICT_STAGE"])
LIB = os.path.join(STAGE, "lib")
HOST = os.path.join(STAGE, "host")
TREES = ("3.1", "4.3", "5.2")
NEWEST = TREES[-1]
TIMES = 3  # Each refused call is made this often: one line, and a count of 3.
ARGUMENTS = 24  # More than any function has.

# Stops are tried with libraries that have no companion: its backtrace, which backtrace_test.py tries, takes long.
NO_COMPANION = "torchada: %s: tracing, backtraces, .* not available: libexec/torchada_companion.so not found; .*\n"

Case = collections.namedtuple("Case", "soname function missing library")


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Elf:
    """The dynamic symbols of a 64-bit ELF file: those that it exports, and where the names of all
    lie in it."""
    SECTION = struct.Struct("<IIQQQQIIQQ")
    SYMBOL = struct.Struct("<IBBHQQ")
    DYNAMIC_SYMBOLS = 11

    def __init__(self, path):
        data = read(path)
        at, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        sections = [self.SECTION.unpack_from(data, at + i * size) for i in range(count)]
        table = next(section for section in sections if section[1] == self.DYNAMIC_SYMBOLS)
        names = sections[table[6]][4]
        self.exported, self.places = set(), {}
        for place in range(table[4], table[4] + table[5], self.SYMBOL.size):
            name, _, _, section, value, _ = self.SYMBOL.unpack_from(data, place)
            start = names + name
            text = data[start:data.index(b"\0", start)].decode()
            self.places[text] = start
            if section and value:
                self.exported.add(text)


class Tables:
    """What the tables say about adapters."""

    def __init__(self, path):
        tables = json.loads(read(path))
        self.libraries = tables["libraries"]
        self.spelled, self.home = {}, {}
        for library in tables["musa"]:
            for symbol in library["symbols"]:
                self.spelled[symbol["name"]] = symbol["link"]
                self.home[symbol["name"]] = library["name"]
        # What an export leads to. Adapters may call it through that export.
        self.targets = {(library["soname"], symbol["target"])
                        for library in self.libraries for symbol in library["symbols"]
                        if symbol["decision"] in ("direct", "adapted")}

    def adapters(self):
        """(library, symbol, its calls, the target that has to be missing before they are made). Without those that
        call another export: that one's slot refuses them. The other way of a name in the thread's own stream is one,
        if the plain name has another way."""
        for library in self.libraries:
            # MUSA is called for the calls of other libraries, and what it lacks makes dropped records.
            if library["soname"].startswith("libcupti."):
                continue
            ways = {symbol["name"]: symbol.get("otherwise_calls") for symbol in library["symbols"]}
            for symbol in library["symbols"]:
                if "delegated_to" in symbol:
                    continue
                through = ways.get(symbol["name"].removesuffix("_ptsz")) if symbol["name"].endswith("_ptsz") else None
                for calls, instead_of in ((symbol.get("calls"), None),
                                          (symbol.get("otherwise_calls"), symbol.get("target"))):
                    if calls and calls != through:
                        yield library, symbol, calls, instead_of


class Tree:
    """An SDK of the stand-in."""

    def __init__(self, root):
        self.root = root
        self.files = {}
        for name in os.listdir(os.path.join(root, "lib")):
            if name.endswith(".so"):
                self.files[name[3:-3]] = os.path.realpath(os.path.join(root, "lib", name))
        # The driver's libraries lie beside the trees.
        driver = os.path.join(HOST, "driver", os.path.basename(root))
        for name in os.listdir(driver):
            if name.endswith(".so"):
                self.files[name[3:-3]] = os.path.realpath(os.path.join(driver, name))
        self.elf = {library: Elf(path) for library, path in self.files.items()}

    def has(self, library, function):
        return library in self.elf and function in self.elf[library].exported


class Hiding:
    """A copy of a tree in which functions can be hidden: they get other names, in the libraries
    that use them too."""

    def __init__(self, tree, folder):
        self.tree = tree
        self.root = os.path.join(folder, os.path.basename(tree.root))
        shutil.copytree(tree.root, self.root, symlinks=True)
        self.hidden = []
        drivers = os.path.join(folder, "driver")
        if not os.path.exists(drivers):
            shutil.copytree(os.path.join(HOST, "driver"), drivers, symlinks=True)

    def path_of(self, library):
        inside = os.path.relpath(self.tree.files[library], self.tree.root)
        return os.path.normpath(os.path.join(self.root, inside))

    def hide(self, functions):
        """Hides these and nothing else."""
        for function in self.hidden:
            self.name(function, function.encode())
        for function in functions:
            # A name with the same hash, so that the tables of hashes stay right: each character
            # counts 33 times as much as the next.
            other = bytearray(function.encode())
            other[1] += 1
            other[2] -= 33
            self.name(function, other)
        self.hidden = functions

    def name(self, function, text):
        for library, elf in self.tree.elf.items():
            if function in elf.places:
                with open(self.path_of(library), "r+b") as file:
                    file.seek(elf.places[function])
                    file.write(text)


def path_of(soname, lib=LIB):
    """Also of what is not offered by default."""
    places = (os.path.join(lib, folder, soname) for folder in ("", "driver", "profiler", "nvml"))
    return next(path for path in places if os.path.exists(path))


def call(soname, function, lib=LIB):
    """The statuses of calls whose arguments are all null."""
    library = ctypes.CDLL(path_of(soname, lib))
    return [getattr(library, function)(*[ctypes.c_void_p()] * ARGUMENTS) for _ in range(TIMES)]


def initialized(nccl, start):
    """The status of starting a communicator of one rank that must not block."""
    identifier = (ctypes.c_char * 128)()
    config = ctypes.create_string_buffer(struct.pack("<QIIi", 20, 0xCAFEBEEF, 22800, 0), 256)
    if nccl.ncclGetUniqueId(ctypes.byref(identifier)) != 0:
        return "no identifier"
    return start(ctypes.byref(ctypes.c_void_p()), identifier, config)


class Identifier(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char * 128)]


def start_with_config(nccl, name):
    return initialized(nccl, lambda made, identifier, config: getattr(nccl, name)(
        made, 1, Identifier.from_buffer_copy(identifier), 0, config))


def start_with_several(nccl, name):
    return initialized(nccl, lambda made, identifier, config: getattr(nccl, name)(
        made, 1, 0, 1, identifier, config))


def ask_for_text(nccl, name):
    function = getattr(nccl, name)
    function.restype = ctypes.c_char_p
    return 0 if b"NCCL_DEBUG=WARN" in function(None) else "no text"


def ask_for_version(nccl, name):
    version = ctypes.c_int()
    status = getattr(nccl, name)(ctypes.byref(version))
    return status if status or version.value > 20000 else "no version"


def with_context(cuda, work):
    context = ctypes.c_void_p()
    return (cuda.cuInit(0) or cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) or
            cuda.cuCtxSetCurrent(context) or work())


def allocate_in_order(cuda, name):
    memory = ctypes.c_uint64()
    return with_context(cuda, lambda: getattr(cuda, name)(ctypes.byref(memory), ctypes.c_size_t(64), None))


def free_in_order(cuda, name):
    memory = ctypes.c_uint64()
    return with_context(cuda, lambda: cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64)) or
                        getattr(cuda, name)(memory, None))


def launch_without_attributes(cuda, name):
    """The function that is launched does not exist, which MUSA itself says."""
    launch = (ctypes.c_uint * 14)(1, 1, 1, 1, 1, 1)
    status = with_context(cuda, lambda: getattr(cuda, name)(launch, None, None, None))
    return 0 if status == INVALID_HANDLE else f"status {status}"


def read_properties(library, function):
    return getattr(library, function)(ctypes.create_string_buffer(4096), 0)


def choose_device(library, function):
    return getattr(library, function)(ctypes.byref(ctypes.c_int()), ctypes.create_string_buffer(4096))


def copy_in_a_batch(cuda, name):
    """One copy that keeps the order of its stream."""
    memory, stream = ctypes.c_uint64(), ctypes.c_void_p()

    def copy():
        status = (cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64)) or
                  cuda.cuStreamCreate(ctypes.byref(stream), 0))
        source = ctypes.c_uint64(memory.value + 32)
        failed = [] if "_v2" in name else [ctypes.byref(ctypes.c_size_t())]
        return status or getattr(cuda, name)(
            ctypes.byref(memory), ctypes.byref(source), ctypes.byref(ctypes.c_size_t(8)), ctypes.c_size_t(1),
            (ctypes.c_uint * 6)(1), ctypes.byref(ctypes.c_size_t(0)), ctypes.c_size_t(1), *failed, stream)

    return with_context(cuda, copy)


def read_attribute(library, function):
    warp_size = 10
    return getattr(library, function)(ctypes.byref(ctypes.c_int()), warp_size, 0)


def instantiate_without_flags(library, function):
    graph, executable = ctypes.c_void_p(), ctypes.c_void_p()
    status = library.cudaGraphCreate(ctypes.byref(graph), 0)
    # CUDA 11 has a node, a text and its size here, CUDA 12 has flags.
    none = ctypes.c_void_p()
    return status or getattr(library, function)(ctypes.byref(executable), graph, none, none, none)


def destroy_without_devices(library, function):
    """A handle for which no device was selected: selecting is what needs the functions."""
    handle = ctypes.c_void_p()
    return library.cublasXtCreate(ctypes.byref(handle)) or getattr(library, function)(handle)


def reset_primary(library, function):
    return library.cuInit(0) or getattr(library, function)(0)


INVALID_HANDLE = 400  # CUresult


def refuse_bad_arguments(library, name):
    function = getattr(library, name)
    return 0 if function(*[ctypes.c_void_p()] * ARGUMENTS) != 0 else 1


# Adapters that look for each of MUSA's functions when they need it. What they do without is in
# tests/programs; here, bad arguments get NVIDIA's answer whatever is missing.
LATE = {"nvmlSystemGetNVMLVersion", "nvrtcCompileProgram", "nvrtcDestroyProgram", "nvrtcGetCUBIN", "nvrtcGetCUBINSize",
        "nvrtcGetLoweredName", "nvrtcGetNumSupportedArchs", "nvrtcGetPTX", "nvrtcGetPTXSize", "nvrtcGetProgramLog",
        "nvrtcGetProgramLogSize", "nvrtcGetSupportedArchs"}

# Adapters that do without a function of MUSA, and a call of each that succeeds nevertheless.
ANOTHER_WAY = {
    ("ncclCommInitRankConfig", "mcclCommInitRankConfig"): start_with_config,
    ("ncclCommInitRankScalable", "mcclCommInitRankConfig"): start_with_several,
    ("ncclGetLastError", "mcclGetLastError"): ask_for_text,
    ("ncclGetVersion", "mcclGetVersion"): ask_for_version,
    ("cuMemAllocAsync", "musaMallocAsync"): allocate_in_order,
    ("cuMemAllocAsync_ptsz", "musaMallocAsync"): allocate_in_order,
    ("cuMemFreeAsync", "musaFreeAsync"): free_in_order,
    ("cuMemFreeAsync_ptsz", "musaFreeAsync"): free_in_order,
    ("cuLaunchKernelEx", "muLaunchKernelEx"): launch_without_attributes,
    ("cuLaunchKernelEx_ptsz", "muLaunchKernelEx"): launch_without_attributes,
    ("cudaGetDeviceProperties", "muDeviceGet"): read_properties,
    ("cudaGetDeviceProperties", "muDeviceGetUuid_v2"): read_properties,
    ("cudaGetDeviceProperties_v2", "muDeviceGet"): read_properties,
    ("cudaGetDeviceProperties_v2", "muDeviceGetUuid_v2"): read_properties,
    ("cudaGetDeviceProperties", "musaGetDeviceProperties_v2"): read_properties,
    ("cudaGetDeviceProperties_v2", "musaGetDeviceProperties_v2"): read_properties,
    ("cudaChooseDevice", "musaGetDeviceProperties_v2"): choose_device,
    **{(name, "muMemoryTransferBatchAsync"): copy_in_a_batch
       for name in ("cuMemcpyBatchAsync", "cuMemcpyBatchAsync_ptsz", "cuMemcpyBatchAsync_v2",
                    "cuMemcpyBatchAsync_v2_ptsz")},
    ("cudaDeviceGetAttribute", "musaGetLastError"): read_attribute,
    ("cudaDeviceGetAttribute", "musaPeekAtLastError"): read_attribute,
    ("cudaGraphInstantiate", "musaGraphInstantiateWithFlags"): instantiate_without_flags,
    ("cublasXtDestroy", "musaGetDevice"): destroy_without_devices,
    ("cublasXtDestroy", "musaSetDevice"): destroy_without_devices,
    ("cuDevicePrimaryCtxReset", "muDevicePrimaryCtxRelease_v2"): reset_primary,
    ("cuDevicePrimaryCtxReset_v2", "muDevicePrimaryCtxRelease_v2"): reset_primary,
}


def plain(function):
    """NCCL exports each function under a second name."""
    return function[1:] if function.startswith("pnccl") else function


def another_way(case):
    late = refuse_bad_arguments if case.function in LATE else None
    return ANOTHER_WAY.get((plain(case.function), case.missing), late)


class Ended:

    def __init__(self, status, stdout, stderr):
        self.status, self.stdout, self.stderr = status, stdout, stderr


def in_child(work, **environment):
    """Runs `work` in a child, which ends as a program does, and prints what it returns. MUSA is
    opened in the child only: it is refused after fork()."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                os.environ.update(environment)
                os.write(1, json.dumps(work()).encode())
            except BaseException as error:  # pylint: disable=broad-except
                os.write(2, repr(error).encode())
                os._exit(3)
            ctypes.CDLL(None).exit(0)
        _, status = os.waitpid(child, 0)
        for file in (out, errors):
            file.seek(0)
        return Ended(status, out.read().decode(), errors.read().decode())


class MissingFunctions(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.tables = Tables(os.path.join(STAGE, "..", "generated", "tables.json"))
        cls.trees = {name: Tree(os.path.join(HOST, name)) for name in TREES}
        cls.folder = tempfile.mkdtemp(prefix="torchada-missing-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.apart = os.path.join(cls.folder, "apart", "lib")
        shutil.copytree(LIB, cls.apart, symlinks=True)

    def expected(self, case, file):
        """A regular expression for the line of a refused call; groups: file if any, and status."""
        name = re.escape(plain(case.function))
        if (case.soname, case.missing) in self.tables.targets:
            name = r"\w+"  # The adapter calls an export, and that one is refused.
        if file is None:
            return r"no usable (lib\w+) in \S+; first call: %s; returning (?:\w+ \()?(\d+)\)?" % name
        return (r"%s is not supported: %s is not exported by (\S+); returning \w+ \((\d+)\)" %
                (name, re.escape(self.tables.spelled[case.missing])))

    def check_another_way(self, case, root, try_it):
        ended = in_child(lambda: try_it(ctypes.CDLL(path_of(case.soname)), case.function),
                         TORCHADA_MUSA_PATH=root, TORCHADA_STRICT="1")
        self.assertEqual((0, "0", ""), (ended.status, ended.stdout, ended.stderr))

    def check_refused(self, cases, root, file, is_strict):
        """Cases of one library, called one after the other in one process."""
        soname = cases[0].soname
        lines = ["torchada: %s: %s\n" % (re.escape(soname), self.expected(case, file)) for case in cases]
        # Libraries that only tell about devices say what they refuse on this level.
        level = "info" if soname == "libnvidia-ml.so.1" else "warn"
        ended = in_child(lambda: [call(soname, case.function) for case in cases], TORCHADA_MUSA_PATH=root,
                         TORCHADA_SUMMARY="1", TORCHADA_LOG=level)
        self.assertEqual(0, ended.status, ended.stderr)
        said = ended.stderr.split("torchada: summary", 1)[0]
        for line, case, statuses in zip(lines, cases, json.loads(ended.stdout)):
            found = re.search("(?m)^" + line, said)
            self.assertTrue(found, "%s\n%s: statuses %s" % (ended.stderr or "nothing was said", case, statuses))
            library, status = found.groups()
            if file:
                self.assertEqual(os.path.realpath(file), os.path.realpath(library))
            else:
                self.assertEqual("lib" + case.library, library)
            self.assertEqual([int(status)] * TIMES, statuses)
        reasons = len({plain(case.function) for case in cases})
        self.assertEqual(reasons, len(re.findall("is not supported: |no usable ", said)), ended.stderr)
        if level == "warn":
            self.assertEqual(reasons, said.count("\n"), ended.stderr)
        self.assertRegex(ended.stderr, "%d calls refused for %d reasons?" % (TIMES * len(cases), reasons))

        if not is_strict:
            return
        ended = in_child(lambda: call(soname, cases[0].function, self.apart), TORCHADA_MUSA_PATH=root,
                         TORCHADA_STRICT="1")
        self.assertEqual((signal.SIGABRT, ""), (ended.status & 0x7f, ended.stdout), ended.stderr)
        self.assertTrue(re.match(NO_COMPANION % re.escape(soname) + lines[0], ended.stderr), ended.stderr)

    def check(self, cases, root, file, is_strict=True):
        refused = []
        for case in cases:
            try_it = another_way(case)
            if try_it:
                self.check_another_way(case, root, try_it)
            else:
                refused.append(case)
        if refused:
            self.check_refused(refused, root, file, is_strict)

    def said_to_be_missing(self, tree):
        """{(library, function)} that `torchada coverage` does not count as present."""
        ended = subprocess.run(
            [os.path.join(STAGE, "bin", "torchada"), "coverage", "--symbols", "--format=json",
             "--musa-root=" + tree.root], stdout=subprocess.PIPE, check=True)
        return {(symbol["soname"], symbol["symbol"])
                for symbol in json.loads(ended.stdout)["symbols"] if symbol["present"] is False}

    def test_trees_as_they_are(self):
        found = 0
        for name, tree in self.trees.items():
            missing_here = self.said_to_be_missing(tree)
            for library, symbol, calls, instead_of in self.tables.adapters():
                if instead_of and tree.has(library["backend"], self.tables.spelled[instead_of]):
                    continue
                for missing in calls:
                    home = self.tables.home[missing]
                    if tree.has(home, self.tables.spelled[missing]):
                        continue
                    case = Case(library["soname"], symbol["name"], missing, home)
                    with self.subTest(tree=name, case=case):
                        self.check([case], tree.root, tree.files.get(home))
                        self.assertEqual(another_way(case) is None, (case.soname, case.function) in missing_here)
                    found += 1
        self.assertGreater(found, 20)

    def test_each_function_hidden(self):
        tree = self.trees[NEWEST]
        cases = collections.defaultdict(list)
        for library, symbol, calls, instead_of in self.tables.adapters():
            for missing in calls:
                if (library["soname"], missing) in self.tables.targets:
                    continue  # Called through an export, whose own slot refuses it.
                if instead_of != missing:
                    cases[missing].append((library, symbol, instead_of))
        self.assertGreater(len(cases), 80)
        hiding = Hiding(tree, self.folder)
        for missing, rows in sorted(cases.items()):
            home = self.tables.home[missing]
            hiding.hide({self.tables.spelled[name]
                         for name in {missing} | {row[2] for row in rows} if name})
            by_library = collections.defaultdict(list)
            for library, symbol, _ in rows:
                by_library[library["soname"]].append(Case(library["soname"], symbol["name"], missing, home))
            # One stop for each hidden function.
            for number, found in enumerate(by_library.values()):
                with self.subTest(missing=missing, functions=[case.function for case in found]):
                    self.check(found, hiding.root, hiding.path_of(home), is_strict=number == 0)


if __name__ == "__main__":
    program = unittest.main(exit=False)
    sys.exit(0 if program.result.wasSuccessful() else 1)
