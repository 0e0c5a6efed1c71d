"""Each way to ask for the CUDA runtime, with each way to provide ours: whose file the client
gets."""
import os
import shutil
import sys

import support
from support import BUNDLED, DECOY, TORCH, fixture, ours, start, torchada_run

REPLACEMENT = ours("libcudart.so.12")
OPENER = fixture("loader_opener")
PLUGIN = "through=" + fixture("loader_plugin.so")

OURS = "ours"
THEIRS = "theirs"      # The client's own copy, which does not work.
MISSING = "missing"    # No file.
BESIDE = "beside"      # The client uses its own copy; ours is mapped too.

# Client, command, and whose file it gets with the search path, the preloaded runtime and the audit
# module.
FORMS = (
    ("needed, no path", [fixture("loader_needed")], OURS, OURS, OURS),
    ("needed, DT_RUNPATH", [fixture("loader_runpath")], OURS, OURS, OURS),
    ("needed, DT_RPATH", [fixture("loader_rpath")], THEIRS, OURS, OURS),
    ("needed under a hashed name", [fixture("loader_renamed")], THEIRS, OURS, OURS),
    ("module of a wheel, DT_RPATH", [OPENER, "module=" + TORCH], THEIRS, OURS, OURS),
    ("dlopen by name from a library with DT_RPATH", [OPENER, PLUGIN, "libcudart.so.12"],
     THEIRS, OURS, OURS),
    ("dlopen by name", [OPENER, "libcudart.so.12"], OURS, OURS, OURS),
    ("dlopen by unversioned name", [OPENER, "libcudart.so"], OURS, OURS, OURS),
    ("dlopen by hashed name", [OPENER, "libcudart-abcd1234.so.12"], MISSING, MISSING, OURS),
    ("dlopen by path", [OPENER, DECOY], THEIRS, BESIDE, OURS),
    ("dlopen by path to a hashed name", [OPENER, BUNDLED], THEIRS, BESIDE, OURS),
    ("runtime in the program itself", [fixture("loader_static")], THEIRS, BESIDE, THEIRS),
)


def got(result):
    """Whose file the client uses."""
    bound = result.first("bound")
    mapped = result.all("mapped")
    if bound == "nothing":
        return MISSING
    if os.path.realpath(bound) == REPLACEMENT:  # libcudart.so in our folder is a link.
        return OURS if result.first("works") == "yes 12" and REPLACEMENT in mapped else "ours, broken"
    return BESIDE if REPLACEMENT in mapped else THEIRS


class Matrix(support.LoaderTest):

    def check_column(self, via, column):
        for name, command, *expected in FORMS:
            with self.subTest(via + ": " + name):
                result = torchada_run("--via=" + via, "--", *command)
                self.check((0, expected[column]), (result.status, got(result)), result)
                if expected[column] in (OURS, THEIRS) and via != "preload":
                    self.check("", result.stderr, result)

    def test_search_path(self):
        self.check_column("path", 0)

    def test_preload(self):
        self.check_column("preload", 1)

    def test_audit(self):
        self.check_column("audit", 2)

    def test_audit_maps_nothing_else(self):
        """It is not mapped even beside ours, because code that reads the maps would find it."""
        for name, command, *expected in FORMS:
            if expected[2] != OURS:
                continue
            with self.subTest(name):
                result = torchada_run("--via=audit", "--", *command)
                self.check([REPLACEMENT], result.all("mapped"), result)

    def test_replaced_file(self):
        """The client's own file is replaced by a link to ours, and no variable is set."""
        wheels = os.path.join(self.make_folder(), "site-packages")
        shutil.copytree(support.fixture("site-packages"), wheels)
        nvidia = os.path.join(wheels, "nvidia", "cuda_runtime", "lib", "libcudart.so.12")
        os.unlink(nvidia)
        os.symlink(REPLACEMENT, nvidia)
        module = os.path.join(wheels, "torch", "lib", "loader_torch.so")
        result = start(OPENER, "module=" + module)
        self.check((0, [REPLACEMENT]), (result.status, result.all("mapped")), result)
        self.check("yes 12", result.first("works"), result)
        self.assertEqual("yes 12", start(OPENER, nvidia).first("works"))

    def test_opened_before(self):
        """A script opens ours and then imports a module linked with its own copy."""
        for name, module, expected in (
                ("DT_RPATH", TORCH, OURS),
                ("hashed name", fixture("loader_renamed_module.so"), BESIDE)):
            with self.subTest(name):
                script = ("import ctypes, sys\nctypes.CDLL(sys.argv[1])\n"
                          "ctypes.CDLL(sys.argv[2]).module_report()\n")
                result = start(sys.executable, "-c", script, REPLACEMENT, module)
                self.check((0, expected), (result.status, got(result)), result)
        for name, words, expected in (
                ("by name", ["libcudart.so.12"], OURS),
                ("by name from a library with DT_RPATH", [PLUGIN, "libcudart.so.12"], OURS),
                ("by path", [DECOY], BESIDE)):
            with self.subTest(name):
                result = start(OPENER, REPLACEMENT, *words)
                last = result.stdout.rsplit("bound ", 1)[-1]
                bound = last.splitlines()[0]
                self.check(expected, OURS if bound == REPLACEMENT else BESIDE, result)


if __name__ == "__main__":
    support.main()
