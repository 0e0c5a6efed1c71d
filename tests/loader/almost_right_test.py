"""What the loader does with a runtime that is almost the right one. This is why ours have every
symbol, each with NVIDIA's version node, under exactly the same SONAME. The clients want the
node libcudart.so.12."""
import os
import sys

import support
from support import fixture, ours, start

RUNS = "runs"
NO_NODE = "no such node"            # Fails at start.
NO_SYMBOL = "no such symbol"        # Fails at start.
STOPS = "stops at the symbol"       # Fails after the start.
ASSERTION = "loader's assertion"
FOUND, NOT_FOUND = "found", "not found"

# Library; results for a lazily bound program, a program bound at start, the import of a module, and
# dlsym; whether programs get a warning. "unversioned" has no version tables at all;
# "imports_versions" has one because it is linked with libc.
ROWS = (
    ("equal", RUNS, RUNS, RUNS, FOUND, False),
    ("unversioned", ASSERTION, ASSERTION, ASSERTION, FOUND, True),
    ("imports_versions", RUNS, RUNS, RUNS, FOUND, True),
    ("hidden", RUNS, RUNS, RUNS, NOT_FOUND, False),
    ("other_node", STOPS, NO_SYMBOL, NO_SYMBOL, FOUND, False),
    ("other_soname", NO_NODE, NO_NODE, NO_NODE, FOUND, False),
    ("without_symbol", STOPS, NO_SYMBOL, NO_SYMBOL, FOUND, False),
)
IMPORTS = "import ctypes, sys\nctypes.CDLL(sys.argv[1])\nprint('started')\n"
WARNING = "no version information available"


def outcome(result):
    text = result.stderr + result.stdout
    if result.status == 0:
        return RUNS
    if "Assertion" in text:
        return ASSERTION
    if "version `libcudart.so.12' not found" in text:
        return NO_NODE
    if "undefined symbol: cuda" in text or "symbol lookup error" in text:
        return STOPS if "started" in result.stdout else NO_SYMBOL
    return "something else"


class AlmostRight(support.LoaderTest):

    def test_rows(self):
        for folder, lazy, now, imported, by_name, warns in ROWS:
            path = fixture(os.path.join("almost", folder))
            for client, expected, command in (
                    ("lazy program", lazy, [fixture("loader_lazy")]),
                    ("program bound at start", now, [fixture("loader_now")]),
                    ("import", imported,
                     [sys.executable, "-c", IMPORTS, fixture("loader_module.so")])):
                with self.subTest(folder + ": " + client):
                    result = start(*command, LD_LIBRARY_PATH=path)
                    self.check(expected, outcome(result), result)
                    self.check(warns and client != "import", WARNING in result.stderr, result)
            with self.subTest(folder + ": dlsym"):
                result = start(fixture("loader_opener"), "libcudart.so.12", LD_LIBRARY_PATH=path)
                found = result.all("bound")
                self.check(by_name, FOUND if found else NOT_FOUND, result)

    def test_preloaded_with_another_node(self):
        """Nothing tells the user that the preloaded library stays unused; ours has the right
        node."""
        wrong = fixture("almost/other_node/libcudart.so.12")
        folder = fixture("almost/equal")
        result = start(fixture("loader_needed"), LD_LIBRARY_PATH=folder,
                       LD_PRELOAD=fixture("almost/other_soname/libcudart.so.12"))
        self.check(os.path.join(folder, "libcudart.so.12"), result.first("bound"), result)
        self.check("", result.stderr, result)
        # With the SONAME that the client wants, it is not skipped: the loader looks for no other.
        self.check(NO_SYMBOL, outcome(start(fixture("loader_now"), LD_LIBRARY_PATH=folder,
                                            LD_PRELOAD=wrong)), result)
        self.bound_to(ours("libcudart.so.12"),
                      start(fixture("loader_needed"), LD_LIBRARY_PATH=folder,
                            LD_PRELOAD=ours("libcudart.so.12")))

    def test_ours(self):
        for command in ([fixture("loader_lazy")], [fixture("loader_now")],
                        [sys.executable, "-c", IMPORTS, fixture("loader_module.so")]):
            result = start(*command, LD_LIBRARY_PATH=support.LIB, LD_BIND_NOW="1")
            self.check((0, ""), (result.status, result.stderr), result)


if __name__ == "__main__":
    support.main()
