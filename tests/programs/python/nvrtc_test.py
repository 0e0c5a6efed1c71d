"""What NVRTC compiles, and its messages, options and architectures."""
import array
import ctypes
import os
import resource

import support
from compiled_kernels import EXPRESSION, KernelTest, NvrtcTest, SCALE
from support import ABI, SUCCESS

(INVALID_INPUT, INVALID_PROGRAM, INVALID_OPTION, COMPILATION, NO_COMPILER, TOO_LATE, TOO_EARLY, NO_SUCH_EXPRESSION,
 INTERNAL_ERROR, CANCELLED) = 3, 4, 5, 6, 7, 8, 9, 10, 11, 16
# Threads that wait have stacks where a function that is called waits, and else frames.
STARVING = b"""
__device__ __noinline__ void wait() { __syncthreads(); }
extern "C" __global__ void stacks(float* x) {
  x[threadIdx.x] = 1;
  wait();
}
extern "C" __global__ void frames(float* x) {
  float mine[15000];
  for (int i = 0; i < 15000; ++i) mine[i] = x[i % 1000] + i;
  __syncthreads();
  x[threadIdx.x] = mine[threadIdx.x * blockDim.y + blockIdx.x];
}
"""


class Compiled(KernelTest):

    def test_template_by_name_expression(self):
        program = self.program(expressions=[EXPRESSION, b"plus"])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        cubin = self.get(program, "CUBIN")
        self.check_scaled(self.module_function(cubin, self.lowered(program, EXPRESSION)))
        self.assertEqual(b"plus", self.lowered(program, b"plus"))
        self.assertEqual([value + 5 for value in self.values], self.launch(self.module_function(cubin, b"plus")))

    def test_ptx_is_the_image_with_a_zero(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        ptx = self.get(program, "PTX")
        self.assertEqual(self.get(program, "CUBIN") + b"\0", ptx)
        name = self.lowered(program, EXPRESSION)
        self.check_scaled(self.module_function(ptx, name))
        self.check_scaled(self.module_function(ptx, name, "cuModuleLoadDataEx", (0, None, None)))

    def test_virtual_architecture_gives_ptx_only(self):
        program = self.program(expressions=[EXPRESSION])
        options = [b"--gpu-architecture=compute_%d" % self.own(), *self.options[1:]]
        self.assertEqual(SUCCESS, self.compile(program, *options), self.log(program))
        self.assertEqual(0, self.size(program, "CUBIN"))
        self.check_scaled(self.module_function(self.get(program, "PTX"), self.lowered(program, EXPRESSION)))

    def test_the_hosts_initialisers_do_not_run(self):
        program = self.program(b'static int x = *(int*)8;\n' + Refused.KERNEL, headers={})
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        self.module_function(self.get(program, "CUBIN"), b"k")

    def test_compiled_again(self):
        program = self.program()
        for more in (1, 2):
            self.assertEqual(SUCCESS, self.compile(program, self.options[0], b"-DMORE=%d" % more), self.log(program))
            self.assertEqual([value + more for value in self.values],
                             self.launch(self.module_function(self.get(program, "CUBIN"), b"plus")))
        self.assertEqual(TOO_LATE, self.nvrtc.nvrtcAddNameExpression(program, b"plus"))

    def test_an_error_names_file_and_line(self):
        program = self.program(b"// one\n// two\n__global__ void k(int* a) {\n  a[0] = wrong;\n}\n", b"mine.cu", {})
        self.assertEqual(COMPILATION, self.compile(program, self.options[0]))
        log = self.log(program)
        self.assertRegex(log, r"mine\.cu[:(]4\b[^\n]*error[^\n]*\n?")
        self.assertIn("wrong", log)
        self.assertEqual((1, 0), (self.size(program, "PTX"), self.size(program, "CUBIN")))
        name = ctypes.c_char_p()
        self.assertEqual(TOO_EARLY, self.nvrtc.nvrtcGetLoweredName(program, b"k", ctypes.byref(name)))
        # The same program without the error.
        self.assertEqual(SUCCESS, self.compile(program, self.options[0], b"-Dwrong=7"), self.log(program))
        self.assertEqual(7, array.array("i", array.array("f", self.launch(
            self.module_function(self.get(program, "CUBIN"), b"_Z1kPi"))).tobytes())[0])

    def test_an_error_in_a_header(self):
        program = self.program(b'#include "part.h"\n', b"mine.cu", {b"part.h": b"\n\nint wrong = ;\n"})
        self.assertEqual(COMPILATION, self.compile(program))
        self.assertRegex(self.log(program), r"part\.h[:(]3\b")

    def test_unknown_expression(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        name = ctypes.c_char_p()
        self.assertEqual(NO_SUCH_EXPRESSION,
                         self.nvrtc.nvrtcGetLoweredName(program, b"ours::scale<int, 1>", ctypes.byref(name)))

    def test_functions_without_a_mark(self):
        source = (b"template <typename T> T twice(T value) { return value + value; }\n"
                  b"extern \"C\" __global__ void k(float* a, int n) {\n"
                  b"  for (int i = threadIdx.x; i < n; i += blockDim.x) if (blockIdx.x == 0) a[i] = twice(a[i]);\n}\n")
        program = self.program(source, b"mine.cu", {})
        self.assertEqual(SUCCESS, self.compile(program, self.options[0], b"-default-device"), self.log(program))
        self.assertEqual([2 * value for value in self.values],
                         self.launch(self.module_function(self.get(program, "CUBIN"), b"k")))

    def test_options(self):
        program = self.program()
        for options in ([b"-arch", b"sm_%d" % self.own(), b"-D", b"MORE=1", b"-w"],
                        [b"-arch=sm_80", b"-DMORE=1"], [b"-DMORE=1"],
                        [b"--define-macro=MORE=1", b"-I", b"/usr/include", b"--include-path=/tmp", b"-I/"],
                        [b"-DMORE=1", b"-UNO", b"--undefine-macro=NO", b"--pre-include=factor.h", b"-std=c++14"],
                        [b"-DMORE=1", b"--use_fast_math", b"--fmad=false", b"-ftz=true", b"--prec-div=false"],
                        [b"-DMORE=1", b"-G", b"-lineinfo", b"-rdc=true", b"-dc", b"--maxrregcount=32", b"-ewp"],
                        [b"-DMORE=1", b"-Xptxas", b"-v", b"--pch", b"--restrict", b"-opt-info=inline"]):
            self.assertEqual(SUCCESS, self.compile(program, *options), (options, self.log(program)))
            self.assertEqual("", self.log(program), options)

    def test_products_and_sums(self):
        """One operation, as nvcc has it, only where --fmad allows it and the CPU has it."""
        source = (b"extern \"C\" __global__ void k(float* a, int n) {\n  const float x = 1 + n / 4096000.F;\n"
                  b"  a[0] = x * x - (1 + 2 * (x - 1));\n}\n")
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpu:
            has_fma = {"fma", "avx2"} <= set(cpu.read().split())
        for option, expected in ((b"--fmad=false", 0), (b"-fmad=true", 2 ** -24 if has_fma else 0)):
            program = self.program(source, b"fma.cu", {})
            self.assertEqual(SUCCESS, self.compile(program, self.options[0], option), self.log(program))
            self.assertEqual(expected, self.launch(self.module_function(self.get(program, "CUBIN"), b"k"))[0], option)

    def test_callback_cancels(self):
        if ABI == 11:
            return  # NVRTC 11 has no callbacks.
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        answers, asked = [0, 1], []

        def ask(payload, reserved):
            asked.append((payload, reserved))
            return answers.pop(0)

        callback = kind(ask)
        program = self.program()
        self.nvrtc.nvrtcSetFlowCallback.argtypes = [ctypes.c_void_p, kind, ctypes.c_void_p]
        self.status(SUCCESS, self.nvrtc.nvrtcSetFlowCallback, program, callback, 1234)
        self.assertEqual(CANCELLED, self.compile(program, *self.options))
        self.assertEqual([(1234, None)] * 2, asked)
        self.assertEqual(1, self.size(program, "PTX"))
        answers[:] = [1]
        self.assertEqual(CANCELLED, self.compile(program, *self.options))

    def architectures(self):
        number = ctypes.c_int(-1)
        self.status(SUCCESS, self.nvrtc.nvrtcGetNumSupportedArchs, ctypes.byref(number))
        listed = (ctypes.c_int * (number.value + 1))(*[-1] * (number.value + 1))
        self.status(SUCCESS, self.nvrtc.nvrtcGetSupportedArchs, listed)
        self.assertEqual(-1, listed[number.value])
        return list(listed)[:number.value]

    def test_the_devices_architecture_is_listed(self):
        self.assertIn(self.own(), self.architectures())


class Refused(NvrtcTest):

    def test_options(self):
        program = self.program()
        for option, said in ((b"--foo", "unrecognized option --foo found"), (b"", "unrecognized option  found"),
                             (b"-arch=sm_", "invalid value for --gpu-architecture (-arch)"),
                             (b"-arch=native", "invalid value for --gpu-architecture (-arch)"),
                             (b"--std=c++99", "invalid value for --std (-std)"),
                             (b"--fmad=perhaps", "--fmad (-fmad) expects true or false"),
                             (b"--maxrregcount=many", "--maxrregcount (-maxrregcount) expects an integer value"),
                             (b"-G=yes", "--device-debug (-G) does not accept any argument")):
            self.assertEqual(INVALID_OPTION, self.compile(program, option))
            self.assertEqual("nvrtc: error: %s\n" % said, self.log(program))
        for option in (b"-dlto", b"--optix-ir", b"--create-pch=a.pch"):
            self.assertEqual(INVALID_OPTION, self.compile(program, option))
            self.assertIn("%s is not supported on MUSA" % option.decode(), self.log(program))
            self.assertIn("nvrtcCompileProgram is not supported with options=" + option.decode(), self.said())
        # An option that is wrong is no compilation.
        self.status(SUCCESS, self.nvrtc.nvrtcAddNameExpression, program, b"plus")

    # Each would read a file into the image, or run when the image is loaded or launched.
    HOSTILE = (
        (b'__device__ void leak() { asm(".incbin \\"/etc/passwd\\""); }\n__global__ void q() { leak(); }\n',
         "inline assembly"),
        (b'extern "C" __device__ int system(const char*);\n__global__ void q() { system("id"); }\n',
         "it uses system, which is no device function"),
        (b'__device__ int f() { return *(volatile int*)8; }\n__device__ int q = f();\n', "dynamic initialization"),
        (b'struct S { __device__ S() { *(volatile int*)8 = 0; } int a; };\n__device__ S s;\n',
         "dynamic initialization"),
        (b'__attribute__((constructor)) __device__ void c() { *(volatile int*)8 = 0; }\n',
         "a function that runs when it is loaded"),
        (b'__attribute__((destructor)) __device__ void c() { *(volatile int*)8 = 0; }\n',
         "a function that runs when it is loaded"),
    )
    KERNEL = b'extern "C" __global__ void k(int* p) { p[0] = 1; }\n'

    def test_sources_that_reach_for_the_machine(self):
        for source, said in self.HOSTILE:
            with self.subTest(source=source):
                program = self.program(source + self.KERNEL, headers={})
                self.assertEqual(COMPILATION, self.compile(program, b"-arch=sm_80"))
                self.assertIn(said, self.log(program))
                self.assertEqual(0, self.size(program, "CUBIN"))

    def test_assembly_outside_of_functions_is_the_hosts(self):
        reads = b'asm(".section .rodata\\nleaked: .incbin \\"/etc/passwd\\"\\n.previous");\n'
        program = self.program(reads + self.KERNEL, headers={})
        self.assertEqual(SUCCESS, self.compile(program, b"-arch=sm_80"))
        self.assertNotIn(b"root:", self.get(program, "CUBIN"))

    def test_forms(self):
        """Code for NVIDIA's own linkers and translators."""
        program = self.program()
        forms = {11: ["NVVM"], 12: ["NVVM", "LTOIR", "OptiXIR"], 13: ["LTOIR", "OptiXIR", "TileIR"]}[ABI]
        for form in forms:
            size = ctypes.c_size_t()
            for name in ("nvrtcGet%sSize" % form, "nvrtcGet" + form):
                self.assertEqual(INTERNAL_ERROR, getattr(self.nvrtc, name)(program, ctypes.byref(size)))
                self.assertIn("%s is not supported: " % name, self.said())

    def test_arguments(self):
        program = self.program()
        new = ctypes.c_void_p()
        create = self.nvrtc.nvrtcCreateProgram
        self.assertEqual(INVALID_INPUT, create(ctypes.byref(new), None, b"", 0, None, None))
        self.assertEqual(INVALID_INPUT, create(ctypes.byref(new), SCALE, b"", -1, None, None))
        self.assertEqual(INVALID_INPUT, create(ctypes.byref(new), SCALE, b"", 1, None, None))
        self.assertEqual(INVALID_PROGRAM, create(None, SCALE, b"", 0, None, None))
        self.assertEqual(INVALID_PROGRAM, self.nvrtc.nvrtcDestroyProgram(ctypes.byref(new)))
        self.assertEqual(INVALID_PROGRAM, self.nvrtc.nvrtcCompileProgram(None, 0, None))
        self.assertEqual(INVALID_INPUT, self.nvrtc.nvrtcCompileProgram(program, -1, None))
        self.assertEqual(INVALID_OPTION, self.nvrtc.nvrtcCompileProgram(program, 1, None))
        self.assertEqual(INVALID_INPUT, self.nvrtc.nvrtcGetPTX(program, None))
        self.assertEqual(INVALID_PROGRAM, self.nvrtc.nvrtcGetPTXSize(None, ctypes.byref(new)))


class Starved(KernelTest):

    def starve(self):
        """Not a test of its own: it ends with the process's addresses limited, and prints the status of a launch."""
        program = self.program(STARVING)
        self.assertEqual(SUCCESS, self.compile(program, *self.options), self.log(program))
        function = self.module_function(self.get(program, "CUBIN"), os.environ["KERNEL"].encode())
        memory = ctypes.c_void_p()
        self.status(SUCCESS, self.cudart.cudaMalloc, ctypes.byref(memory), 4096)
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[0])
        most = pages * os.sysconf("SC_PAGESIZE") + (int(os.environ["MEBIBYTES"]) << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
        launched = self.cuda.cuLaunchKernel(function, 64, 1, 1, 1024, 1, 1, 0, None, arguments, None)
        print("STATUS", launched or self.cudart.cudaDeviceSynchronize())
        self.said()


class WithoutCompiler(NvrtcTest):
    """On a tree whose SDK has no libmtrtc, and without MUSA."""

    def test_the_log_says_why(self):
        program = self.program(expressions=[EXPRESSION])
        self.assertEqual(NO_COMPILER, self.compile(program, b"--gpu-architecture=sm_31", b"-DMORE=1"))
        log = self.log(program)
        self.assertIn("torchada found no compiler: ", log)
        wanted = "no MUSA found" if "nonexistent" in os.environ["TORCHADA_MUSA_PATH"] else "no usable libmtrtc in "
        self.assertIn(wanted, log)
        self.assertIn("; returning NVRTC_ERROR_BUILTIN_OPERATION_FAILURE (7)\n", log)
        self.assertIn(wanted, self.said())
        self.assertEqual((1, 0), (self.size(program, "PTX"), self.size(program, "CUBIN")))
        self.assertEqual(TOO_LATE, self.nvrtc.nvrtcAddNameExpression(program, b"plus"))
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.status(SUCCESS, self.nvrtc.nvrtcVersion, ctypes.byref(major), ctypes.byref(minor))
        self.assertEqual(ABI, major.value)


class EachLimit(support.ProgramTest):

    def test_a_kernel_without_memory_fails(self):
        """It neither hangs nor ends the process, whatever the last allocation was."""
        for kernel, limits in (("stacks", (2, 16, 24, 30, 45, 60, 80, 100)), ("frames", (2, 16, 45))):
            for mebibytes in limits:
                with self.subTest(kernel=kernel, mebibytes=mebibytes):
                    result = support.run_script(
                        "nvrtc_test.py", "Starved.starve", KERNEL=kernel, MEBIBYTES=str(mebibytes))
                    self.assertEqual(0, result.returncode, support.show(result))
                    self.assertRegex(result.stdout, "STATUS (2|304)\n")


class EachTree(support.ProgramTest):

    def test_without_a_compiler(self):
        trees = [os.path.join(support.STAGE, "host", tree) for tree in ("3.1", "4.3", "5.1")]
        for root in (*trees, "/nonexistent"):
            result = support.run_script("nvrtc_test.py", "WithoutCompiler", TORCHADA_MUSA_PATH=root)
            self.assertEqual(0, result.returncode, support.show(result))


if __name__ == "__main__":
    support.main()
