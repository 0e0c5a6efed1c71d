"""bin/torchada, the static launcher: nothing that the loader is told to preload can stop it, and
the program gets all of it."""
import os
import shutil
import subprocess
import sys

import support
from support import AUDIT, LIB, OF_RUN, STAGE, TORCHADA, fixture, start, torchada_run

COMMAND = os.path.join(STAGE, "libexec", "torchada")
NEEDING = fixture("loader_linked_interposer.so")  # Needs libcudart.so.12.
SHOWS = ("import os\n"
         "for name, value in sorted(os.environ.items()):\n"
         "    if name.startswith(('LD_', 'TORCHADA_SET')): print(name + '=' + value)\n")


class Preloads(support.LoaderTest):

    def test_library_that_needs_the_runtime(self):
        """torch_memory_saver's is one. The command itself does not find libcudart."""
        self.check(127, start("/bin/true", LD_PRELOAD=NEEDING).status, "/bin/true")
        for words in (["--version"], ["--help"], ["info", "--platform"], ["explain", "cudaMalloc"],
                      ["check", NEEDING]):
            plain, preloaded = start(TORCHADA, *words), start(TORCHADA, *words, LD_PRELOAD=NEEDING)
            self.check((plain.status, plain.stdout, plain.stderr),
                       (preloaded.status, preloaded.stdout, preloaded.stderr), preloaded)

    def test_the_program_gets_it(self):
        script = ("import ctypes\np = ctypes.c_void_p()\n"
                  "print('status', ctypes.CDLL(None).cudaMalloc(ctypes.byref(p), 64))\n")
        for words in ([], ["--via=path"], ["--via=preload"]):
            result = torchada_run(*words, "--", sys.executable, "-c", script, LD_PRELOAD=NEEDING)
            self.check((0, "with a next one", "0", ""),
                       (result.status, result.first("interposed"), result.first("status"),
                        result.stderr), result)

    def test_variables(self):
        """The program sees the loader's variables as `run` without a launcher would set them."""
        result = torchada_run("--via=path", "--", sys.executable, "-c", SHOWS, LD_PRELOAD=NEEDING,
                              LD_BIND_NOW="1", TORCHADA_SET_ASIDE_LD_AUDIT="/nonexistent",
                              TORCHADA_SET_ASIDE_LD_PRELOAD="/nonexistent")
        self.check(["LD_BIND_NOW=1", "LD_LIBRARY_PATH=%s:%s" % (LIB, OF_RUN), "LD_PRELOAD=" + NEEDING],
                   result.stdout.splitlines(), result)

    def test_auditor_of_the_user(self):
        """It comes after ours, and does not audit the command."""
        result = torchada_run("--via=audit", "--", sys.executable, "-c", SHOWS,
                              LD_AUDIT="/nonexistent/other.so")
        self.assertIn("LD_AUDIT=%s:/nonexistent/other.so\n" % AUDIT, result.stdout, str(result))
        result = start(TORCHADA, "--version", LD_AUDIT="/nonexistent/other.so")
        self.check((0, ""), (result.status, result.stderr), result)
        result = start(TORCHADA, "doctor", LD_PRELOAD="/nonexistent/x.so")
        self.assertIn("LD_PRELOAD names a file that does not exist", result.stdout, str(result))


class Start(support.LoaderTest):

    def test_links_and_paths(self):
        folder = self.make_folder()
        direct = os.path.join(folder, "direct")
        os.symlink(TORCHADA, direct)
        os.symlink("direct", os.path.join(folder, "second"))
        os.symlink(os.path.join(STAGE, "bin"), os.path.join(folder, "bin"))
        for words, place in (([direct], None), ([os.path.join(folder, "second")], None),
                             (["./second"], folder), (["bin/torchada"], folder),
                             (["./torchada"], os.path.join(STAGE, "bin"))):
            ended = subprocess.run(words + ["explain", "cudaMalloc"], cwd=place, check=True,
                                   stdout=subprocess.PIPE, universal_newlines=True)
            self.assertIn("cudaMalloc", ended.stdout)
        result = start("torchada", "--version", PATH=os.path.join(STAGE, "bin"))
        self.check(0, result.status, result)

    def test_without_the_command(self):
        root = self.make_folder()
        os.mkdir(os.path.join(root, "bin"))
        launcher = shutil.copy(TORCHADA, os.path.join(root, "bin"))
        result = start(launcher, "--version")
        self.check((3, "", "torchada: %s/libexec/torchada: No such file or directory; "
                    "reinstall torchada\n" % os.path.realpath(root)),
                   (result.status, result.stdout, result.stderr), result)

    def test_command_alone(self):
        result = start(COMMAND, "explain", "cudaMalloc")
        self.check((0, ""), (result.status, result.stderr), result)

    def test_status_and_words(self):
        result = torchada_run("--", "/bin/sh", "-c", "printf '<%s>' \"$@\"; exit 7", "sh", "a b",
                              "", "*")
        self.check((7, "<a b><><*>"), (result.status, result.stdout), result)


class File(support.LoaderTest):

    def read(self, *words):
        return subprocess.run(["readelf", "-W", *words, TORCHADA], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True).stdout

    def test_static(self):
        self.assertNotIn("INTERP", self.read("-l"))
        self.assertNotIn("NEEDED", self.read("-d"))

    def test_small(self):
        """No libstdc++, which alone would be larger than this."""
        loaded = [line.split() for line in self.read("-l").splitlines() if " LOAD " in line]
        self.assertLess(sum(int(fields[4], 16) for fields in loaded), 1 << 20)
        self.assertNotIn("__cxa_throw", self.read("-s"))


if __name__ == "__main__":
    support.main()
