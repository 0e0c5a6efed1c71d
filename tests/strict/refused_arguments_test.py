"""Arguments that an adapter refuses: one line for each function, parameter and value, counted by
the summary and stopped at in strict mode, like an unsupported function."""
import re
import signal
import sys

from support import CallsTest, main

# Makes the calls of one case; each statement is run as many times as asked.
PROGRAM = """\
import ctypes, sys
from ctypes import byref, c_char_p, c_float, c_int, c_int64, c_void_p
def library(name):
    return ctypes.CDLL(name)
handle, status = c_void_p(), None
setup, call, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
exec(setup)
for _ in range(times):
    status = eval(call)
print("status", status)
"""

CUBLAS = "cublas = library('libcublas.so.%d'); assert cublas.cublasCreate_v2(byref(handle)) == 0"
LT_LAYOUT = ("lt = library('libcublasLt.so.12'); "
             "assert lt.cublasLtMatrixLayoutCreate(byref(handle), 0, c_int64(4), c_int64(4), c_int64(4)) == 0; "
             "one = c_int64(64)")
NVRTC = ("nvrtc = library('libnvrtc.so.12'); "
         "assert nvrtc.nvrtcCreateProgram(byref(handle), b'int x;', None, 0, None, None) == 0")
# An SDK whose MCCL has no 8-bit floats.
OLDER = ("import os; os.environ['TORCHADA_MUSA_PATH'] = "
         "os.path.join(os.path.dirname(os.environ['TORCHADA_MUSA_PATH']), '4.3'); ")
TYPES = "CUDA_R_16F (2), CUDA_R_16F (2), CUDA_R_16F (2), CUDA_R_32F (0)"
# name: setup, call, line, status
CASES = {
    "generator": (
        "curand = library('libcurand.so.10')",
        "curand.curandCreateGenerator(byref(handle), 142)",
        "libcurand.so.10: curandCreateGenerator is not supported with rng_type=CURAND_RNG_PSEUDO_MT19937 (142): "
        "no counterpart in murandRngType_t is publicly known; returning CURAND_STATUS_TYPE_ERROR (103)", 103),
    "quasi-random generator": (
        "curand = library('libcurand.so.10')",
        "curand.curandCreateGenerator(byref(handle), 201)",
        "libcurand.so.10: curandCreateGenerator is not supported with rng_type=CURAND_RNG_QUASI_SOBOL32 (201): "
        "no counterpart in murandRngType_t is publicly known; returning CURAND_STATUS_TYPE_ERROR (103)", 103),
    "generator on the host": (
        "curand = library('libcurand.so.10')",
        "curand.curandCreateGeneratorHost(byref(handle), 142)",
        "libcurand.so.10: curandCreateGeneratorHost is not supported with rng_type=CURAND_RNG_PSEUDO_MT19937 (142): "
        "no counterpart in murandRngType_t is publicly known; returning CURAND_STATUS_TYPE_ERROR (103)", 103),
    "order": (
        "curand = library('libcurand.so.10'); assert curand.curandCreateGenerator(byref(handle), 101) == 0",
        "curand.curandSetGeneratorOrdering(handle, 102)",
        "libcurand.so.10: curandSetGeneratorOrdering is not supported with order=CURAND_ORDERING_PSEUDO_SEEDED (102): "
        "muRAND has only its default order; returning CURAND_STATUS_OUT_OF_RANGE (104)", 104),
    "emulated mode": (
        CUBLAS % 12, "cublas.cublasSetMathMode(handle, 4)",
        "libcublas.so.12: cublasSetMathMode is not supported with mode=CUBLAS_FP32_EMULATED_BF16X9_MATH (4): "
        "MUSA's BLAS is not known to emulate floating point; returning CUBLAS_STATUS_NOT_SUPPORTED (15)", 15),
    "emulated mode and a flag": (
        CUBLAS % 12, "cublas.cublasSetMathMode(handle, 20)",
        "libcublas.so.12: cublasSetMathMode is not supported with mode=CUBLAS_FP32_EMULATED_BF16X9_MATH|"
        "CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION (20): "
        "MUSA's BLAS is not known to emulate floating point; returning CUBLAS_STATUS_NOT_SUPPORTED (15)", 15),
    "exact mode": (
        CUBLAS % 12, "cublas.cublasSetMathMode(handle, 2)",
        "libcublas.so.12: cublasSetMathMode accepts mode=CUBLAS_PEDANTIC_MATH (2) without effect: no public source "
        "says how to ask MUSA's BLAS for exactly the precision of each type; it stays in its default mode", 0),
    "exact sums": (
        CUBLAS % 11, "cublas.cublasSetMathMode(handle, 19)",
        "libcublas.so.11: cublasSetMathMode accepts mode=CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION (16) without "
        "effect: no public source says how to forbid MUSA's BLAS to add up in less precision than it computes in", 0),
    "no atomics": (
        CUBLAS % 13, "cublas.cublasSetAtomicsMode(handle, 0)",
        "libcublas.so.13: cublasSetAtomicsMode accepts mode=CUBLAS_ATOMICS_NOT_ALLOWED (0) without effect: no public "
        "source gives the number by which MUSA's BLAS is forbidden to use atomics, so results may differ in the last "
        "bits from run to run", 0),
    "reduction schemes": (
        "lt = library('libcublasLt.so.12'); assert lt.cublasLtMatmulPreferenceCreate(byref(handle)) == 0; "
        "one = c_int(2)",
        "lt.cublasLtMatmulPreferenceSetAttribute(handle, 3, byref(one), 4)",
        "libcublasLt.so.12: cublasLtMatmulPreferenceSetAttribute accepts "
        "attr=CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK (3) without effect: no public source gives muBLASLt's numbers "
        "of reduction schemes, so it may choose any", 0),
    "exact computation": (
        CUBLAS % 13 + "; one = c_float(1)",
        "cublas.cublasGemmEx(handle, 0, 0, 1, 1, 1, byref(one), None, 0, 1, None, 0, 1, byref(one), None, 0, 1, "
        "69, -1)",
        "libcublas.so.13: cublasGemmEx is not supported with computeType=CUBLAS_COMPUTE_32F_PEDANTIC (69): no "
        "counterpart in mublasComputeType_t is publicly known; returning CUBLAS_STATUS_NOT_SUPPORTED (15)", 15),
    "autotuning": (
        CUBLAS % 13 + "; one = c_float(1)",
        "cublas.cublasGemmEx(handle, 0, 0, 1, 1, 1, byref(one), None, 0, 1, None, 0, 1, byref(one), None, 0, 1, "
        "68, 999)",
        "libcublas.so.13: cublasGemmEx is not supported with algo=CUBLAS_GEMM_AUTOTUNE (999): no counterpart in "
        "mublasGemmAlgo_t is publicly known; returning CUBLAS_STATUS_NOT_SUPPORTED (15)", 15),
    "wide size": (
        CUBLAS % 12 + "; one = c_float(1)",
        "cublas.cublasSscal_v2_64(handle, c_int64(1 << 32), byref(one), None, c_int64(1))",
        "libcublas.so.12: cublasSscal_v2_64 is not supported with n=(beyond 32 bits): MUSA's function takes 32 bits; "
        "returning CUBLAS_STATUS_INVALID_VALUE (7)", 7),
    "wide size of a group": (
        CUBLAS % 12 + "; one, wide = (c_int64 * 1)(1), (c_int64 * 1)(1 << 32); as_it_is, scale = (c_int * 1)(0), "
        "(c_float * 1)(1); matrices = (c_void_p * 1)()",
        "cublas.cublasSgemmGroupedBatched_64(handle, as_it_is, as_it_is, wide, one, one, scale, matrices, wide, "
        "matrices, one, scale, matrices, wide, c_int64(1), one)",
        "libcublas.so.12: cublasSgemmGroupedBatched_64 is not supported with m_array=4294967296: MUSA's function takes "
        "32 bits; returning CUBLAS_STATUS_INVALID_VALUE (7)", 7),
    "types": (
        CUBLAS % 12 + "; one = c_float(1)",
        "cublas.cublasAxpyEx(handle, 1, byref(one), 2, None, 2, 1, None, 2, 1, 0)",
        "libcublas.so.12: cublasAxpyEx is not supported with types=" + TYPES + ": MUSA's BLAS computes this only in "
        "float, double or complex, with operands of one type; returning CUBLAS_STATUS_NOT_SUPPORTED (15)", 15),
    "attribute": (
        "lt = library('libcublasLt.so.12'); assert lt.cublasLtMatmulDescCreate(byref(handle), 68, 0) == 0; "
        "one = c_int64(1)",
        "lt.cublasLtMatmulDescSetAttribute(handle, 20, byref(one), 8)",
        "libcublasLt.so.12: cublasLtMatmulDescSetAttribute is not supported with "
        "attr=CUBLASLT_MATMUL_DESC_D_SCALE_POINTER (20): muBLASLt has no such attribute; returning "
        "CUBLAS_STATUS_NOT_SUPPORTED (15)", 15),
    "half transform": (
        "fft = library('libcufft.so.11'); plan, size, bytes = c_int(), c_int64(8), c_int64(); "
        "assert fft.cufftCreate(byref(plan)) == 0",
        "fft.cufftXtMakePlanMany(plan, 1, byref(size), None, c_int64(1), c_int64(8), 6, None, c_int64(1), c_int64(8), "
        "6, c_int64(1), byref(bytes), 6)",
        "libcufft.so.11: cufftXtMakePlanMany is not supported with these arguments: mufftXtMakePlanMany returned "
        "MUFFT_NOT_SUPPORTED (16); returning CUFFT_NOT_SUPPORTED (16)", 16),
    "data type": (
        OLDER + "nccl = library('libnccl.so.2')",
        "nccl.ncclAllReduce(None, None, c_int64(1), 10, 0, None, None)",
        "libnccl.so.2: ncclAllReduce is not supported with datatype=ncclFloat8e4m3 (10): no counterpart in "
        "mcclDataType_t is publicly known; returning ncclInvalidUsage (5)", 5),
    "option of the compiler": (
        NVRTC + "; options = (c_char_p * 1)(b'-dlto')",
        "nvrtc.nvrtcCompileProgram(handle, 1, options)",
        "libnvrtc.so.12: nvrtcCompileProgram is not supported with options=-dlto: it asks for code for NVIDIA's "
        "linker, of which MUSA is not known to have a counterpart; returning 5", 5),
}
# MUSA fails with a number that no public source explains: (setup, call, line, status).
UNDOCUMENTED = {
    "by a generated adapter": (
        CUBLAS % 12, "cublas.cublasSscal_v2(handle, 1, None, None, 1)",
        "libcublas.so.12: cublasSscal_v2 failed: mublasSscal returned 3, a number that no public source explains; "
        "returning CUBLAS_STATUS_INTERNAL_ERROR (14)", 14),
    "by an adapter written by hand": (
        LT_LAYOUT + "; assert lt.cublasLtMatrixLayoutSetAttribute(handle, 7, byref(one), 8) == 0; "
        "transform, context, scale = c_void_p(), c_void_p(), c_float(1); "
        "assert lt.cublasLtMatrixTransformDescCreate(byref(transform), 0) == 0; "
        "assert lt.cublasLtCreate(byref(context)) == 0",
        "lt.cublasLtMatrixTransform(context, transform, byref(scale), None, handle, None, None, None, None, handle, "
        "None)",
        "libcublasLt.so.12: cublasLtMatrixTransform failed: mublasLtMatrixTransform returned 2, a number that no "
        "public source explains; returning CUBLAS_STATUS_INTERNAL_ERROR (14)", 14),
}
# NVIDIA's library refuses these too: nothing is said.
ORDINARY = {
    "no option": (NVRTC + "; options = (c_char_p * 1)(b'--foo')", "nvrtc.nvrtcCompileProgram(handle, 1, options)", 5),
    "no generator": ("curand = library('libcurand.so.10')",
                     "curand.curandCreateGenerator(byref(handle), 77)", 103),
    "mode that permits": (CUBLAS % 12, "cublas.cublasSetMathMode(handle, 3)", 0),
    "permitted atomics": (CUBLAS % 12, "cublas.cublasSetAtomicsMode(handle, 1)", 0),
    "no mode with a flag": (CUBLAS % 12, "cublas.cublasSetMathMode(handle, 21)", 7),
    "no handle": (CUBLAS % 12, "cublas.cublasSscal_v2(None, 1, None, None, 1)", 1),
    "leading dimension": (
        CUBLAS % 12 + "; one = c_float(1)",
        "cublas.cublasSgemm_v2(handle, 0, 0, 2, 2, 2, byref(one), None, 1, None, 2, byref(one), None, 2)", 7),
    "no mode": (CUBLAS % 12, "cublas.cublasSetMathMode(handle, 1 << 20)", 7),
    "no algorithm": (CUBLAS % 13, "cublas.cublasGemmEx(handle, 0, 0, 1, 1, 1, None, None, 0, 1, None, 0, 1, None, "
                     "None, 0, 1, 68, 1000)", 7),
    "order of quasi-random numbers": (
        "curand = library('libcurand.so.10'); assert curand.curandCreateGenerator(byref(handle), 101) == 0",
        "curand.curandSetGeneratorOrdering(handle, 201)", 104),
}


class RefusedArguments(CallsTest):

    def run_case(self, setup, call, times=1, status=0, **environment):
        return self.start(sys.executable, "-c", PROGRAM, setup, call, str(times), status=status,
                          **environment)

    def test_one_line_for_each_value(self):
        for name, (setup, call, line, status) in CASES.items():
            with self.subTest(name):
                ended = self.run_case(setup, call, times=3)
                self.assertEqual("torchada: %s\n" % line, ended.stderr)
                self.assertEqual("status %d\n" % status, ended.stdout)

    def test_counted_by_the_summary(self):
        for name, (setup, call, line, _) in CASES.items():
            with self.subTest(name):
                stderr = self.run_case(setup, call, times=3, TORCHADA_SUMMARY="1").stderr
                self.assertIn("3 calls refused for 1 reason", stderr)
                self.assertRegex(stderr, r"(?m)^torchada: +3  %s$" % re.escape(line.split(": ", 1)[1]))

    def test_stopped_at_in_strict_mode(self):
        for name, (setup, call, line, _) in CASES.items():
            with self.subTest(name):
                stderr = self.run_case(setup, call, status=-signal.SIGABRT, TORCHADA_STRICT="1").stderr
                self.assertTrue(stderr.startswith("torchada: %s\n" % line), stderr[:600])

    def test_other_values_have_lines_of_their_own(self):
        stderr = self.run_case("curand = library('libcurand.so.10')",
                               "[curand.curandCreateGenerator(byref(handle), type) for type in (142, 201, 203)]",
                               times=2).stderr
        self.assertEqual(["CURAND_RNG_PSEUDO_MT19937", "CURAND_RNG_QUASI_SOBOL32", "CURAND_RNG_QUASI_SOBOL64"],
                         re.findall(r"rng_type=(\w+)", stderr))

    def test_what_nvidia_refuses_too_is_not_reported(self):
        for name, (setup, call, status) in ORDINARY.items():
            with self.subTest(name):
                ended = self.run_case(setup, call, TORCHADA_STRICT="1")
                self.assertEqual(("", "status %d\n" % status), (ended.stderr, ended.stdout))

    def test_failures_that_nobody_documented_are_no_refusals(self):
        for name, (setup, call, line, status) in UNDOCUMENTED.items():
            with self.subTest(name):
                ended = self.run_case(setup, call, times=3, TORCHADA_STRICT="1", TORCHADA_SUMMARY="1")
                self.assertEqual("status %d\n" % status, ended.stdout)
                self.assertEqual(1, ended.stderr.count("torchada: %s\n" % line), ended.stderr)
                self.assertNotIn("refused for", ended.stderr)

    def test_seeds_after_numbers(self):
        """curandGenerateSeeds has nothing to do before the first numbers. Later it says in one line
        what it leaves undone, which is no refusal: with most types CUDA's numbers stay the same."""
        line = ("libcurand.so.10: curandGenerateSeeds has no effect; if the generator has given numbers, CUDA's starts "
                "over with CURAND_RNG_PSEUDO_MTGP32, and goes on elsewhere with CURAND_RNG_PSEUDO_PHILOX4_32_10")
        setup = ("curand, numbers = library('libcurand.so.10'), (c_int * 4)(); "
                 "assert curand.%s(byref(handle), 161) == 0")
        for create in "curandCreateGenerator", "curandCreateGeneratorHost":
            for asked, stderr in ("", ""), ("; assert curand.curandGenerate(handle, numbers, 4) == 0",
                                            "torchada: %s\n" % line):
                with self.subTest(create, asked=asked):
                    ended = self.run_case(setup % create + asked, "curand.curandGenerateSeeds(handle)", times=3,
                                          TORCHADA_STRICT="1")
                    self.assertEqual((stderr, "status 0\n"), (ended.stderr, ended.stdout))

    def test_log_off_says_nothing(self):
        setup, call, _, _ = CASES["generator"]
        self.assertEqual("", self.run_case(setup, call, TORCHADA_LOG="off").stderr)

    def test_last_error_of_nccl(self):
        setup, call, line, _ = CASES["data type"]
        setup += "; nccl.ncclGetLastError.restype = ctypes.c_char_p"
        stdout = self.run_case(setup, "[%s, nccl.ncclGetLastError(None)]" % call).stdout
        self.assertIn(line.split(": ", 1)[1], stdout)

    def test_advice_of_nccl(self):
        """The text of a code says to run with NCCL_DEBUG=WARN: that prints what is wrong."""
        setup = "nccl = library('libnccl.so.2'); nccl.ncclGetErrorString.restype = ctypes.c_char_p"
        call = "[nccl.ncclGetErrorString(nccl.ncclAllReduce(None, None, c_int64(1), 7, 0, None, None))]"
        self.assertIn("run with NCCL_DEBUG=WARN", self.run_case(setup, call).stdout)
        self.assertNotIn("MCCL WARN", self.run_case(setup, call).stdout)
        self.assertRegex(self.run_case(setup, call, NCCL_DEBUG="WARN").stdout, r"(?m)^MCCL WARN .*communicator")


if __name__ == "__main__":
    main()
