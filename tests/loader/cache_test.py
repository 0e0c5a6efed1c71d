"""Our folder in the loader's cache (ldconfig): it comes last. The test replaces the cache in its
own mount namespace; without the permission to create one, it tests nothing."""
import os
import subprocess
import sys

import support
from support import BUNDLED, DECOY, LIB, fixture, ours, start

REPLACEMENT = ours("libcudart.so.12")
CACHE = "/etc/ld.so.cache"
PLUGIN = "through=" + fixture("loader_plugin.so")
OPENER = fixture("loader_opener")

# Client, command, and the file that it gets.
FORMS = (
    ("needed, no path", [fixture("loader_needed")], REPLACEMENT),
    ("needed, DT_RUNPATH", [fixture("loader_runpath")], DECOY),
    ("needed, DT_RPATH", [fixture("loader_rpath")], DECOY),
    ("needed under a hashed name", [fixture("loader_renamed")], BUNDLED),
    ("dlopen by name from a library with DT_RPATH", [OPENER, PLUGIN, "libcudart.so.12"], DECOY),
    ("dlopen by name", [OPENER, "libcudart.so.12"], REPLACEMENT),
    ("dlopen by path", [OPENER, DECOY], DECOY),
)


def may_mount():
    command = ["unshare", "-m", "mount", "--bind", "/dev/null", CACHE]
    try:
        return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


class Cache(support.LoaderTest):

    def test_forms(self):
        folder = self.make_folder()
        configuration = os.path.join(folder, "configuration")
        cache = os.path.join(folder, "cache")
        with open(configuration, "w", encoding="utf-8") as out:
            out.write(LIB + "\n")
        subprocess.run(["ldconfig", "-X", "-C", cache, "-f", configuration], check=True,
                       stderr=subprocess.DEVNULL)
        for name, command, expected in FORMS:
            with self.subTest(name):
                result = start("unshare", "-m", "/bin/sh", "-c",
                               'mount --bind "$0" ' + CACHE + ' && exec "$@"', cache, *command)
                self.check((0, expected),
                           (result.status, os.path.realpath(result.first("bound"))), result)


if __name__ == "__main__":
    if not may_mount():
        print("SKIPPED: no right to mount, so the loader's cache was not tested")
        sys.exit(77)
    support.main()
