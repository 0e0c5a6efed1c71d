"""The audit module alone: what it redirects, what it leaves alone, what it costs."""
import os
import re
import shutil
import subprocess
import sys

import support
from support import AUDIT, BUNDLED, CUDART, DECOY, LIB, fixture, ours, start

REPLACEMENT = ours("libcudart.so.12")
OPENER = fixture("loader_opener")
THREADS = """
import ctypes, os, sys, threading
gate = threading.Barrier(8)
def work(names):
    gate.wait()
    for _ in range(20):
        for name in names:
            ctypes.CDLL(name)
names = sys.argv[1:]
threads = [threading.Thread(target=work, args=(names[i:] + names[:i],)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
for path in sorted({line.split()[-1] for line in open("/proc/self/maps") if "/lib" in line}):
    print("mapped", path)
"""


def audited(*command, **environment):
    return start(*command, **dict({"LD_AUDIT": AUDIT}, **environment))


class Names(support.LoaderTest):

    def test_one_file_for_all_names(self):
        for name in ("libcudart.so.12", "libcudart.so", "libcudart-1a2b3c4d.so.12",
                     "libcudart.1a2b3c4d.so.12", "libcudart-1a2b3c4d5e6f.so.12.4.127", "libcudart.so.12.9.79",
                     "/nonexistent/libcudart.so.12", DECOY, BUNDLED, ours("libcudart.so"),
                     os.path.join(LIB, "cu12", "libcudart.so.12"),
                     os.path.join(os.path.dirname(LIB), "lib64", "libcudart.so.12")):
            with self.subTest(name):
                result = audited(OPENER, name)
                self.bound_to(REPLACEMENT, result)
                self.check([REPLACEMENT], result.all("mapped"), result)
                result = audited(OPENER, "libcudart.so.12", name)
                self.check([REPLACEMENT] * 2, result.all("bound"), result)
                self.check([REPLACEMENT] * 2, result.all("mapped"), result)

    def test_other_libraries(self):
        for name, file in (("libcublas.so", "libcublas.so.12"),
                           ("libcublas-0123abcd.so.12.3", "libcublas.so.12"),
                           ("libcublas.0123abcd.so.13", "libcublas.so.13"),
                           ("libcublasLt-0123abcd.so.11", "libcublasLt.so.11"),
                           ("/nonexistent/libcublas.so.13", "libcublas.so.13"),
                           ("libcurand-0123abcd.so.10.3.5", "libcurand.so.10"),
                           ("libnccl.so", "libnccl.so.2"),
                           ("/nonexistent/libnccl.so.2.27.3", "libnccl.so.2")):
            with self.subTest(name):
                result = audited(OPENER, name, "resident=" + file)
                self.check((0, ours(file)), (result.status, result.first("resident")), result)
                self.check("", result.stderr, result)

    def test_left_alone(self):
        for name in ("libcudart_static.so.12", "libcudart.so.99", "libcudart-nohash.so.12",
                     "libcudart-123.so.12", "libcudart.123.so.12",
                     "libcudartx.so.12", "libcudart.so.12a", "libcudart.so.",
                     "mylibcudart.so.12", "libnccl.so.3", "libcurand.so.9", "libcudart.so.10.2",
                     "/nonexistent/libcudnn.so.9"):
            with self.subTest(name):
                result = audited(OPENER, name)
                self.check((0, name + ": cannot open shared object file: "
                            "No such file or directory"),
                           (result.status, result.first("failed")), result)

    def test_unversioned_path(self):
        """A link shows which major it means, through any number of links."""
        folder = self.make_folder()
        target = folder
        for major, soname in CUDART.items():
            target = os.path.join(folder, str(major), "lib64")
            os.makedirs(target)
            os.symlink(soname, os.path.join(target, "libcudart.so"))
            os.symlink(os.path.join(target, "libcudart.so"), os.path.join(folder, "plain"))
            os.makedirs(os.path.join(folder, "x%d" % major))
            os.rename(os.path.join(folder, "plain"),
                      os.path.join(folder, "x%d" % major, "libcudart.so"))
            for path in (target, os.path.join(folder, "x%d" % major),
                         os.path.join(LIB, "cu%d" % major)):
                result = audited(OPENER, os.path.join(path, "libcudart.so"))
                self.bound_to(ours(soname), result)
        os.symlink("libcudart.so", os.path.join(folder, "libcudart.so"))  # A loop.
        self.bound_to(REPLACEMENT, audited(OPENER, os.path.join(folder, "libcudart.so")))

    def test_renamed_after_the_plain_name(self):
        """The loader checks versions by the name that a module needs, so it must know that name."""
        plain = "module=" + fixture("loader_module_12.so")
        renamed = "module=" + fixture("loader_renamed_module.so")
        for words in ((plain, renamed), (renamed, plain), (renamed, renamed),
                      ("libcudart.so.12", renamed)):
            result = audited(OPENER, *words)
            self.check((0, [REPLACEMENT] * 2, ["yes 12"] * 2),
                       (result.status, result.all("bound"), result.all("works")), result)
            self.check("", result.stderr, result)


class Place(support.LoaderTest):

    def test_beside_itself(self):
        for value in (AUDIT, "/nonexistent/other.so:" + AUDIT,
                      os.path.join(os.path.dirname(AUDIT), "..", "libexec", "torchada_audit.so")):
            result = start(fixture("loader_rpath"), LD_AUDIT=value)
            self.bound_to(REPLACEMENT, result, quiet="nonexistent" not in value)

    def test_folder_given(self):
        for folder in (LIB, os.path.join(LIB, "cu12")):
            result = audited(fixture("loader_rpath"), TORCHADA_AUDIT_LIB=folder)
            self.bound_to(os.path.join(folder, "libcudart.so.12"), result)
        result = audited(fixture("loader_rpath"), TORCHADA_AUDIT_LIB=os.path.join(LIB, "cu13"))
        self.check(DECOY, result.first("bound"), result)

    def test_without_libraries(self):
        """It does nothing, silently: a program that works must not notice."""
        folder = self.make_folder()
        os.mkdir(os.path.join(folder, "libexec"))
        alone = shutil.copy(AUDIT, os.path.join(folder, "libexec"))
        for environment in ({"LD_AUDIT": alone},
                            {"LD_AUDIT": AUDIT, "TORCHADA_AUDIT_LIB": "/nonexistent"}):
            result = start(fixture("loader_rpath"), **environment)
            self.check((0, DECOY, ""), (result.status, result.first("bound"), result.stderr),
                       result)


class Behaviour(support.LoaderTest):

    def test_children(self):
        """It works whatever a script does to LD_LIBRARY_PATH."""
        for text in ("unset LD_LIBRARY_PATH; exec \"$0\"", "LD_LIBRARY_PATH=/nonexistent \"$0\"",
                     "/usr/bin/env -u LD_LIBRARY_PATH /bin/sh -c \"$0\"", "(\"$0\" | cat)"):
            result = audited("/bin/sh", "-c", text, fixture("loader_rpath"), LD_LIBRARY_PATH=LIB)
            self.bound_to(REPLACEMENT, result)

    def test_says_what_it_does(self):
        result = audited(fixture("loader_rpath"), TORCHADA_LOG="debug")
        lines = [line for line in result.stderr.splitlines() if "audit" in line]
        self.check(["torchada: audit: libcudart.so.12 -> " + REPLACEMENT], lines, result)
        for level in ("off", "warn", "info"):
            self.check("", "".join(
                line for line in audited(fixture("loader_rpath"), TORCHADA_LOG=level)
                .stderr.splitlines() if "audit" in line), result)

    def test_programs_without_us(self):
        for command in (["/bin/true"], ["/bin/sh", "-c", "/bin/echo one"], ["/bin/ls", "/"]):
            plain, result = start(*command), audited(*command, TORCHADA_LOG="debug")
            self.check((plain.status, plain.stdout, ""),
                       (result.status, result.stdout, result.stderr), result)

    def test_threads(self):
        """Eight threads open one name after another: one file each, and no crash."""
        names = ["libcudart.so.12", "libcudart-1a2b3c4d.so.12", "libcublas.so", DECOY,
                 "libnccl.so.2", "/nonexistent/libcurand.so.10", "libcublasLt-0123abcd.so.12"]
        result = audited(sys.executable, "-c", THREADS, *names)
        wanted = [ours(name) for name in ("libcublas.so.12", "libcublasLt.so.12", "libcudart.so.12",
                                          "libcurand.so.10", "libnccl.so.2")]
        mapped = [path for path in result.all("mapped")
                  if re.search("/lib(cudart|cublas|cublasLt|curand|nccl)[-.]", path)]
        self.check((0, wanted), (result.status, mapped), result)


class Cost(support.LoaderTest):

    def test_hooks(self):
        """Any other hook makes the loader route calls through itself or look at every binding."""
        text = subprocess.run(["nm", "-D", "--defined-only", AUDIT], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True).stdout
        self.assertEqual(["la_objopen", "la_objsearch", "la_version"],
                         sorted(line.split()[-1] for line in text.splitlines()))

    def test_lazy_calls(self):
        """glibc before 2.35 routes lazily bound calls through itself under any auditor."""
        def nanoseconds(**environment):
            return min(float(start(fixture("loader_lazy_calls"), **environment)
                             .first("nanoseconds")) for _ in range(5))
        plain, measured = nanoseconds(), nanoseconds(LD_AUDIT=AUDIT)
        print("nanoseconds a call: %.2f, under audit %.2f" % (plain, measured))
        version = tuple(int(part) for part in os.confstr("CS_GNU_LIBC_VERSION").split()[1]
                        .split("."))
        if version >= (2, 35):
            self.assertLess(measured, 4 * plain + 1)


if __name__ == "__main__":
    support.main()
