"""Several CUDA majors at once: allowed for programs linked with them, not offered to those that
probe."""
import os
import re

import support
from support import AUDIT, CUDART, HOST, LIB, fixture, ours, start, torchada_run

OPENER = fixture("loader_opener")


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


class Probes(support.LoaderTest):
    """Checks that ours is not opened: a machine may have NVIDIA's own file of the other major."""

    def not_ours(self, name, result):
        self.check([], [path for path in result.all("bound") if path.endswith("/" + name)
                        and path.startswith(LIB)], result)
        self.assertEqual(0, result.status, str(result))

    def test_another_major_is_left_alone(self):
        for first in ("libcudart.so.12", "module=" + module(12), "libcudart-1a2b3c4d.so.12"):
            for probe in ("libcudart.so.13", "libcudart.so.11.0", "libcudart-1a2b3c4d.so.13"):
                for environment in ({}, {"LD_LIBRARY_PATH": LIB},
                                    {"LD_LIBRARY_PATH": os.path.join(LIB, "cu13")}):
                    with self.subTest("%s, %s, %s" % (first, probe, environment)):
                        result = start(OPENER, first, probe, LD_AUDIT=AUDIT, **environment)
                        self.bound_to(ours("libcudart.so.12"), result, quiet=False)
                        self.not_ours(probe, result)

    def test_it_says_so(self):
        result = start(OPENER, "module=" + module(12), "libcudart.so.13", LD_AUDIT=AUDIT,
                       TORCHADA_LOG="info")
        self.assertIn("torchada: audit: libcudart.so.13 is not redirected: this process "
                      "already uses libcudart.so.12\n", result.stderr, str(result))

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


if __name__ == "__main__":
    support.main()
