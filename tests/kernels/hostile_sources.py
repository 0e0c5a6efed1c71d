"""Broken and hostile sources: each makes COMPILER end with a message, or with an image, and leaves no file or process.

  hostile_sources.py COMPILER PROGRAMS [--quick] [--seed=1] [--jobs=1] [--only=NAME] [--keep=DIR]

COMPILER is torchada-kernels, or a libnvrtc.so, which a program of its own calls for each source. Those by hand come
first; then, but not for NVRTC, programs of the folder that were cut, had bits or lines changed, or were mixed. What
runs longer than --seconds gets SIGTERM, as from libmtrtc, and must end then. libmtrtc itself gets the same limit."""
import argparse
import concurrent.futures
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NVRTC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile_nvrtc.py")
KERNEL = "__global__ void k(int* p) { %s }\n"
MIB = 1 << 20

# What a program of ours or LLVM says when it breaks, and never of a source.
CRASH = re.compile(r"internal error|with signal|by signal|submit a bug report|Stack dump|LLVM ERROR|Assertion|"
                   r"Segmentation|(?:Address|Undefined\w+)Sanitizer|runtime error:|terminate called|core dumped")


def nested(opening, inner, closing, count):
    return opening * count + inner + closing * count


QUICK = set("""rubbish open_brace open_comment includes_itself includes_a_folder error_of_ours other_names templates
    constexpr_loop parentheses minus sum pointers device_array constant_array shared_array_of_2_40 array_of_a_thread
    large_parameter vector intrinsic label_of_a_wrong_intrinsic label_main ifunc constructor section weak thread_local
    address_space computed_goto endless_call""".split())


def short():
    """By hand: name and text. They take seconds, or are ended."""
    yield "empty", ""
    yield "zeros", b"\0" * 4096
    yield "rubbish", random.Random(7).randbytes(1 << 16)
    with open("/bin/true", "rb") as program:
        yield "elf", program.read()
    yield "bitcode", b"BC\xc0\xde" + b"\x35\x14" * 500
    yield "open_brace", "__global__ void k() {"
    yield "open_comment", KERNEL % "" + "/* "
    yield "open_string", KERNEL % '"'
    yield "open_condition", "#if 1\n" + KERNEL % ""
    yield "includes_itself", "#include __FILE__\n" + KERNEL % ""
    yield "includes_a_folder", '#include "/"\n'
    yield "includes_zeros", '#include "/dev/zero"\n'
    yield "includes_what_waits", '#include "/dev/stdin"\n' + KERNEL % ""
    yield "includes_twice", "#if __INCLUDE_LEVEL__ < 60\n#include __FILE__\n#include __FILE__\n#endif\n" + KERNEL % ""
    yield "error_of_ours", "#error torchada: nothing\n"
    yield "other_names", '#line 4000000000 "a\\nb: error: c"\n' + KERNEL % "missing();"
    yield "templates", ("template <int N> __device__ int f() { return f<N + 1>(); }\n" + KERNEL % "*p = f<0>();")
    yield "many_templates", (
        "template <unsigned long N> __device__ void f() {\n"
        "  if constexpr (N < (1UL << 40)) { f<2 * N>(); f<2 * N + 1>(); }\n}\n" + KERNEL % "f<1>();")
    yield "constexpr_loop", ("constexpr int f() { for (;;) {} }\n" + KERNEL % "constexpr int x = f(); *p = x;")
    yield "constexpr_calls", ("constexpr int f(int n) { return f(n + 1); }\n" + KERNEL % "constexpr int x = f(0);")
    yield "macros", ("#define A0 *p = 1;\n" + "".join("#define A%d A%d A%d\n" % (i, i - 1, i - 1)
                                                      for i in range(1, 60)) + KERNEL % "A59")
    yield "parentheses", KERNEL % ("*p = %s;" % nested("(", "1", ")", 100000))
    yield "blocks", KERNEL % nested("{", "", "}", 100000)
    yield "minus", KERNEL % ("*p = %s1;" % ("- " * 100000))
    yield "sum", KERNEL % ("*p = %s1;" % ("*p + " * 20000))
    yield "else_if", KERNEL % ("if (*p == 0) {}" + " else if (*p == 1) {}" * 20000)
    yield "pointers", KERNEL % ("int %sq = 0;" % ("*" * 100000))
    yield "long_name", "__global__ void k%s(int* p) {}\n" % ("a" * (256 << 10))
    yield "long_missing_name", KERNEL % ("a" * (256 << 10))
    yield "device_array", "__device__ char a[1UL << 40];\n" + KERNEL % "*p = a[*p];"
    yield "device_array_of_4_gb", "__device__ char a[1UL << 32];\n" + KERNEL % "*p = a[*p];"
    yield "constant_array", "__constant__ char a[1UL << 40];\n" + KERNEL % "*p = a[*p];"
    yield "device_array_with_values", "__device__ char a[1UL << 31] = {1};\n" + KERNEL % "*p = a[*p];"
    yield "shared_array", KERNEL % "__shared__ char a[1 << 30]; a[*p] = 1; *p = a[1];"
    yield "shared_array_of_2_40", KERNEL % "__shared__ char a[1UL << 40]; a[*p] = 1; *p = a[1];"
    yield "array_of_a_thread", KERNEL % "char a[1UL << 40]; a[*p] = 1; *p = a[p[1]];"
    yield "large_parameter", "struct S { char a[1 << 30]; };\n__global__ void k(S s, char* p) { *p = s.a[*p]; }\n"
    yield "alignment", "struct alignas(1 << 28) S { char a; };\n__device__ S s;\n" + KERNEL % "*p = s.a;"
    yield "shared_alignment", KERNEL % "__shared__ __attribute__((aligned(1 << 28))) char a[4]; a[*p] = 1; *p = a[1];"
    yield "bit_int", KERNEL % "_BitInt(100000) a = *p; a = a / 3; *p = (int)a;"
    yield "vector", ("typedef int V __attribute__((ext_vector_type(4096)));\n"
                     "__global__ void k(V* p) { *p = *p * *p; }\n")
    yield "types_of_the_cpu", KERNEL % "long double a = *p; __int128 b = *p; *p = (int)(a * 2) + (int)(b / 3);"
    yield "intrinsic", KERNEL % "*p = __nvvm_read_ptx_sreg_tid_x();"
    yield "vote_intrinsic", KERNEL % "*p = __nvvm_vote_all(*p); __syncthreads(); __nvvm_barrier0();"
    yield "label_of_an_intrinsic", '__device__ int f(int) __asm__("llvm.bswap.i32");\n' + KERNEL % "*p = f(*p);"
    yield "label_of_a_wrong_intrinsic", '__device__ float f(int) __asm__("llvm.trap");\n' + KERNEL % "*p = f(*p);"
    for name in ("torchada_run_threads", "torchada_barrier", "torchada_meet", "torchada_image", "main", "threadIdx"):
        yield "kernel_" + name, 'extern "C" __global__ void %s(int* p) { *p = 1; }\n' % name
        yield "label_" + name, '__device__ int f(int a) __asm__("%s");\n' % name + KERNEL % "*p = f(*p);"
        yield "variable_" + name, '__device__ int v __asm__("%s") = 1;\n' % name + KERNEL % "*p = v;"
    yield "alias", 'extern "C" __device__ int a() { return 1; }\n' \
        'extern "C" __device__ int b() __attribute__((alias("a")));\n' + KERNEL % "*p = b();"
    yield "ifunc", 'extern "C" __device__ int (*a())() { return 0; }\n' \
        'extern "C" __device__ int b() __attribute__((ifunc("a")));\n' + KERNEL % "*p = b();"
    yield "constructor", "__attribute__((constructor)) __device__ void f() {}\n" + KERNEL % ""
    yield "section", '__attribute__((section(".init_array"))) __device__ void* f = 0;\n' + KERNEL % "*p = f != 0;"
    yield "weak", "__attribute__((weak)) __device__ int f();\n" + KERNEL % "*p = f ? f() : 1;"
    yield "naked", "__attribute__((naked)) __device__ int f() {}\n" + KERNEL % "*p = f();"
    yield "no_definition", "__device__ int f(int);\n" + KERNEL % "*p = f(1);"
    yield "thread_local", "thread_local __device__ int v;\n" + KERNEL % "*p = v;"
    yield "address_space", KERNEL % "auto q = (__attribute__((address_space(3))) int*)p; *q = 1; *p = *q;"
    yield "address_space_99", "__attribute__((address_space(99))) __device__ int v;\n" + KERNEL % "*p = v;"
    yield "alloca", KERNEL % "char* a = (char*)__builtin_alloca(1UL << 40); a[*p] = 1; *p = a[p[1]];"
    yield "variable_array", KERNEL % "int a[*p]; a[p[1]] = 1; *p = a[p[2]];"
    yield "computed_goto", KERNEL % "void* a[] = {&&x, &&y}; goto *a[*p]; x: *p = 1; y: *p = 2;"
    yield "endless", KERNEL % "for (;;) {}"
    yield "endless_call", "__device__ int f(int a) { return f(a + 1) + 1; }\n" + KERNEL % "*p = f(1);"
    yield "arguments", "__device__ int f(int a, ...) { __builtin_va_list v; __builtin_va_start(v, a); " \
        "return __builtin_va_arg(v, int); }\n" + KERNEL % "*p = f(1, *p);"
    yield "printf", KERNEL % 'printf("%s%n%*d%1$s", p, p, *p);'
    yield "exception", KERNEL % "try { throw *p; } catch (int) {}"
    yield "assembly", 'asm(".incbin \\"/etc/hostname\\"");\n' + KERNEL % ""
    cases = ["case %d: *p = %d; break;" % (i, i * i % 77777) for i in range(5000)]
    yield "switch", KERNEL % ("switch (*p) { %s}" % "".join(cases))
    yield "parameters", "__global__ void k(%s) {}\n" % ", ".join("int a%d" % i for i in range(5000))
    yield "kernels", "".join("__global__ void k%d(int* p) { *p = %d; }\n" % (i, i) for i in range(500))


def long():
    """Those that take longer, or have many bytes."""
    yield "comment_of_50_mb", "/*" + "x" * (50 * MIB) + "*/\n" + KERNEL % ""
    yield "line_of_50_mb", KERNEL % "" + "int a = 0" + " + 1" * (50 * MIB // 4) + ";\n"
    yield "variables_of_50_mb", "".join("int a%d;\n" % i for i in range(50 * MIB // 13)) + KERNEL % ""
    yield "code_of_50_mb", KERNEL % ("*p = *p * 3 + 1;\n" * (50 * MIB // 17))
    yield "braces_of_50_mb", "{" * (50 * MIB)
    yield "rubbish_of_50_mb", random.Random(8).randbytes(50 * MIB)
    yield "string_of_50_mb", '__device__ const char* a = "' + "x" * (50 * MIB) + '";\n' + KERNEL % "*p = a[*p];"
    yield "code_of_1_mb", KERNEL % ("*p = *p * 3 + p[*p];\n" * 50000)
    yield "sum_of_10_million", KERNEL % ("*p = %s1;" % ("1 + " * 10000000))
    yield "lambdas", KERNEL % nested("[=] {", "*p = 1;", "}();", 2000)
    yield "many_kernels", "".join("__global__ void k%d(int* p) { *p = %d; }\n" % (i, i) for i in range(20000))
    cases = ["case %d: *p = %d; break;" % (i, i * i % 77777) for i in range(100000)]
    yield "large_switch", KERNEL % ("switch (*p) { %s}" % "".join(cases))
    yield "unrolled", KERNEL % ("_Pragma(\"unroll\") for (int i = 0; i < 100000; ++i) p[i] = p[i * 3] + i;")
    yield "unrolled_twice", KERNEL % ("_Pragma(\"unroll\") for (int i = 0; i < 2000; ++i)\n"
                                      "_Pragma(\"unroll\") for (int j = 0; j < 2000; ++j) p[i] += p[j * i] + i;")
    yield "initialised_array", "struct S { int a; constexpr S() : a(1) {} };\n" \
        "__device__ S s[100000000];\n" + KERNEL % "*p = s[*p].a;"


def mutated(programs, random_numbers):
    """Changed programs, without end."""
    sources = []
    for name in sorted(os.listdir(programs)):
        if name.endswith(".cu"):
            with open(os.path.join(programs, name), "rb") as source:
                sources.append((name[:-3], source.read()))
    number = 0
    while True:
        name, text = random_numbers.choice(sources)
        kind = random_numbers.choice(("cut", "bits", "bytes", "lines", "mixed"))
        number += 1
        if kind == "cut":
            text = text[:random_numbers.randrange(len(text))]
        elif kind == "bits":
            changed = bytearray(text)
            for _ in range(random_numbers.choice((1, 2, 8, 64))):
                changed[random_numbers.randrange(len(changed))] ^= 1 << random_numbers.randrange(8)
            text = bytes(changed)
        elif kind == "bytes":
            begin = random_numbers.randrange(len(text))
            text = text[:begin] + random_numbers.randbytes(random_numbers.choice((1, 4, 100))) + text[begin + 4:]
        elif kind == "lines":
            lines = text.split(b"\n")
            for _ in range(random_numbers.choice((1, 3, 10))):
                a, b = (random_numbers.randrange(len(lines)) for _ in range(2))
                pairs = ((lines[b], lines[a]), (b"", lines[b]), (lines[b], lines[b]))
                lines[a], lines[b] = random_numbers.choice(pairs)
            text = b"\n".join(lines)
        else:
            other = random_numbers.choice(sources)[1]
            text = text[:random_numbers.randrange(len(text))] + other[random_numbers.randrange(len(other)):]
        yield "%s_%s_%d" % (kind, name, number), text


def processes_with(variable, patience=5):
    """Those that have this in their environment, after some seconds in which they may end."""
    deadline = time.monotonic() + patience
    while True:
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % number, "rb") as environment:
                    if variable.encode() in environment.read().split(b"\0"):
                        found.append("process " + number)
            except OSError:  # it has ended, or is another user's
                pass
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)


class Case:

    def __init__(self, options, name, text):
        self.options = options
        self.name = name
        self.text = text if isinstance(text, bytes) else text.encode()
        self.faults = []
        self.seconds = 0
        self.log = ""

    def run(self):
        with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
            source = os.path.join(folder, self.name + ".cu")
            image = os.path.join(folder, "image")
            log = os.path.join(folder, "log")
            temporary = os.path.join(folder, "temporary")
            os.mkdir(temporary)
            with open(source, "wb") as out:
                out.write(self.text)
            begin = time.monotonic()
            with open(log, "wb") as out:
                process = subprocess.Popen(self.command(source, image), stdin=subprocess.DEVNULL, stdout=out,
                                           stderr=out, env={**os.environ, "TMPDIR": temporary,
                                                            "TORCHADA_HOST_COMPILE_SECONDS":
                                                            "%d" % self.options.seconds})
            try:
                status = process.wait(self.options.seconds + (30 if self.options.is_nvrtc else 0))
            except subprocess.TimeoutExpired:
                status = self.end(process)
            self.seconds = time.monotonic() - begin
            with open(log, encoding="utf-8", errors="replace") as said:
                self.log = said.read(MIB)
            self.judge(status, os.path.exists(image), os.listdir(temporary) + processes_with("TMPDIR=" + temporary))
            if self.faults and self.options.keep:
                shutil.copy(source, self.options.keep)
        self.text = b""
        return self

    def command(self, source, image):
        compiler, programs = self.options.compiler, self.options.programs
        if self.options.is_nvrtc:
            return [sys.executable, "-B", NVRTC, compiler, programs, source, image]
        headers = os.path.join(os.path.dirname(compiler), "include")
        return [compiler, "--headers=" + headers, "--output=" + image, "-I" + programs, "--", source]

    def end(self, process):
        if self.options.is_nvrtc:
            self.faults.append("goes on after its limit")
        process.send_signal(signal.SIGTERM)
        try:
            if process.wait(10) == -signal.SIGTERM:
                return None
            self.faults.append("status %d after SIGTERM" % process.returncode)
        except subprocess.TimeoutExpired:
            self.faults.append("does not end")
            process.kill()
            process.wait()
        return None

    def judge(self, status, has_image, left):
        if status == 1 and "took longer than" in self.log:
            status = None
        self.status = status
        if status not in (None, 0, 1):
            self.faults.append("status %d" % status)
        if status == 1 and not self.log:
            self.faults.append("says nothing")
        if has_image != (status == 0):
            self.faults.append("an image" if has_image else "no image")
        if left:
            self.faults.append("left: " + " ".join(left))
        crash = CRASH.search(self.log)
        if crash:
            self.faults.append("says '%s'" % crash.group(0))


def cases(options):
    hand = list(short()) + list(long() if options.count >= 1000 else ())
    if options.quick:
        hand = [pair for pair in hand if pair[0] in QUICK]
    if options.quick and options.is_nvrtc:
        hand = hand[::2]
    for name, text in hand:
        if not options.only or re.fullmatch(options.only, name):
            yield name, text
    if options.is_nvrtc:
        return  # the programs have a host part, which NVRTC does not take
    changed = mutated(options.programs, random.Random(options.seed))
    for _ in range(2 if options.quick else options.count - len(hand)):
        name, text = next(changed)
        if not options.only or re.fullmatch(options.only, name):
            yield name, text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("programs")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--quick", action="store_true", help="some 30 of them, or 15 for NVRTC")
    parser.add_argument("--only", help="a regular expression")
    parser.add_argument("--keep", help="a folder for sources with a fault")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.compiler, options.programs = map(os.path.abspath, (options.compiler, options.programs))
    options.is_nvrtc = os.path.basename(options.compiler).startswith("libnvrtc.so")
    count = broken = ended = 0
    slowest = []
    told = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case in pool.map(lambda pair: Case(options, *pair).run(), cases(options)):
            count += 1
            ended += case.status is None
            slowest = sorted(slowest + [(case.seconds, case.name)])[-5:]
            if case.faults:
                broken += 1
                print("%s: %s\n%s" % (case.name, "; ".join(case.faults), case.log[:2000]), flush=True)
            elif options.verbose:
                print("%s: %s, %.1f s: %s" % (case.name, case.status, case.seconds, case.log[:150].replace("\n", "|")),
                      flush=True)
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print("%d sources so far" % count, flush=True)
    print("%d sources, %d with a fault, %d ended after %g s; slowest: %s" % (
        count, broken, ended, options.seconds, ", ".join("%s %.1f s" % (name, s) for s, name in reversed(slowest))))
    sys.exit(1 if broken or count == 0 else 0)


if __name__ == "__main__":
    main()
