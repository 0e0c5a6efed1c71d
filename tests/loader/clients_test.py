"""How clients find a loaded runtime or intercept it: maps, RTLD_NOLOAD, the global scope,
interposers, namespaces, closing, forks."""
import os
import platform
import re
import sys

import support
from support import AUDIT, BUNDLED, CUDART, DECOY, LIB, fixture, ours, start, torchada_run

REPLACEMENT = ours("libcudart.so.12")
OPENER = fixture("loader_opener")
INTERPOSER = fixture("loader_interposer.so")
# As the wrappers of vLLM, SGLang and FlashInfer look for it.
FIRST_MAPPED = """
import ctypes, os
line = next((l for l in open("/proc/self/maps") if "libcudart" in l), "nothing")
path = line[line.index("/"):].strip() if "/" in line else line
assert os.path.basename(path).rpartition(".so")[0].startswith("libcudart"), path
print("bound", path)
count = ctypes.c_int(-77)
print("works", "yes" if ctypes.CDLL(path).cudaGetDeviceCount(ctypes.byref(count)) == 0 else "no")
"""
GLOBAL_NAMES = """
import ctypes
for name in ("cudaHostRegister", "cudaMalloc"):
    print("global", name, hasattr(ctypes.CDLL(None), name))
"""
CLOSES_AND_FORKS = """
import ctypes, os, subprocess, sys
libc = ctypes.CDLL(None)
libc.dlclose.argtypes = [ctypes.c_void_p]
for _ in range(3):
    for name in sys.argv[1:]:
        assert libc.dlclose(ctypes.CDLL(name)._handle) == 0, name
print("threads", len(os.listdir("/proc/self/task")))
assert subprocess.check_output(["/bin/echo", "fine"]) == b"fine\\n"
child = os.fork()
if child == 0:
    os.execv("/bin/sh", ["sh", "-c", "exit 7"])
print("child", os.waitpid(child, 0)[1] >> 8)
"""


class Discovery(support.LoaderTest):

    def test_maps(self):
        """A script that has loaded nothing yet finds the runtime in its own memory map. The audit
        module maps a page of it, until the process loads one."""
        for words, path in (([], REPLACEMENT), (["--abi=13"], os.path.join(LIB, "cu13", CUDART[13])),
                            (["--via=preload"], REPLACEMENT)):
            result = torchada_run(*words, "--", sys.executable, "-c", FIRST_MAPPED)
            self.bound_to(path, result)

    def test_resident(self):
        for environment in ({"LD_LIBRARY_PATH": LIB}, {"LD_AUDIT": AUDIT}):
            for name in CUDART.values():
                absent = start(OPENER, "resident=" + name, **environment)
                self.check(name, absent.first("absent"), absent)
                result = start(OPENER, name, "resident=" + name, **environment)
                self.check((ours(name), LIB), (result.first("resident"), result.first("origin")),
                           result)
        for name in (DECOY, BUNDLED, "libcudart-1a2b3c4d.so.12", "libcudart.so"):
            result = start(OPENER, "libcudart.so.12", "resident=" + name, LD_AUDIT=AUDIT)
            self.check(REPLACEMENT, result.first("resident"), result)

    def test_folder_of_one_major(self):
        for abi, name in CUDART.items():
            for other in CUDART.values():
                folder = os.path.join(LIB, "cu%d" % abi)
                result = start(OPENER, other, LD_LIBRARY_PATH=folder)
                self.check(other == name, result.first("bound") == os.path.join(folder, name),
                           result)

    def test_versioned_programs(self):
        for abi, name in CUDART.items():
            for environment in ({}, {"LD_BIND_NOW": "1"}):
                result = start(fixture("loader_linked_%d" % abi), LD_LIBRARY_PATH=LIB,
                               **environment)
                self.bound_to(ours(name), result)
                self.check("yes %d" % abi, result.first("works"), result)


class GlobalScope(support.LoaderTest):

    def test_opened_globally(self):
        for environment in ({"LD_LIBRARY_PATH": LIB}, {"LD_AUDIT": AUDIT}):
            result = start(OPENER, "global=libcudart.so.12", **environment)
            self.bound_to(REPLACEMENT, result)

    def test_preloaded(self):
        expected = {"preload": "True", "audit": "False", "path": "False"}
        for via, there in expected.items():
            result = torchada_run("--via=" + via, "--", sys.executable, "-c", GLOBAL_NAMES)
            self.check(["cudaHostRegister " + there, "cudaMalloc " + there], result.all("global"),
                       result)


class Interposer(support.LoaderTest):

    def test_before_the_preloaded_runtime(self):
        """RTLD_NEXT finds ours only if it is preloaded after the interposer, or needed."""
        client = fixture("loader_needed")
        for via in ("path", "preload", "audit"):
            result = torchada_run("--via=" + via, "--", client, LD_PRELOAD=INTERPOSER)
            self.check((0, "with a next one", "yes 12"),
                       (result.status, result.first("interposed"), result.first("works")), result)
            self.check(INTERPOSER, result.first("bound"), result)
            self.check("", result.stderr, result)

    def test_around_a_script(self):
        script = ("import ctypes\np = ctypes.c_void_p()\n"
                  "print('status', ctypes.CDLL(None).cudaMalloc(ctypes.byref(p), 64))\n")
        linked = fixture("loader_linked_interposer.so")
        for words, interposer in ((["--via=preload"], INTERPOSER), (["--via=preload"], linked),
                                  (["--via=audit"], linked), (["--via=path"], linked)):
            result = torchada_run(*words, "--", sys.executable, "-c", script,
                                  LD_PRELOAD=interposer)
            self.check((0, ["with a next one"], ["0"]),
                       (result.status, result.all("interposed"), result.all("status")), result)
        for words in (["--via=path"], ["--via=audit"]):
            result = torchada_run(*words, "--", sys.executable, "-c", script,
                                  LD_PRELOAD=INTERPOSER)
            self.check((["with none behind"], ["78"]),
                       (result.all("interposed"), result.all("status")), result)

    def test_runtime_opened_globally(self):
        """As PyTorch does: then RTLD_NEXT finds it behind an interposer that is not linked with it.
        """
        script = ("import ctypes\nctypes.CDLL('libcudart.so.13', mode=ctypes.RTLD_GLOBAL)\n"
                  "p = ctypes.c_void_p()\n"
                  "print('status', ctypes.CDLL(None).cudaMalloc(ctypes.byref(p), 64))\n")
        result = torchada_run("--", sys.executable, "-c", script, LD_PRELOAD=INTERPOSER)
        self.check((["with a next one"], ["0"]),
                   (result.all("interposed"), result.all("status")), result)


class Apart(support.LoaderTest):

    def test_another_namespace_is_refused(self):
        """A second MUSA would run there beside the first, so there is one line and no driver."""
        cases = [([REPLACEMENT], {}), (["libcudart.so.12"], {"LD_LIBRARY_PATH": LIB})]
        # glibc 2.31 crashes in dlmopen under any auditor, even one that does nothing.
        if tuple(int(part) for part in platform.libc_ver()[1].split(".")) >= (2, 35):
            cases.append((["libcudart.so.12"], {"LD_AUDIT": AUDIT}))
        for words, environment in cases:
            result = start(OPENER, *("apart=" + word for word in words), **environment)
            self.check((0, "35 -77", "35", []),
                       (result.status, result.first("count"), result.first("allocate"),
                        result.all("mapped")), result)
            self.assertRegex(result.stderr,
                             r"\Atorchada: libcudart.so.12: [^\n]*dlmopen[^\n]*\n\Z", str(result))

    def test_the_first_one_goes_on(self):
        result = start(OPENER, "apart=" + REPLACEMENT, REPLACEMENT)
        self.check((0, REPLACEMENT, "yes 12"),
                   (result.status, result.first("bound"), result.first("works")), result)


class Lifetime(support.LoaderTest):

    def test_closed_and_forked(self):
        names = ["libcudart.so.12", "libnccl.so.2", "libcublas.so.12", "libcurand.so.10"]
        for words in ([], ["--via=preload"], ["--via=path"]):
            result = torchada_run(*words, "--", sys.executable, "-c", CLOSES_AND_FORKS, *names)
            self.check((0, "1", "7", ""), (result.status, result.first("threads"),
                                           result.first("child"), result.stderr), result)

    def test_thread_state_finds_room(self):
        """Each major has a few bytes of initial-exec thread state, which must fit in a late
        dlopen too."""
        names = sorted(name for name in os.listdir(LIB) if re.search(r"\.so\.[0-9.]+$", name))
        script = "import ctypes, sys\n[ctypes.CDLL(n) for n in sys.argv[1:]]\nprint('all', 'open')"
        for environment in ({"LD_LIBRARY_PATH": LIB}, {"LD_AUDIT": AUDIT}):
            result = start(sys.executable, "-c", script, *(ours(name) for name in names),
                           **environment)
            self.check((0, "open", ""), (result.status, result.first("all"), result.stderr),
                       result)


if __name__ == "__main__":
    support.main()
