"""Programs linked with our libraries. They require versioned symbols; if the versions are right,
nothing appears on stderr."""
import os
import re
import sys

import support
from support import ABI, CUDART, LIB, NATIVE, NCCL, OF_RUN, STAGE, run, show

TORCHADA = os.path.join(STAGE, "bin", "torchada")
OFFERED = LIB + ":" + OF_RUN  # The program is linked with all of them.
SONAME_OF_MAJOR = {11: "libcudart.so.11.0", 12: "libcudart.so.12", 13: "libcudart.so.13"}


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", path).stdout)


def imports(path):
    """{name: node or None}"""
    found = {}
    for line in run("nm", "-D", "--undefined-only", path).stdout.splitlines():
        name, _, node = line.split()[-1].partition("@")
        found[name] = node.lstrip("@") or None
    return found


class Linked(support.ProgramTest):

    def check_result(self, result, major):
        self.assertEqual((0, ""), (result.returncode, result.stderr), show(result))
        origin = re.search(r"^cudaMalloc from (.*)$", result.stdout, re.MULTILINE)
        self.assertTrue(origin, show(result))
        ours = os.path.join(LIB, SONAME_OF_MAJOR[major])
        self.assertTrue(os.path.samefile(ours, origin.group(1)),
                        "expected %s, got %s" % (ours, origin.group(1)))
        self.assertIn("result correct\n", result.stdout)
        self.assertIn("runtime %d\n" % major, result.stdout)

    def check_program(self, path, major):
        soname = SONAME_OF_MAJOR[major]
        self.assertIn(soname, needed(path))
        self.assertIn(NCCL, needed(path))
        symbols = imports(path)
        for name, node in symbols.items():
            if name.startswith("cuda"):
                self.assertEqual(soname, node, "version node of " + name)
            if name.startswith("nccl"):
                self.assertIsNone(node, "NCCL has no nodes, but " + name + " has")
        self.assertIn("cudaMalloc", symbols)
        self.check_result(run(path, LD_BIND_NOW="1", LD_LIBRARY_PATH=OFFERED), major)
        self.check_result(run(path, LD_LIBRARY_PATH=OFFERED), major)
        self.check_result(run(path, LD_BIND_NOW="1", LD_LIBRARY_PATH="%s/cu%d:%s" % (
            LIB, major, OF_RUN)), major)


class VersionNodes(Linked):

    def test_linked_to_ours(self):
        self.check_program(os.path.join(NATIVE, "programs_linked_%d" % ABI), ABI)

    def test_through_the_command(self):
        path = os.path.join(NATIVE, "programs_linked_%d" % ABI)
        result = run(TORCHADA, "run", "--backend=host", "--", path, LD_LIBRARY_PATH=None,
                     TORCHADA_MUSA_PATH=None)
        self.check_result(result, ABI)

    def test_interposer(self):
        """A library before ours defines a name and calls the next definition."""
        result = run(os.path.join(NATIVE, "programs_linked_%d" % ABI),
                     LD_LIBRARY_PATH=OFFERED, LD_PRELOAD=os.path.join(
                         NATIVE, "programs_interposer_%d.so" % ABI))
        self.assertEqual((0, ""), (result.returncode, result.stderr), show(result))
        self.assertIn("interposed cudaMalloc\n", result.stdout)
        self.assertIn("result correct\n", result.stdout)


class Registration(Linked):
    """What nvcc's constructors do, on every version node. Newer compilers generate it for one major
    only."""

    PROGRAM = os.path.join(NATIVE, "programs_registration_%d" % ABI)

    def test_nodes(self):
        for name in ("__cudaRegisterFatBinary", "__cudaUnregisterFatBinary", "cudaLaunchKernel"):
            self.assertEqual(CUDART, imports(self.PROGRAM)[name], name)

    def test_without_launch(self):
        result = run(self.PROGRAM, LD_BIND_NOW="1")
        self.assertEqual((0, "registered\n", ""),
                         (result.returncode, result.stdout, result.stderr))

    def test_without_launch_and_without_musa(self):
        result = run(self.PROGRAM, LD_BIND_NOW="1", TORCHADA_MUSA_PATH="/nonexistent/musa")
        self.assertEqual((0, "registered\n", ""),
                         (result.returncode, result.stdout, result.stderr))

    def test_launch(self):
        result = run(self.PROGRAM, "launch", LD_BIND_NOW="1")
        self.assertEqual(0, result.returncode, show(result))
        self.assertIn("launch refused, copies work\n", result.stdout)
        self.assertRegex(
            result.stderr, r"\Atorchada: %s: cudaLaunchKernel is not supported: kernel "
            r"(_Z7add_onePii|add_one\(int\*, int\)) has no MUSA image: [^\n]+; "
            r"returning cudaErrorNoKernelImageForDevice \(209\)\n\Z" % re.escape(CUDART))

    def test_launch_with_log_off(self):
        result = run(self.PROGRAM, "launch", TORCHADA_LOG="off")
        self.assertEqual((0, ""), (result.returncode, result.stderr), show(result))


class Toolkit(Linked):
    """The same program, linked with NVIDIA's own libraries, run on ours."""

    def test_linked_to_the_real_ones(self):
        path = os.path.join(NATIVE, "programs_linked_real")
        majors = [major for major, soname in SONAME_OF_MAJOR.items() if soname in needed(path)]
        self.assertEqual(1, len(majors), "NEEDED: %s" % needed(path))
        self.check_program(path, majors[0])


if __name__ == "__main__":
    if "Toolkit" in sys.argv and not os.path.exists(os.path.join(NATIVE, "programs_linked_real")):
        print("SKIPPED: no CUDA toolkit here, so no program linked with NVIDIA's libraries was run")
        sys.exit(77)
    support.main()
