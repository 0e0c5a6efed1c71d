"""What torchada kernels build makes of sources: the constructs that it refuses, and host code beside kernels."""
import os
import re

import support
from kernels_support import KernelsTest
from support import NO, OK, STAGE, start


class Refused(KernelsTest):

    def refused(self, text, *messages, **environment):
        """FILE in a message stands for the source, N for a number."""
        source = self.file("refused.cu", text)
        result = self.build(source, **environment)
        self.assertEqual(NO, result.status, str(result))
        for message in messages:
            expected = re.escape(message).replace("FILE", re.escape(source)).replace("N", "[0-9]+")
            self.assertRegex(result.stderr, expected)
        self.assertFalse(os.path.exists(self.image))
        self.leaves_nothing()

    def test_openmp_of_gcc(self):
        clang = self.file("clang", "#!/bin/sh\necho \"source.cu:1:10: fatal error: 'omp.h' file not found\"\nexit 1\n")
        os.chmod(clang, 0o755)
        self.refused("#include <omp.h>\n", "'omp.h' file not found; install libomp-19-dev\n", TORCHADA_CLANG=clang)

    def test_constructs(self):
        launch = "__global__ void k(int* p) {\n  %s\n}\n"
        end = ": not supported by the CPU stand-in\n"
        for statement, what in (
                ('asm volatile("setmaxnreg.inc.sync.aligned.u32 24;");',
                 "inline assembly (PTX), 'setmaxnreg.inc.sync.aligned.u32 24'"),
                ('asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" :: "l"(p), "r"(0));',
                 "inline assembly (PTX), 'cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], 16'"),
                ('asm volatile("cp.async.bulk.commit_group;");', "inline assembly (PTX), 'cp.async.bulk.commit_group'"),
                ('asm volatile("add.u32 a, 1, 1;");', "inline assembly (PTX), 'add.u32 a, 1, 1'"),
                ('asm volatile("@p bra nowhere;");', "inline assembly (PTX), '@p bra nowhere'"),
                ('asm volatile("bra nowhere;");', "inline assembly (PTX), 'bra nowhere'"),
                ("float4 d = {}; *p = texCubemapGrad<float>(*p, 0, 0, 1, d, d);", "a cubemap read with gradients"),
                ("k<<<1, 1>>>(p);", "a launch from device code (dynamic parallelism)"),
                ("*p = cudaGetParameterBuffer(64, 4) != nullptr;", "a launch from device code (dynamic parallelism)"),
                ("*p = cudaLaunchDevice(nullptr, p, 1, 1, 0, 0);", "a launch from device code (dynamic parallelism)"),
                ("cudaGraphSetConditional(1, *p);", "cudaGraphSetConditional in device code"),
                ("*p = cudaGetCurrentGraphExec() != nullptr;", "a graph in device code"),
                ("cudaStream_t s = cudaStreamGraphTailLaunch; cudaGraphSetConditional(s, 1);",
                 "cudaGraphSetConditional in device code"),
                ("cooperative_groups::this_multi_grid().sync();", "a launch on several devices at once"),
                ("cooperative_groups::multi_grid_group group; *p = group.num_grids();",
                 "a launch on several devices at once"),
                ("cooperative_groups::thread_group group = cooperative_groups::this_multi_grid(); group.sync();",
                 "a launch on several devices at once"),
                ("cooperative_groups::this_cluster().sync();", "a cluster"),
                ("*p = cooperative_groups::cluster_group::block_rank();", "a cluster"),
                ("*cooperative_groups::cluster_group::map_shared_rank(p, 1) = 0;", "a cluster")):
            with self.subTest(what):
                self.refused("#include <cooperative_groups.h>\n" + launch % statement,
                             "FILE:3:N: error: " + what + end)
        for kind in ("texture<float, 2>", "surface<void, 2>"):
            self.refused("\n" + kind + " plane;\n" + launch % "", "FILE:2:N: error: a texture or surface reference, "
                         "which CUDA 12 removed" + end)

    def test_in_a_function_that_a_kernel_reaches(self):
        text = "template <typename T> __device__ T trap(T x) {\n  asm(\"ret;\");\n  return x;\n}\n"
        kernel = "__global__ void k(int* p) { *p = %s; }\n"
        self.refused(text + kernel % "trap(*p)", "FILE:2:N: error: inline assembly")
        # Nobody reaches it. As Thrust launches, from whichever side it is called.
        launch = ("template <typename F> __host__ __device__ int launch(F kernel, int* p) {\n"
                  "  return cudaLaunchDevice((void*)kernel, cudaGetParameterBuffer(64, 8), 1, 1, 0, 0);\n}\n")
        graph = "__device__ void end(int* p) {\n  cudaGraphSetConditional(1, *p);\n}\n"
        ordered = ("__global__ void k(int* p) {\n  cudaGridDependencySynchronize();\n"
                   "  cudaTriggerProgrammaticLaunchCompletion();\n}\n")
        self.done(self.build(self.file("fine.cu", text + launch + graph + ordered)))

    def test_errors_have_the_place_in_the_source(self):
        self.refused("#include <nowhere.h>\n", "FILE:1:10: error: 'nowhere.h' file not found")
        self.refused("int main() {\n}\n__global__ void k(int* p) {\n  *p = missing;\n}\n", "FILE:4:8: error: ",
                     "missing")
        header = self.file("part.cuh", "\n__device__ int part() { return nothing; }\n")
        self.refused('#include "part.cuh"\n__global__ void k(int* p) { *p = part(); }\n', header + ":2:32: error: ")
        self.refused("int main() { return 0; }\n", "FILE: error: no kernel: expected a __global__ function")

    def test_masks_of_a_warp_of_128(self):
        text = "__global__ void k(int* p) {\n  *p = __shfl_sync(~0u, *p, 0);\n}\n"
        self.refused(text, "FILE:2:", "operations with a mask of 32 lanes are not supported on mp_21 and mp_22",
                     TORCHADA_HOST_ARCH="mp_22")

    def test_a_source_that_writes_32(self):
        source = self.file("warp.cu", "__global__ void k(int* p) {\n  *p = threadIdx.x % 32;\n"
                           "  *p += threadIdx.x & 31;\n}\n")
        result = self.build(source)
        self.assertEqual((OK, source + ":2: warning: this takes a warp for 32 threads (2 lines); on mp_21 and mp_22 "
                          "it has 128: use warpSize\n"), (result.status, result.stderr))

    def test_a_toolkit_that_writes_32(self):
        header = "cuda_runtime_api.h"
        self.file("toolkit/" + header, f"#if __has_include_next(<{header}>)\n#include_next <{header}>\n#endif\n")
        self.file("toolkit/crt/lanes.h", "__device__ inline int lane() { return threadIdx.x % 32; }\n")
        self.done(self.build("-I" + os.path.join(self.where, "toolkit"), self.file(
            "lanes.cu", "#include <crt/lanes.h>\n__global__ void k(int* p) { *p = lane(); }\n")))

    def test_threads_that_count_on_lockstep(self):
        function = "__device__ void add(volatile int* all, int i) {\n  %sall[i] += all[i + 1];\n}\n"
        kernel = "__global__ void k(int* p) { add(p, threadIdx.x); }\n"
        result = self.build(self.file("old.cu", function % "" + kernel))
        self.assertEqual(OK, result.status, str(result))
        self.assertIn("old.cu:1: warning: a volatile pointer: if threads of a warp exchange", result.stderr)
        # Wherever it is built.
        result = start("/bin/sh", "-c", 'cd "$1" && exec "$2" kernels build old.cu -o old.image --backend=host', "sh",
                       self.where, os.path.join(STAGE, "bin", "torchada"))
        self.assertIn("old.cu:1: warning: a volatile pointer: if threads of a warp exchange", result.stderr)
        self.done(self.build(self.file("new.cu", function % "__syncwarp(); " + kernel)))

    def test_instructions_in_a_header(self):
        """Only what a kernel reaches is refused, at its place in the header."""
        header = self.file("parts/lanes.cuh", "#pragma once\n__device__ inline int lane() {\n  int lane;\n"
                           '  asm("mov.u32 %0, %%pm0;" : "=r"(lane));\n  return lane;\n}\n')
        text = '#include "parts/lanes.cuh"\n__global__ void k(int* p) { *p = %s; }\n'
        self.refused(text % "lane()", header + ":4:N: error: inline assembly (PTX), 'mov.u32 $0, %pm0'")
        self.done(self.build(self.file("fine.cu", text % "1")))

    def test_a_function_without_a_definition(self):
        self.refused("__device__ int elsewhere(int);\n__global__ void k(int* p) {\n  *p = elsewhere(1);\n}\n",
                     "FILE:3:N: error: elsewhere(int) of another source, as with nvcc -rdc=true (include that source "
                     "in this one): not supported")

    def test_variables_and_pointers_without_a_definition(self):
        kernel = "__global__ void k(int* p) {\n  *p = %s;\n}\n"
        for declared, used in (("extern __device__ int other;\n", "other"),
                               ("extern __constant__ int other[4];\n", "other[*p]"),
                               ("__device__ int other(int); __device__ int (*pointer)(int) = other;\n", "pointer(1)")):
            self.refused(declared + kernel % used, "FILE:3:N: error: other%s of another source" %
                         ("(int)" if "pointer" in used else ""))
        # No kernel reaches it, but it is in the image.
        self.refused("__device__ int other(int); __device__ int (*pointer)(int) = other;\n" + kernel % 1,
                     "FILE: error: other(int) of another source")
        self.refused('__device__ void f() { asm("wrong;"); }\n__device__ void (*pointer)() = f;\n' + kernel % 1,
                     "FILE:1:N: error: inline assembly (PTX), 'wrong'")

    def test_launch_from_device_code_in_a_template(self):
        self.refused("__global__ void k(int* p) {}\n"
                     "template <int N> __device__ void f(int* p) { k<<<N, 1>>>(p); }\n\n"
                     "__global__ void g(int* p) { f<1>(p); }\n",
                     "FILE:2:N: error: a launch from device code (dynamic parallelism)")


class HostCode(KernelsTest):
    """What stands around kernels in sources."""

    def compiles(self, text, *kernels):
        self.done(self.build(self.file("around.cu", text)))
        for kernel in kernels:
            self.assertIn(kernel, self.names_in(self.image))

    def test_names_of_types(self):
        """As nvcc has them."""
        self.compiles("#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
                      "template <typename T> __global__ void k(T* p, half2 q, cudaStream_t s) { *p = T(1.F); }\n"
                      "template __global__ void k<half>(half*, half2, cudaStream_t);\n"
                      "void f() { k<__nv_bfloat16><<<1, 1>>>(nullptr, half2(), nullptr); }\n",
                      "_Z1kI6__halfEvPT_7__half2P11CUstream_st",
                      "_Z1kI13__nv_bfloat16EvPT_7__half2P11CUstream_st")

    def test_instantiations_by_macros(self):
        self.compiles("template <typename T> __global__ void k(T* p) { *p = 1; }\n"
                      "template <typename T> void launch(T* p) { k<<<1, 1>>>(p); }\n"
                      "#define INSTANTIATE(T) \\\n  template void launch<T>( \\\n      T*)\n"
                      "INSTANTIATE(float);\nINSTANTIATE(double);\n", "_Z1kIfEvPT_", "_Z1kIdEvPT_")

    def test_names_like_built_in_variables(self):
        self.compiles("struct Size { dim3 gridDim; int blockIdx; };\nvoid launch(dim3 gridDim, dim3 blockDim) {}\n"
                      "__global__ void k(Size size, int* p) {\n  int threadIdx = size.blockIdx;\n"
                      "  p[::threadIdx.x] = threadIdx + size.gridDim.x;\n}\n", "_Z1k4SizePi")

    def test_what_is_declared_for_device_code(self):
        """A macro may make a class that calls host code; a class may have members that are templates."""
        self.compiles("\ufeff#include <pthread.h>\n"
                      "template <typename T> T twice(T x) { return x + x; }\n"
                      "#define MAKE(name) struct name { static int of(int x) { return twice(x); } };"
                      " inline void of_##name() { name(); }\nMAKE(Twice)\n"
                      "template <typename T> struct Box {\n  Box() = default;\n"
                      "  template <typename U> U get(U u);\n};\n"
                      "template <typename T>\ntemplate <typename U>\nU Box<T>::get(U u) { return missing(u); }\n"
                      "__global__ void k(Box<int> box) {}\n"
                      "void run() { constexpr int count = 1; k<<<count, 1>>>({}); }\n", "_Z1k3BoxIiE")


if __name__ == "__main__":
    support.main()
