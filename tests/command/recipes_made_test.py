"""Recipes: what torchada kernels serve and prepare make of sources."""
import contextlib
import glob
import mmap
import os
import signal
import subprocess
import time

import support
from recipes_support import RecipesTest
from support import FAILED, NO, OK, STAGE, USAGE, torchada

# Of each source: as clang names it in an image, and as nvcc registers it, without the name of its source.
KERNELS = 10
SOURCE = """template <typename F> __global__ void apply_%(n)d(int* p, F f) { p[threadIdx.x] = f(threadIdx.x); }
__device__ inline int twice(int i) { return 2 * i; }
static __global__ void fixed_%(n)d(int* p) { *p = twice(%(n)d); }
namespace {
__global__ void hidden_%(n)d(int* p) { *p = %(n)d; }
template <typename T> __global__ void hidden_%(n)d_of(T* p) { *p = T(%(n)d); }
template __global__ void hidden_%(n)d_of<float>(float*);
void launch_hidden_%(n)d(int* p) { apply_%(n)d<<<1, 1>>>(p, [](int i) { return i + %(n)d; }); }
}  // namespace
__global__ void plain_%(n)d_0(int* p) { *p = 0; }
__global__ void plain_%(n)d_1(int* p) { *p = 1; }
__global__ void plain_%(n)d_2(int* p) { *p = 2; }
__global__ void plain_%(n)d_3(int* p) { *p = 3; }
template <typename T> __global__ void fill_%(n)d(T* p) { *p = T(%(n)d); }
template __global__ void fill_%(n)d<float>(float*);
void launch_%(n)d(int* p) {
  apply_%(n)d<<<1, 1>>>(p, [](int i) { return twice(i); });
  launch_hidden_%(n)d(p);
}
"""


def sized(name):
    return "%d%s" % (len(name), name)


class LibraryTest(RecipesTest):
    """Sources, two of them with one name."""

    COUNT = 2

    def setUp(self):
        super().setUp()
        for n in range(self.COUNT):
            self.write_source(n)
        self.recipe = self.file("own.yaml", """name: own
flags: [-std=c++17]
sources: ["sources/*/*.cu"]
usual: [part_2.cu, part-3.cu]
""")

    def write_source(self, n, text=SOURCE):
        return self.file("sources/" + self.path_of(n), text % {"n": n})

    def path_of(self, n):
        return "other/part_0.cu" if n == 1 else "main/part-3.cu" if n == 3 else "main/part_%d.cu" % n

    def told(self, n):
        return "part_%d_cu" % (0 if n == 1 else n)

    def kernels_of(self, n):
        """{name as nvcc registers it: how it begins in an image}"""
        unnamed = sized("_GLOBAL__N__50c743a2_%s_89862edb" % (str(len(self.told(n))) + "_" + self.told(n)))
        out = {"_Z9plain_%d_%dPi" % (n, i) if n < 10 else "_Z10plain_%d_%dPi" % (n, i): None for i in range(4)}
        out.update(dict.fromkeys(["_Z%sIfEvPT_" % sized("fill_%d" % n)]))
        apply = sized("apply_%d" % n)
        out["_Z%sIZ%sPiEUliE_EvS0_T_" % (apply, sized("launch_%d" % n))] = None
        out["_Z%sPi" % sized("fixed_%d" % n)] = "_ZL%sPi" % sized("fixed_%d" % n)
        for nvcc, clang in (("_ZN@%sEPi", sized("hidden_%d" % n)), ("_ZN@%sIfEEvPT_", sized("hidden_%d_of" % n)),
                            ("_Z" + apply + "IZN@%sEPiEUliE_EvS1_T_", sized("launch_hidden_%d" % n))):
            out[(nvcc % clang).replace("@", unnamed)] = (nvcc % clang).replace("@", "12_GLOBAL__N_1")
        self.assertEqual(KERNELS, len(out))
        return {name: clang or name for name, clang in out.items()}

    def image_in(self, answer, kinds=("made", "kept")):
        word, kind, _, path = answer.rstrip("\n").split(" ", 3)
        self.assertEqual("image", word)
        self.assertIn(kind, kinds)
        return path

    def names_in(self, path):
        strings = subprocess.run(["strings", "-a", path], capture_output=True, text=True, check=True).stdout.split()
        return {name.split("@")[0] for name in strings if name.startswith("_Z")}

    def has(self, path, clang, *others):
        names = self.names_in(path)
        self.assertIn(clang, names)
        self.assertEqual(set(), names & set(others))

    def all_kernels(self):
        return [(n, name, clang) for n in range(self.COUNT) for name, clang in self.kernels_of(n).items()]

    def prepare(self, *words, status=OK, **environment):
        result = torchada("kernels", "prepare", self.recipe, *words, **self.environment(**environment))
        self.assertEqual(status, result.status, str(result))
        return result.stderr


class Library(LibraryTest):
    """200 kernels in 20 sources."""

    COUNT = 20

    def test_launched_prepared_and_kept(self):
        # Some by one, as they are launched. The others are not in the images.
        launched = [each for each in self.all_kernels() if each[0] in (0, 1, 3)]
        server = self.serve(self.recipe)
        for n, name, clang in launched:
            others = {other for _, _, other in launched} - {clang}
            self.has(self.image_in(server.make(self.told(n), name), ["made"]), clang, *others)
        said = server.end()
        self.assertIn("torchada: kernels: compiling part_0.cu for a launch\n", said)
        self.assertRegex(said, r"torchada: kernels: part-3.cu: \d+\.\d s\n")
        # All of them by the list of `run --record-kernels`.
        kernels = self.all_kernels()
        self.assertEqual(200, len(kernels))
        listed = self.file("launched", "".join("%s\t%s\n" % (self.told(n), name) for n, name, _ in kernels))
        said = self.prepare("--list=" + listed)
        self.assertIn("20 of 20: ", said)
        self.assertIn("failed\n", said)
        self.assertIn(" 0 failed\n", said)
        self.assertIn("kernels: 0 made, 20 there already", self.prepare("--list=" + listed))
        # The next run starts no compiler, and needs none.
        server = self.serve(self.recipe, TORCHADA_CLANG="/nonexistent/clang++")
        begin = time.monotonic()
        images = {self.image_in(server.make(self.told(n), name), ["kept"]): None for n, name, _ in kernels}
        self.assertLess(time.monotonic() - begin, 20)  # 0.1 s on a quiet machine
        print("%d kernels from %d images: %.2f s" % (len(kernels), len(images), time.monotonic() - begin))
        self.assertEqual("none part_0.cu cannot be compiled: /nonexistent/clang++ is not installed\n",
                         server.make("part_0_cu", "_Z4nonePi"))
        self.assertEqual("", server.end())


class Made(LibraryTest):
    """Of few sources: what may happen on the way."""

    def some(self, n=0):
        return next(iter(self.kernels_of(n)))

    def test_a_name_that_no_source_has(self):
        self.assertEqual("none part_0.cu has no kernel _Z4nonePi\n",
                         self.serve(self.recipe).make("part_0_cu", "_Z4nonePi"))

    def test_several_recipes(self):
        """Both have a source of that name."""
        recipes = ":".join(self.file(name + ".yaml", "name: %s\nsources: [sources/%s/*.cu]\n" % (name, name))
                           for name in ("main", "other"))
        server = self.serve(recipes)
        for n in range(2):
            name, clang = list(self.kernels_of(n).items())[n]
            self.has(self.image_in(server.make("part_0_cu", name), ["made"]), clang)
        self.assertEqual("none part_0.cu has no kernel _Z4nonePi; part_0.cu has no kernel _Z4nonePi\n",
                         server.make("part_0_cu", "_Z4nonePi"))
        self.assertEqual("none recipe main has no source for b_cu; recipe other has no source for b_cu\n",
                         server.make("b_cu", "_Z4nonePi"))
        self.write_source(1, "__global__ void wrong(int* p) { *p = nothing; }\n// %(n)d\n")
        self.assertIn("failed ", server.make("part_0_cu", "_Z4nonePi"))

    def test_sources_that_the_program_does_not_tell(self):
        self.file("own.yaml", "name: own\nsources: []\nexceptions:\n  '': [sources/main/part_0.cu,"
                              " sources/other/part_0.cu]\n")
        server = self.serve(self.recipe)
        for n in range(2):
            name, clang = next(iter(self.kernels_of(n).items()))
            self.has(self.image_in(server.make("", name), ["made"]), clang)
        self.assertEqual("none part_0.cu has no kernel _Z4nonePi\n", server.make("", "_Z4nonePi"))
        listed = self.file("launched", "\t%s\n" % list(self.kernels_of(1))[1])
        self.assertIn(" 1 made, 0 there already, 1 without such a kernel, 0 failed", self.prepare("--list=" + listed))

    def test_a_source_that_does_not_compile(self):
        path = self.write_source(2, "__global__ void wrong(int* p) { *p = nothing; }\n// %(n)d\n")
        server = self.serve(self.recipe)
        answer = server.make("part_2_cu", "_Z5wrongPi")
        self.assertIn("failed %s:1:" % path, answer)
        self.assertIn("error: use of undeclared identifier 'nothing'", answer)
        self.assertIn("undeclared identifier", server.end())

    def test_a_changed_source_and_a_changed_header(self):
        self.file("sources/value.h", "#define VALUE 1\n")
        text = '#include "../value.h"\n__global__ void k(int* p) { *p = VALUE + %(n)d; }\n'
        self.write_source(2, text)
        first = self.image_in(self.serve(self.recipe).make("part_2_cu", "_Z1kPi"), ["made"])
        self.assertEqual(first, self.image_in(self.serve(self.recipe).make("part_2_cu", "_Z1kPi"), ["kept"]))
        self.file("sources/value.h", "#define VALUE 1000\n")
        second = self.image_in(self.serve(self.recipe).make("part_2_cu", "_Z1kPi"), ["made"])
        self.assertNotEqual(first, second)
        self.write_source(2, text.replace("VALUE +", "3 * VALUE +"))
        third = self.image_in(self.serve(self.recipe).make("part_2_cu", "_Z1kPi"), ["made"])
        self.assertNotEqual(second, third)
        # Another flag of the recipe.
        self.file("own.yaml", 'name: own\nflags: [-DOTHER]\nsources: ["sources/*/*.cu"]\n')
        self.image_in(self.serve(self.recipe).make("part_2_cu", "_Z1kPi"), ["made"])

    def test_variables_are_there_once(self):
        self.write_source(2, "__device__ int count;\n__global__ void a_%(n)d(int* p) { *p = ++count; }\n"
                             "__global__ void b_%(n)d(int* p) { *p = --count; }\n"
                             "__global__ void c_%(n)d(int* p) { *p = 1; }\n")
        server = self.serve(self.recipe)
        whole = self.image_in(server.make("part_2_cu", "_Z3a_2Pi"), ["made"])
        self.assertEqual(whole, self.image_in(server.make("part_2_cu", "count", "variable"), ["kept"]))
        for name in ("_Z3b_2Pi", "_Z3c_2Pi"):
            self.assertEqual(whole, self.image_in(server.make("part_2_cu", name), ["kept"]))
        again = self.serve(self.recipe)
        self.assertEqual(whole, self.image_in(again.make("part_2_cu", "count", "variable"), ["kept"]))

    def test_a_compiler_that_is_killed(self):
        """The launch fails, nothing is kept, and the next process makes it."""
        clang = self.file("clang", '#!/bin/sh\n[ -e "$0.slow" ] && exec sleep 60\nexec clang++-19 "$@"\n')
        os.chmod(clang, 0o755)
        self.file("clang.slow")
        self.write_source(2)
        server = self.serve(self.recipe, TORCHADA_CLANG=clang)
        with server.ask("part_2_cu", self.some(2)) as answer:
            compiler = self.child_of(server.process.pid)
            os.kill(compiler, signal.SIGKILL)
            self.assertIn("compiling it ended with signal 9 (Killed)", answer.read())
        os.unlink(clang + ".slow")
        self.image_in(self.serve(self.recipe, TORCHADA_CLANG=clang).make("part_2_cu", self.some(2)), ["made"])

    def child_of(self, process):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for task in glob.glob("/proc/%d/task/*/children" % process):
                # A thread may have ended meanwhile.
                with contextlib.suppress(OSError), open(task, encoding="ascii") as file:
                    for child in file.read().split():
                        return int(child)
            time.sleep(0.01)
        raise AssertionError("no compiler was started")

    def test_two_processes_want_the_same(self):
        """The second waits for the first, or takes over when that dies."""
        clang = self.file("clang", '#!/bin/sh\necho x >>"$0.count"\n[ -e "$0.slow" ] && exec sleep 60\n'
                                   'exec clang++-19 "$@"\n')
        os.chmod(clang, 0o755)
        self.file("clang.slow")
        first, second = (self.serve(self.recipe, TORCHADA_CLANG=clang) for _ in range(2))
        with first.ask("part_0_cu", self.some()) as answer:
            self.child_of(first.process.pid)
            with second.ask("part_0_cu", self.some()) as other:
                time.sleep(0.5)
                os.unlink(clang + ".slow")
                first.process.kill()
                self.assertEqual("", answer.read())
                self.image_in(other.read(), ["made"])
        self.assertIn("waiting for another process, which compiles part_0.cu", second.end())

    def test_two_requests_at_once(self):
        server = self.serve(self.recipe)
        answers = [server.ask(self.told(0), name) for name in self.kernels_of(0)]
        for answer in answers:
            with answer:
                self.image_in(answer.read(), ["made"])

    def test_the_end_of_the_program(self):
        """Compilers end with it."""
        clang = self.file("clang", "#!/bin/sh\nexec sleep 60\n")
        os.chmod(clang, 0o755)
        server = self.serve(self.recipe, TORCHADA_CLANG=clang)
        with server.ask("part_0_cu", self.some()):
            compiler = self.child_of(server.process.pid)
            server.end()
            deadline = time.monotonic() + 30
            while os.path.exists("/proc/%d/exe" % compiler) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertFalse(os.path.exists("/proc/%d/exe" % compiler))

    def test_usual_sources_are_read_ahead(self):
        for n in (2, 3):
            self.write_source(n)
        if os.cpu_count() < 2:
            self.skipTest("one processor")
        server = self.serve(self.recipe)
        server.make("part_0_cu", self.some())
        deadline = time.monotonic() + 60
        while "part_2.cu" not in " ".join(os.listdir(self.kernels + "/objects")) and time.monotonic() < deadline:
            time.sleep(0.1)
        server.make("part_2_cu", self.some(2))
        self.assertNotIn("compiling part_2.cu for a launch", server.end())

    def test_a_full_disk(self):
        """In a file system of its own."""
        script = ('mount -t tmpfs -o size=16k,mode=700 none "$1" && exec env TORCHADA_KERNELS_FOLDER="$1/k" "$2" '
                  'kernels prepare "$3" --all')
        os.makedirs(self.kernels)
        ended = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", self.kernels,
                                os.path.join(STAGE, "bin", "torchada"), self.recipe], capture_output=True, text=True,
                               env={**os.environ, "TMPDIR": self.where}, check=False)
        if "mount" in ended.stderr or "unshare" in ended.stderr:
            self.skipTest(ended.stderr)
        self.assertEqual(NO, ended.returncode, ended.stderr)
        self.assertIn("No space left on device", ended.stderr)

    def test_prepare(self):
        said = self.prepare("--all")
        self.assertIn("1 of 2: part_0.cu\n", said)
        self.assertIn("kernels: 2 made, 0 there already, 0 without such a kernel, 0 failed\n", said)
        self.assertIn("kernels: 0 made, 2 there already", self.prepare("--all"))
        server = self.serve(self.recipe)
        for n in range(2):
            paths = {self.image_in(server.make(self.told(n), name), ["kept"]) for name in self.kernels_of(n)}
            self.assertEqual(1, len(paths))
        self.assertIn("expected --for=PROGRAM", self.prepare(status=USAGE))
        listed = self.file("launched", "x\n")
        self.assertIn("launched:1: expected a source, a tab", self.prepare("--list=" + listed, status=USAGE))

    def test_prepare_without_a_compiler(self):
        self.assertIn("/nonexistent/clang++ is not installed",
                      self.prepare("--all", status=FAILED, TORCHADA_CLANG="/nonexistent/clang++"))

    def test_another_version_of_the_program(self):
        """The test itself is the program: it has the file mapped."""
        package = os.path.join(self.where, "site", "own")
        library = self.file("site/own/lib/libown.so", "x" * 4096)
        self.file("site/own/version.py", "__version__ = '1.1'\n")
        self.file("own.yaml", """name: own
program: {name: Own 1.0, file: own/lib/libown.so, version: {file: own/version.py, text: "__version__ = '1.0'"}}
sources: ["sources/*/*.cu"]
""")
        with open(library, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ):
            answer = self.serve(self.recipe).make("part_0_cu", self.some())
        self.assertEqual("none recipe own is for Own 1.0, and %s/version.py says __version__ = '1.1'\n" % package,
                         answer)


if __name__ == "__main__":
    support.main()
