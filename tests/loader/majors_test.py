"""Several CUDA majors at once: allowed for programs linked with them, not offered to those that
probe."""
import itertools
import os
import re
import sys

import support
from support import AUDIT, CUDART, HOST, LIB, TOOLKIT, fixture, ours, start, torchada_run

OPENER = fixture("loader_opener")
OPENS = """
import ctypes, sys
from ctypes.util import find_library
for name in sys.argv[1:]:
    try:
        library = ctypes.CDLL(find_library(name[5:]) if name.startswith("find=") else name)
        count = ctypes.c_int()
        print("opened", name, library.cudaGetDeviceCount(ctypes.byref(count)))
    except OSError as error:
        print("failed", error)
for path in sorted({l.split(None, 5)[5].strip() for l in open("/proc/self/maps") if "libcudart" in l}):
    print("mapped", path)
"""


def module(abi):
    return fixture("loader_module_%d.so" % abi)


class Together(support.LoaderTest):

    def test_one_backend(self):
        """Memory of one major can be used with another: the same MUSA is behind both."""
        for via in ("path", "preload", "audit"):
            for first, second in ((12, 13), (13, 12), (11, 13)):
                with self.subTest("%s: %d and %d" % (via, first, second)):
                    result = torchada_run("--via=" + via, "--", OPENER,
                                          "across=%s,%s" % (module(first), module(second)))
                    self.check((0, "allocated 0", ""),
                               (result.status, result.first("across"), result.stderr), result)
                    mapped = {os.path.realpath(path) for path in result.all("mapped")}
                    self.check(1, len(mapped), result)
                    self.assertTrue(mapped.pop().startswith(os.path.realpath(HOST) + "/"))

    def test_both_linked(self):
        result = start(OPENER, *("module=" + module(abi) for abi in (11, 12, 13)), LD_AUDIT=AUDIT)
        self.check(([ours(CUDART[abi]) for abi in (11, 12, 13)], ["yes 11", "yes 12", "yes 13"]),
                   (result.all("bound"), result.all("works")), result)
        self.check((0, ""), (result.status, result.stderr), result)


def not_opened(name, abi):
    return ("torchada: audit: %s is not opened: this process already uses %s; "
            "torchada run --abi chooses the CUDA major version\n" % (name, CUDART[abi]))


class Scripts(support.LoaderTest):
    """The major that a script asks for first is the one that it gets, with and without NVIDIA's
    toolkit. What it does not get, a line says, and nothing of NVIDIA's is opened instead."""

    def opened(self, *names, words=(), toolkit=None):
        return torchada_run(*words, "--", sys.executable, "-c", OPENS, *names,
                            LD_LIBRARY_PATH=toolkit)

    def test_any_order(self):
        for toolkit in (None, TOOLKIT):
            for order in itertools.permutations((11, 12, 13)):
                with self.subTest("%s, toolkit: %s" % (order, toolkit)):
                    first, *rest = order
                    result = self.opened(*(CUDART[abi] for abi in order), toolkit=toolkit)
                    self.check((0, [CUDART[first] + " 0"], [ours(CUDART[first])]),
                               (result.status, result.all("opened"), result.all("mapped")), result)
                    self.check("".join(not_opened(CUDART[abi], first) for abi in rest),
                               result.stderr, result)

    def test_each_alone(self):
        for toolkit in (None, TOOLKIT):
            for name in CUDART.values():
                result = self.opened(name, toolkit=toolkit)
                self.check((0, [name + " 0"], [ours(name)], ""),
                           (result.status, result.all("opened"), result.all("mapped"),
                            result.stderr), result)

    def test_find_library(self):
        """It asks the loader's cache, the compiler and the linker. Whatever they find is ours."""
        for toolkit in (None, TOOLKIT):
            result = self.opened("find=cudart", toolkit=toolkit)
            self.check((0, ["find=cudart 0"], ""),
                       (result.status, result.all("opened"), result.stderr), result)
            self.assertTrue(result.first("mapped").startswith(LIB + "/"), str(result))

    def test_only_one_major_is_offered(self):
        """A request by path or of a linked object goes on to the next file; a line says so."""
        folder = os.path.join(LIB, "cu12")
        result = self.opened(CUDART[13], words=["--abi=12"], toolkit=TOOLKIT)
        held_back = ("torchada: audit: %s is not offered: torchada run --abi offers only the "
                     "libraries in " + folder + "; %s\n")
        self.check((0, [], held_back % (CUDART[13], "the request fails")),
                   (result.status, result.all("opened"), result.stderr), result)
        theirs = os.path.join(TOOLKIT, CUDART[13])
        result = torchada_run("--abi=12", "--", OPENER, theirs)
        self.check((theirs, held_back % (theirs, "the loader looks for another file")),
                   (result.first("bound"), result.stderr), result)


class Chosen(support.LoaderTest):
    """What counts as the program's choice: what it has loaded. Not what torchada preloads, and not
    a question whether a library is loaded."""

    def test_questions(self):
        """cuda.pathfinder asks for every major with RTLD_NOLOAD before it opens a wheel's file."""
        for abi in (11, 12, 13):
            wheel = os.path.join(TOOLKIT, CUDART[abi])
            result = start(OPENER, *("resident=" + name for name in CUDART.values()), wheel,
                           LD_AUDIT=AUDIT)
            self.bound_to(ours(CUDART[abi]), result)

    def test_own_preload(self):
        for abi in (11, 13):
            result = start(OPENER, CUDART[abi], LD_AUDIT=AUDIT, LD_PRELOAD=ours(CUDART[12]))
            self.bound_to(ours(CUDART[abi]), result)
        result = start(OPENER, "module=" + module(12), CUDART[13], LD_AUDIT=AUDIT,
                       LD_PRELOAD=ours(CUDART[12]))
        self.check(not_opened(CUDART[13], 12), result.stderr, result)

    def test_preload_of_the_user(self):
        """It is linked with CUDA 12, so the process uses CUDA 12."""
        result = start(OPENER, CUDART[13], LD_AUDIT=AUDIT,
                       LD_PRELOAD=fixture("loader_linked_interposer.so"))
        self.check(not_opened(CUDART[13], 12), result.stderr, result)

    def test_run_preloads_nothing(self):
        result = torchada_run("-v", "--", sys.executable, "-c", "")
        self.assertNotIn("LD_PRELOAD", result.stderr, str(result))


class Probes(support.LoaderTest):
    """Checks that ours is not opened: a machine may have NVIDIA's own file of the other major."""

    def not_ours(self, name, result):
        self.check([], [path for path in result.all("bound") if path.endswith("/" + name)
                        and path.startswith(LIB)], result)
        self.assertEqual(0, result.status, str(result))

    def test_another_major_is_left_alone(self):
        for first in ("libcudart.so.12", "module=" + module(12), "libcudart-1a2b3c4d.so.12"):
            for probe in ("libcudart.so.13", "libcudart.so.11.0", "libcudart-1a2b3c4d.so.13"):
                for environment in ({}, {"LD_LIBRARY_PATH": LIB}, {"LD_LIBRARY_PATH": TOOLKIT},
                                    {"LD_LIBRARY_PATH": os.path.join(LIB, "cu13")}):
                    with self.subTest("%s, %s, %s" % (first, probe, environment)):
                        result = start(OPENER, first, probe, LD_AUDIT=AUDIT, **environment)
                        self.bound_to(ours("libcudart.so.12"), result, quiet=False)
                        self.check([probe + ": cannot open shared object file: "
                                    "No such file or directory"], result.all("failed"), result)

    def test_it_says_so(self):
        """Once for each name, even if the program asks again."""
        result = start(OPENER, "module=" + module(12), "libcudart.so.13", "libcudart.so.11.0",
                       "libcudart.so.13", LD_AUDIT=AUDIT)
        self.check(not_opened("libcudart.so.13", 12) + not_opened("libcudart.so.11.0", 12),
                   result.stderr, result)
        result = start(OPENER, "libcudart.so.12", "libcudart.so.13", LD_AUDIT=AUDIT,
                       TORCHADA_LOG="off")
        self.check("", result.stderr, result)

    def test_path_is_no_probe(self):
        result = start(OPENER, "module=" + module(12), "/nonexistent/libcudart.so.13",
                       LD_AUDIT=AUDIT)
        self.check([ours("libcudart.so.12"), ours("libcudart.so.13")], result.all("bound"), result)

    def test_same_major_again(self):
        result = start(OPENER, "module=" + module(13), "libcudart.so.13", "libcudart.so",
                       "libcudart-1a2b3c4d.so.13", LD_AUDIT=AUDIT)
        self.check([ours("libcudart.so.13")] * 4, result.all("bound"), result)

    def test_unversioned_names_follow(self):
        for abi in (11, 12, 13):
            result = start(OPENER, "module=" + module(abi), "libcublas.so",
                           "resident=libcublas.so.%d" % abi, LD_AUDIT=AUDIT)
            self.check(ours("libcublas.so.%d" % abi), result.first("resident"), result)

    def test_one_major_by_folder(self):
        """cudnn-frontend asks like this, and refuses to run if both are present."""
        for words in (("--abi=12", "--via=path"), ("--abi=12", "--via=audit"), ("--via=audit",)):
            result = torchada_run(*words, "--", OPENER, "libcudart.so.12", "libcudart.so.13")
            self.assertTrue(re.search("/libcudart.so.12$", result.all("bound")[0]), str(result))
            self.not_ours("libcudart.so.13", result)

    def test_both_majors_asked_for(self):
        """Exactly one of the two opens, whichever the process already uses, as cudnn-frontend
        demands. NVIDIA's toolkit makes no difference."""
        for before, expected in (((), 12), (("module=" + module(13),), 13),
                                 (("module=" + module(12),), 12)):
            for toolkit in (None, TOOLKIT):
                result = torchada_run("--via=audit", "--", OPENER, *before, CUDART[12], CUDART[13],
                                      LD_LIBRARY_PATH=toolkit)
                self.check({ours(CUDART[expected])}, set(result.all("bound")), result)
                self.check(1, len(result.all("failed")), result)


if __name__ == "__main__":
    support.main()
