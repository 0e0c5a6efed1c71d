"""Programs built by nvcc, run on our libraries."""
import os
import re
import sys

import support
from support import DRIVER, LIB, NATIVE, STAGE, run, show

QUERY = os.path.join(NATIVE, "programs_nvcc_query")
KERNEL = os.path.join(NATIVE, "programs_nvcc_kernel")
STATIC = os.path.join(NATIVE, "programs_nvcc_static")


class WithoutKernels(support.ProgramTest):

    def test_query(self):
        result = run(QUERY, LD_BIND_NOW="1")
        self.assertEqual((0, ""), (result.returncode, result.stderr), show(result))
        self.assertRegex(result.stdout, r"Result = PASS\n\Z")

    def test_query_without_musa(self):
        result = run(QUERY, TORCHADA_MUSA_PATH="/nonexistent/musa")
        self.assertEqual(1, result.returncode, show(result))
        self.assertIn("cudaGetDeviceCount: expected 0, got 35", result.stdout)


class WithKernels(support.ProgramTest):

    def test_not_launched(self):
        result = run(KERNEL, LD_BIND_NOW="1")
        self.assertEqual((0, "started, nothing launched\n", ""),
                         (result.returncode, result.stdout, result.stderr))

    def test_launched(self):
        result = run(KERNEL, "launch", LD_BIND_NOW="1")
        self.assertEqual(0, result.returncode, show(result))
        self.assertIn("launch: 209, then 0\n", result.stdout)
        self.assertIn("copies work\n", result.stdout)

    def test_launch_says_one_line(self):
        """Two launches, but only one line per kernel."""
        result = run(KERNEL, "launch")
        self.assertRegex(
            result.stderr, r"\Atorchada: libcudart\.so\.[0-9.]+: \w*[lL]aunchKernel\w* is not "
            r"supported: kernel add_step\(int\*, int\) has no MUSA image: [^\n]+; "
            r"returning cudaErrorNoKernelImageForDevice \(209\)\n\Z")


class StaticRuntime(support.ProgramTest):
    """nvcc's default. Such a program loads none of our libraries but the driver's, if it is started
    with `torchada run`, and is told that there is no device."""

    def test_asks_for_none_of_ours(self):
        result = run("/usr/bin/ldd", STATIC)
        self.assertEqual(0, result.returncode, show(result))
        self.assertNotIn(LIB, result.stdout)
        stems = {name.split(".so.")[0] for name in os.listdir(LIB) if ".so." in name}
        self.assertIn("libcudart", stems)
        self.assertNotRegex(result.stdout, "(%s)[.]" % "|".join(stems))

    def loaded(self, result):
        """Our libraries, and torchada's lines."""
        loaded = re.findall(r"calling init: (\S+)", result.stderr)
        self.assertTrue(loaded, show(result))
        return (sorted({os.path.realpath(path) for path in loaded if path.startswith(LIB + os.sep)}),
                [line for line in result.stderr.splitlines() if line.startswith("torchada:")])

    def test_loads_none_of_ours(self):
        self.assertEqual(([], []), self.loaded(run(STATIC, "launch", LD_DEBUG="files")))

    def test_loads_the_driver_alone(self):
        result = run(os.path.join(STAGE, "bin", "torchada"), "run", "--backend=host", "--", STATIC,
                     "launch", LD_DEBUG="files", LD_LIBRARY_PATH=None, TORCHADA_MUSA_PATH=None)
        own, lines = self.loaded(result)
        self.assertEqual([os.path.join(DRIVER, "libcuda.so.1")], own)
        self.assertEqual(1, len(lines), show(result))
        self.assertIn("the program needs NVIDIA's own driver", lines[0])


if __name__ == "__main__":
    if not os.path.exists(QUERY):
        print("SKIPPED: no nvcc here, so nothing that it built was run")
        sys.exit(77)
    support.main()
