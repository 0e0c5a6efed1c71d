"""TORCHADA_SUMMARY: how often each unsupported function was called, reported at exit."""
import os
import re
import subprocess
import sys

from support import CALLS, FUNCTIONS, SONAMES, TORCHADA, CallsTest, main, read


class Summary(CallsTest):

    def rows(self, text, prefix="torchada: "):
        """For each process: the number of calls of each (library, function)."""
        out, process, library = {}, None, None
        for line in text.splitlines():
            line = line.split(prefix, 1)[-1]
            head = re.fullmatch(r"summary of process (\d+) \((.+)\): (?:(no) call was|(\d+) calls?) refused.*",
                                line)
            if head:
                process = int(head[1])
                out[process] = {}
                total = int(head[4] or 0)
                self.addCleanup(lambda rows=out[process], total=total:
                                self.assertEqual(total, sum(rows.values())))
            elif re.fullmatch(r"  \S+", line) and process:
                library = line.strip()
            elif re.fullmatch(r" +\d+  .*", line):
                count, function = line.split()[:2]
                out[process][library, function.rstrip(":")] = int(count)
        return out

    def only(self, *words, **environment):
        ended = self.start(*words, TORCHADA_SUMMARY="1", **environment)
        rows, = self.rows(ended.stderr).values()
        return rows, ended.stderr

    def test_exact_with_threads(self):
        rows, stderr = self.only("count", "4", "1000")
        self.assertEqual({(SONAMES[library], FUNCTIONS[library]): 4000 for library in FUNCTIONS}, rows)
        self.assertIn("12000 calls refused for 3 reasons", stderr)
        self.assertRegex(stderr, r"\ntorchada:         4000  cublasXtSspmm is not supported: torchada "
                         r".*; returning CUBLAS_STATUS_NOT_SUPPORTED \(15\)\n")

    def test_lines_are_said_once_as_ever(self):
        stderr = self.only("count", "2", "10")[1]
        self.assertEqual(1, len(re.findall(r"(?m)^torchada: libnccl\.so\.2: ncclCommRevoke is not", stderr)))

    def test_no_musa(self):
        rows, stderr = self.only("count", "2", "50", TORCHADA_MUSA_PATH="/nonexistent")
        self.assertEqual(100, rows[SONAMES["cudart"], "cudaGetDeviceCount"])
        self.assertEqual(100, rows[SONAMES["cublas"], FUNCTIONS["cublas"]])
        self.assertIn("cudaGetDeviceCount: no MUSA found below TORCHADA_MUSA_PATH=/nonexistent; returning "
                      "cudaErrorInsufficientDriver (35)", stderr)

    def test_disabled(self):
        rows, stderr = self.only("count", "2", "50", TORCHADA_DISABLE="cudaGetDeviceCount")
        self.assertEqual(100, rows[SONAMES["cudart"], "cudaGetDeviceCount"])
        self.assertIn("disabled by TORCHADA_DISABLE", stderr)

    def test_kernels(self):
        rows, stderr = self.only("launch", "7")
        self.assertEqual({(SONAMES["cudart"], "cudaLaunchKernel"): 7}, rows)
        self.assertIn("kernel step(float*) has no MUSA image", stderr)

    def test_nothing_refused(self):
        code = "import ctypes; ctypes.CDLL('libcudart.so.12').cudaGetDeviceCount(ctypes.byref(ctypes.c_int()))"
        rows, stderr = self.only(sys.executable, "-c", code)
        self.assertIn("no call was refused", stderr)
        self.assertIn("python", stderr)
        self.assertEqual({}, rows)

    def test_handlers_of_exit_are_counted(self):
        self.assertEqual({(SONAMES["cudart"], FUNCTIONS["cudart"]): 3}, self.only("late")[0])

    def test_child_has_its_own(self):
        ended = self.start("fork", "5", TORCHADA_SUMMARY="1")
        child = int(ended.stdout)
        rows = self.rows(ended.stderr)
        function = SONAMES["cudart"], FUNCTIONS["cudart"]
        self.assertEqual({function: 5}, rows.pop(child))
        self.assertEqual([{function: 1}], list(rows.values()))

    def test_underscore_exit_says_nothing(self):
        self.assertNotIn("summary", self.start("unrun", TORCHADA_SUMMARY="1").stderr)

    def test_off(self):
        for value in (None, "0", ""):
            self.assertNotIn("summary", self.start("count", "1", "3", TORCHADA_SUMMARY=value).stderr)

    def test_in_the_log_file(self):
        path = os.path.join(self.folder(), "log")
        ended = self.start("count", "1", "3", TORCHADA_SUMMARY="1", TORCHADA_LOG_FILE=path)
        self.assertNotIn("summary", ended.stderr)
        rows, = self.rows(read(path), prefix="[info] torchada: ").values()
        self.assertEqual([3, 3, 3], list(rows.values()))

    def test_without_companion(self):
        stderr = self.start("count", "1", "3", TORCHADA_SUMMARY="1",
                            LD_LIBRARY_PATH=self.lib_without_companion()).stderr
        for soname in SONAMES.values():
            line = soname + ": tracing, backtraces, the summary, the log file and kernels on demand are not available: "
            self.assertEqual(1, stderr.count(line), stderr)
        self.assertNotIn("summary of process", stderr)

    def test_closed_stderr(self):
        self.start("/bin/sh", "-c", 'exec "$@" 2>&-', "sh", CALLS, "count", "1", "1", TORCHADA_SUMMARY="1")

    def test_reader_that_is_gone(self):
        """What the companion writes late does not end the program with SIGPIPE."""
        reading, writing = os.pipe()
        os.close(reading)
        ended = subprocess.run([CALLS, "count", "1", "1"], stderr=writing, timeout=60, check=False,
                               env={**os.environ, "TORCHADA_SUMMARY": "1", "TORCHADA_LOG": "off"})
        os.close(writing)
        self.assertEqual(0, ended.returncode)

    def test_run(self):
        ended = self.start(TORCHADA, "run", "--summary", "--", CALLS, "once", "nccl")
        rows, = self.rows(ended.stderr).values()
        self.assertEqual({(SONAMES["nccl"], FUNCTIONS["nccl"]): 1}, rows)
        self.assertEqual(self.start("once", "nccl").stdout, ended.stdout)
        folder = self.folder()
        self.start(TORCHADA, "run", "--summary", "--log-file=log.%p", "--", CALLS, "once", "nccl", cwd=folder)
        name, = os.listdir(folder)
        self.assertRegex(name, r"^log\.\d+$")
        self.assertIn("1 call refused", read(os.path.join(folder, name)))


if __name__ == "__main__":
    main()
