"""torchada run --only: which libraries a program gets, which not, and what is said."""
import os
import sys

import support
from support import AUDIT, CUDART, DRIVER, HOST, LIB, OF_RUN, TOOLKIT, start, torchada_run

OPENS = """
import ctypes, os, sys
for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
    except OSError as error:
        print("failed", name)
        continue
    stem = os.path.basename(name).split(".so")[0]
    print("opened", [line.split()[-1] for line in open("/proc/self/maps") if "/" + stem + ".so" in line][0])
"""
VARIABLES = ("import os\n"
             "for name in sorted(os.environ):\n"
             "    if name.startswith(('LD_', 'TORCHADA_AUDIT', 'VLLM', 'SGLANG', 'TRITON', 'NUMBA')):\n"
             "        print(name, os.environ[name])\n")


def only(*names):
    """The folder of each library of a major: only('cudart-12')."""
    return [os.path.join(LIB, "only", name) for name in names]


def left_out(name):
    return ("torchada: audit: %s is not offered: torchada run --only leaves it out; the loader looks for another "
            "file" % name)


class Only(support.LoaderTest):

    def opened(self, *names, words=(), **environment):
        return torchada_run(*words, "--", sys.executable, "-c", OPENS, *names, **environment)

    def ours(self, result):
        """A machine may have NVIDIA's libraries: what is left out is then found there."""
        return [path for path in result.all("opened") if path.startswith(LIB + os.sep)]

    def variables(self, *words, **environment):
        result = torchada_run(*words, "--", sys.executable, "-c", VARIABLES, **environment)
        self.check((0, ""), (result.status, result.stderr), result)
        return dict(line.split(" ", 1) for line in result.stdout.splitlines())

    def test_each_library_is_the_same_file(self):
        """By whatever folder it is found: copies would be loaded twice."""
        seen = 0
        for folder in os.listdir(os.path.join(LIB, "only")):
            for name in os.listdir(os.path.join(LIB, "only", folder)):
                self.assertTrue(os.path.samefile(os.path.join(LIB, "only", folder, name), os.path.join(
                    LIB, "cu" + folder.split("-")[1], name)), folder + "/" + name)
                seen += 1
        self.assertGreater(seen, 30)

    def test_variables(self):
        for via in ("audit", "path"):
            got = self.variables("--only=cudart,nccl", "--via=" + via)
            folders = ":".join(only("cudart-12", "nccl-12", "cudart-11", "nccl-11", "cudart-13", "nccl-13"))
            nccl = os.path.join(LIB, "only", "nccl-12", "libnccl.so.2")
            wanted = {"LD_LIBRARY_PATH": folders}
            if via == "audit":
                wanted.update({
                    "LD_AUDIT": AUDIT, "TORCHADA_AUDIT_LIB": folders, "TORCHADA_AUDIT_LEFT_OUT": LIB + ":" + OF_RUN,
                    "VLLM_CUDART_SO_PATH": os.path.join(LIB, "only", "cudart-12", CUDART[12]),
                    "VLLM_NCCL_SO_PATH": nccl, "SGLANG_NCCL_SO_PATH": nccl})
            self.assertEqual(wanted, got)

    def test_variables_of_one_major(self):
        got = self.variables("--only=cuda,curand", "--abi=13")
        folders = ":".join(only("curand-13") + [DRIVER])
        self.assertEqual({"LD_LIBRARY_PATH": folders, "LD_AUDIT": AUDIT, "TORCHADA_AUDIT_LIB": folders,
                          "TORCHADA_AUDIT_LEFT_OUT": LIB + ":" + OF_RUN, "TRITON_LIBCUDA_PATH": DRIVER,
                          "NUMBA_CUDA_DRIVER": os.path.join(DRIVER, "libcuda.so.1")}, got)

    def test_what_is_found(self):
        for via in ("audit", "path"):
            result = self.opened("libcudart.so.12", "libnccl.so.2", "libcublas.so.12", "libcurand.so", "libcuda.so.1",
                                 words=["--only=cudart,nccl", "--via=" + via])
            self.check([os.path.join(LIB, "only", "cudart-12", "libcudart.so.12"),
                        os.path.join(LIB, "only", "nccl-12", "libnccl.so.2")], self.ours(result), result)
            said = [left_out(name) for name in ("libcublas.so.12", "libcurand.so", "libcuda.so.1")]
            self.check(said if via == "audit" else [], result.stderr.splitlines(), result)

    def test_by_path(self):
        """A path to a library that is left out leads to the file that it names, if there is one."""
        theirs = os.path.join(TOOLKIT, CUDART[12])
        result = self.opened(theirs, "/nonexistent/libcublas.so.12", "/nonexistent/libnccl.so.2",
                             words=["--only=nccl"])
        self.check([theirs, os.path.join(LIB, "only", "nccl-12", "libnccl.so.2")], result.all("opened"), result)
        self.check(["/nonexistent/libcublas.so.12"], result.all("failed"), result)
        self.check([left_out(theirs), left_out("/nonexistent/libcublas.so.12")], result.stderr.splitlines(), result)

    def test_another_library_of_that_name(self):
        """It is for the loader to find, which finds no file of ours."""
        result = self.opened(CUDART[13], words=["--only=nccl"], LD_LIBRARY_PATH=LIB + ":" + TOOLKIT)
        self.check([os.path.join(TOOLKIT, CUDART[13])], result.all("opened"), result)
        self.check([left_out(CUDART[13])], result.stderr.splitlines(), result)

    def test_what_a_library_needs(self):
        """libcublas brings libcublasLt, as NVIDIA's does: without it, it does not load."""
        for via in ("audit", "path"):
            result = self.opened("libcublas.so.12", "libcublasLt.so.12", "libcublas.so.13",
                                 words=["--only=cublas", "--via=" + via])
            self.check([os.path.join(LIB, "only", "cublas-" + name) for name in (
                "12/libcublas.so.12", "12/libcublasLt.so.12", "13/libcublas.so.13")], self.ours(result), result)
            self.check("", result.stderr, result)
        result = self.opened("libcublasLt.so.12", "libcublas.so.12", words=["--only=cublasLt", "--via=path"])
        self.check(only("cublasLt-12/libcublasLt.so.12"), self.ours(result), result)

    def test_names_without_a_version(self):
        for words, major in ((["--only=cublas"], 12), (["--only=cublas", "--abi=11"], 11)):
            result = self.opened("libcublas.so", words=words)
            self.check(["%s/only/cublas-%d/libcublas.so.%d" % (LIB, major, major)], self.ours(result), result)

    def test_together_with_one_major(self):
        result = self.opened("libcudart.so.12", "libcudart.so.13", "libnccl.so.2",
                             words=["--only=cudart", "--abi=12"])
        self.check(only("cudart-12/libcudart.so.12"), self.ours(result), result)
        self.assertIn("libcudart.so.13", result.all("failed"))
        self.check(["torchada: audit: libcudart.so.13 is not offered: torchada run --abi offers only the libraries in "
                    + only("cudart-12")[0] + "; the request fails", left_out("libnccl.so.2")],
                   result.stderr.splitlines(), result)

    def test_summary(self):
        result = self.opened("libcudart.so.12", "libcublas.so.12", "libcublas.so.12", "libcuda.so.1",
                             words=["--only=cudart", "--summary"], TORCHADA_LOG="off")
        lines = [line for line in result.stderr.splitlines() if "audit" in line]
        self.assertRegex(lines[0], r"\Atorchada: audit: summary of process \d+: 2 libraries were asked for and not "
                                   r"offered\Z")
        self.check(["torchada: audit:   libcublas.so.12", "torchada: audit:   libcuda.so.1"], lines[1:], result)
        # Programs that the loader could start without the audit module get it for the summary.
        result = torchada_run("-v", "--only=cudart", "--", support.fixture("loader_needed"))
        self.assertIn("torchada: via audit: --only says which of the others the program asks for\n", result.stderr)

    def test_unknown_name(self):
        for value in ("cudart,cudnn", "cudnn", "", "libcudart"):
            result = torchada_run("--only=" + value, "--", "/bin/true")
            self.assertEqual(2, result.status, str(result))
            self.assertRegex(result.stderr, r"torchada: --only=%s: expected a comma-separated list of cudart, cublas, "
                                            r"cublasLt, curand, cufft, nvrtc, nccl[^\n]* cuda\b"
                             % value.split(",")[-1], str(result))

    def test_preload_needs_the_runtime(self):
        result = torchada_run("--only=nccl", "--via=preload", "--", "/bin/true")
        self.check((2, "torchada: --via=preload puts the CUDA runtime into LD_PRELOAD, and --only leaves it out; add "
                       "cudart to --only, or omit --via\n"), (result.status, result.stderr), result)

    def test_run_within_run(self):
        """The inner run decides, also about what the outer one has put into the path."""
        inner = [support.TORCHADA, "run", "--backend=host", "--only=nccl", "--via=path"]
        result = torchada_run("--", *inner, "--", sys.executable, "-c", VARIABLES, LD_LIBRARY_PATH="/a::/b")
        self.check("LD_LIBRARY_PATH %s:/a::/b" % ":".join(only("nccl-12", "nccl-11", "nccl-13")),
                   result.stdout.splitlines()[0], result)
        self.check(1, len(result.stdout.splitlines()), result)

    def test_works(self):
        count = "import ctypes; print(ctypes.CDLL('libcudart.so').cudaGetDeviceCount(ctypes.byref(ctypes.c_int())))"
        result = torchada_run("--only=cudart", "--", sys.executable, "-c", count)
        self.check((0, "0\n", ""), (result.status, result.stdout, result.stderr), result)

    def test_strict_mode_finds_the_companion(self):
        """It lies beside lib/, three folders above these libraries."""
        refused = "import ctypes; ctypes.CDLL('libcudart.so.12').cudaEGLStreamConsumerDisconnect(None)"
        result = start(support.TORCHADA, "run", "--only=cudart", "--strict", "--", sys.executable, "-c", refused,
                       TORCHADA_MUSA_PATH=HOST)
        self.assertIn("stopped by TORCHADA_STRICT", result.stderr)
        self.assertNotIn("not available: libexec", result.stderr)


if __name__ == "__main__":
    support.main()
