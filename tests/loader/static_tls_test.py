"""A process whose static TLS is used up still loads each of our libraries, as it loads NVIDIA's: none
of them has a PT_TLS segment. What the CPU stand-in has is not static.

A preloaded library with much static TLS starts beside the audit module, because `torchada run` has the
loader keep room for it."""
import json
import os
import subprocess
import sys

import support
from support import STAGE, TORCHADA, fixture, start, torchada_run

SMALL = fixture("loader_initial_exec.so")
LARGE = fixture("loader_large_tls.so")
PLAIN = fixture("loader_plain")
OLD = fixture("loader_plain_without_tunable")
TUNABLE = "glibc.rtld.optional_static_tls"
NO_ROOM = "cannot allocate memory in static TLS block"
MOST = 400  # Copies until the loader must refuse one; it refused the 27th with glibc 2.36.

# Loads copies of a library with static TLS until the loader refuses one, then the libraries given.
PROGRAM = """
import ctypes, os, shutil, sys
small, folder, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(most):
    copy = os.path.join(folder, "copy%d.so" % number)
    shutil.copy(small, copy)
    try:
        ctypes.CDLL(copy)
    except OSError as error:
        print("full", "cannot allocate memory in static TLS block" in str(error), flush=True)
        break
for path in sys.argv[4:]:
    try:
        ctypes.CDLL(path)
        print("loaded", path, flush=True)
    except OSError as error:
        print("refused", path, error, flush=True)
"""


def files_in(*folders):
    """The libraries there, one name for each file."""
    found = {}
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(STAGE, folder))):
            path = os.path.join(STAGE, folder, name)
            if ".so" in name and os.path.isfile(path):
                status = os.stat(path)
                found.setdefault((status.st_dev, status.st_ino), path)
    return list(found.values())


def segments_and_flags(path):
    return subprocess.run(["readelf", "-lWd", path], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


class StaticTls(support.LoaderTest):

    def test_no_library_has_a_tls_segment(self):
        libraries = files_in("lib", "libexec")
        self.assertGreater(len(libraries), 8)
        for path in libraries:
            with self.subTest(path):
                self.assertNotRegex(segments_and_flags(path), r"(?m)^ *TLS |STATIC_TLS")

    def test_the_stand_in_needs_no_static_tls(self):
        for path in files_in("host/current/lib"):
            with self.subTest(path):
                self.assertNotIn("STATIC_TLS", segments_and_flags(path))

    def test_each_library_loads_when_static_tls_is_used_up(self):
        # The loader loads the audit module itself, when the process starts.
        libraries = [path for path in files_in("lib", "libexec") if "torchada_audit" not in path]
        result = start(sys.executable, "-c", PROGRAM, SMALL, self.make_folder(), str(MOST), *libraries)
        self.check((0, ["True"], libraries), (result.status, result.all("full"), result.all("loaded")),
                   result)

    def test_first_calls_when_static_tls_is_used_up(self):
        program = PROGRAM + "print('status', ctypes.CDLL(sys.argv[4]).cudaFree(None), flush=True)\n"
        for trace in (None, "1"):
            with self.subTest(trace=trace):
                result = start(sys.executable, "-c", program, SMALL, self.make_folder(), str(MOST),
                               support.ours("libcudart.so.12"), TORCHADA_TRACE=trace)
                self.check((0, ["True"], ["0"]), (result.status, result.all("full"), result.all("status")),
                           result)
                self.check(trace is not None, "cudaFree" in result.stderr, result)


class LargeStaticTls(support.LoaderTest):
    """glibc loads a preloaded library with 8 KiB of static TLS, but not with LD_AUDIT set."""

    def tunables(self, *words, **environment):
        result = torchada_run(*words, "--", PLAIN, "GLIBC_TUNABLES", **environment)
        self.check(0, result.status, result)
        return result.first("GLIBC_TUNABLES")

    def findings(self, program, **environment):
        result = start(TORCHADA, "doctor", "--run", "--format=json", "--", program, TORCHADA_MUSA_PATH=None,
                       **environment)
        return {each["id"]: each["severity"] for each in json.loads(result.stdout)["findings"]}

    def write_old_loader(self):
        """A loader that has no such tunable, as that of glibc 2.31."""
        with open("/lib64/ld-linux-x86-64.so.2", "rb") as loader:
            content = loader.read()
        self.assertIn(TUNABLE.encode(), content)
        path = fixture("loader-without-tunable.so")
        with open(path + ".new", "wb") as out:
            out.write(content.replace(b"optional_static_tls", b"optional_static_xxx"))
        os.chmod(path + ".new", 0o755)
        os.replace(path + ".new", path)

    def test_the_loader_alone_finds_no_room(self):
        result = start(PLAIN, LD_AUDIT=support.AUDIT, LD_PRELOAD=LARGE)
        self.check((127, True), (result.status, NO_ROOM in result.stderr), result)

    def test_run_reserves_room(self):
        self.assertRegex(self.tunables(LD_PRELOAD=LARGE), "^" + TUNABLE + r"=\d+$")

    def test_run_reserves_no_room_that_nobody_needs(self):
        self.assertEqual(self.tunables(), "(unset)")
        self.assertEqual(self.tunables("--via=path", LD_PRELOAD=LARGE), "(unset)")
        self.assertEqual(self.tunables(GLIBC_TUNABLES="glibc.malloc.check=0"), "glibc.malloc.check=0")

    def test_run_keeps_what_the_user_set(self):
        self.assertRegex(self.tunables(LD_PRELOAD=LARGE, GLIBC_TUNABLES="glibc.malloc.check=0"),
                         "^glibc.malloc.check=0:" + TUNABLE + r"=\d+$")
        own = TUNABLE + "=30000"
        self.assertEqual(self.tunables(LD_PRELOAD=LARGE, GLIBC_TUNABLES=own), own)

    def test_where_the_loader_cannot_reserve_room(self):
        self.write_old_loader()
        result = torchada_run("--", OLD, "LD_AUDIT", "GLIBC_TUNABLES", LD_PRELOAD=LARGE)
        self.check((0, "(unset)", "(unset)"),
                   (result.status, result.first("LD_AUDIT"), result.first("GLIBC_TUNABLES")), result)
        result = torchada_run("--via=audit", "--", OLD, LD_PRELOAD=LARGE)
        self.check((127, True), (result.status, NO_ROOM in result.stderr), result)
        result = torchada_run("--", OLD, "LD_AUDIT")
        self.check((0, True), (result.status, "torchada_audit" in result.first("LD_AUDIT")), result)

    def test_doctor_says_so(self):
        self.write_old_loader()
        self.assertEqual(self.findings(PLAIN, LD_PRELOAD=LARGE).get("static-tls-reserved"), "note")
        self.assertEqual(self.findings(OLD, LD_PRELOAD=LARGE).get("static-tls-preload"), "note")
        for program in (PLAIN, OLD):
            self.assertFalse([each for each in self.findings(program) if each.startswith("static-tls")])
        result = start(TORCHADA, "doctor", "--format=json", "--", PLAIN, LD_AUDIT=support.AUDIT,
                       GLIBC_TUNABLES=TUNABLE + "=0")
        self.assertNotIn("static-tls", result.stdout)


if __name__ == "__main__":
    support.main()
