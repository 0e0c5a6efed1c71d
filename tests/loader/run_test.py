"""torchada run: which way it chooses for which program, and everything that it sets."""
import os
import re
import shutil
import signal
import stat
import sys

import support
from support import (AUDIT, CUDART, DECOY, DRIVER, HOST, LIB, OF_RUN, STAGE, TORCHADA, fixture, ours, start,
                     torchada_run)

REPLACEMENT = ours("libcudart.so.12")
NCCL = ours("libnccl.so.2")
OPENER = fixture("loader_opener")
VIAS = ("path", "preload", "audit")
OFFERED = LIB + ":" + OF_RUN
DRIVER_VARIABLES = {"TRITON_LIBCUDA_PATH": DRIVER,
                    "NUMBA_CUDA_DRIVER": os.path.join(DRIVER, "libcuda.so.1")}
PROGRAM_VARIABLES = {"VLLM_CUDART_SO_PATH": REPLACEMENT, "VLLM_NCCL_SO_PATH": NCCL,
                     "SGLANG_NCCL_SO_PATH": NCCL, **DRIVER_VARIABLES}
WATCHED = ["LD_LIBRARY_PATH", "LD_AUDIT", "LD_PRELOAD", "TORCHADA_AUDIT_LIB", "TORCHADA_AUDIT_ABI",
           "TORCHADA_MUSA_PATH"] + sorted(PROGRAM_VARIABLES)
SHOWS = ("import os, sys\n"
         "for name in sys.argv[1:]:\n"
         "    if name in os.environ: print(name + '=' + os.environ[name])\n")


def variables(result):
    return dict(line.split("=", 1) for line in result.stdout.splitlines())


def shown(*words, **environment):
    """The variables that a Python script sees."""
    result = torchada_run(*words, "--", sys.executable, "-c", SHOWS, *WATCHED, **environment)
    return result, variables(result)


class Choice(support.LoaderTest):

    def script(self, name, text):
        path = os.path.join(self.make_folder(), name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def chosen(self, *command):
        result = torchada_run("-v", "--", *command)
        via = re.search(r"^torchada: via (\w+): \S", result.stderr, re.MULTILINE)
        self.assertTrue(via, str(result))
        return via.group(1)

    def test_programs(self):
        script = self.script("script", "#!%s -u\nprint(1)\n" % sys.executable)
        for expected, command in (
                ("path", [fixture("loader_needed")]),
                ("path", [fixture("loader_runpath")]),
                ("path", [fixture("loader_linked_13")]),
                ("audit", [fixture("loader_rpath")]),
                ("audit", [fixture("loader_renamed")]),
                ("audit", [fixture("loader_static")]),
                ("audit", [OPENER]),
                ("audit", [sys.executable, "-c", ""]),
                ("audit", ["python3", "-c", ""]),
                ("audit", ["/bin/sh", "-c", ":"]),
                ("audit", ["env", "true"]),
                ("audit", [script]),
                ("audit", [self.script("a.py", "#!/usr/bin/env python3\n")]),
                ("audit", [self.script("a.py", "#!/usr/bin/env -S A=1 python3 -u\n")]),
                ("audit", [self.script("indirect", "#!%s\n" % script)]),
                ("audit", [self.script("bare", "exit 0\n")])):
            with self.subTest(" ".join(command)):
                self.assertEqual(expected, self.chosen(*command))

    def test_what_only_the_audit_module_can_do(self):
        """It knows which libraries were not found, and keeps other majors out."""
        client = fixture("loader_needed")
        for words, environment in ((["--summary"], {}), ([], {"TORCHADA_SUMMARY": "1"}),
                                   (["--abi=12"], {})):
            for via, more in (("audit", []), ("path", ["--via=path"])):
                result = torchada_run("-v", *words, *more, "--", client, **environment)
                self.assertIn("torchada: via %s: " % via, result.stderr, str(result))
        result = torchada_run("-v", "--", client, TORCHADA_SUMMARY="0")
        self.assertIn("torchada: via path: ", result.stderr, str(result))

    def test_program_in_path(self):
        folder = self.make_folder()
        os.symlink(fixture("loader_rpath"), os.path.join(folder, "client"))
        result = torchada_run("--", "client", PATH="/nonexistent::" + folder)
        self.bound_to(REPLACEMENT, result)

    def test_default_works(self):
        for client, abi in (("needed", 12), ("runpath", 12), ("rpath", 12), ("renamed", 12),
                            ("linked_11", 11), ("linked_13", 13)):
            result = torchada_run("--", fixture("loader_" + client))
            self.check((0, "yes %d" % abi, ""),
                       (result.status, result.first("works"), result.stderr), result)
            self.check(ours(CUDART[abi]), os.path.join(LIB, os.path.basename(
                result.first("bound"))), result)


class Environment(support.LoaderTest):

    def test_script(self):
        result, got = shown()
        wanted = dict(PROGRAM_VARIABLES, LD_LIBRARY_PATH=OFFERED, LD_AUDIT=AUDIT,
                      TORCHADA_AUDIT_LIB=OFFERED, TORCHADA_MUSA_PATH=HOST)
        self.check(wanted, got, result)
        self.check("", result.stderr, result)

    def test_each_way(self):
        common = {"LD_LIBRARY_PATH": OFFERED, "TORCHADA_MUSA_PATH": HOST}
        result, got = shown("--via=path")
        self.check(common, got, result)
        result, got = shown("--via=preload")
        self.check(dict(common, LD_PRELOAD=REPLACEMENT, **PROGRAM_VARIABLES), got, result)

    def test_one_major(self):
        folder = os.path.join(LIB, "cu13")
        runtime, nccl = os.path.join(folder, CUDART[13]), os.path.join(folder, "libnccl.so.2")
        result, got = shown("--abi=13")
        offered = folder + ":" + OF_RUN
        self.check({"LD_LIBRARY_PATH": offered, "LD_AUDIT": AUDIT, "TORCHADA_AUDIT_LIB": offered,
                    "VLLM_CUDART_SO_PATH": runtime,
                    "VLLM_NCCL_SO_PATH": nccl, "SGLANG_NCCL_SO_PATH": nccl,
                    "TORCHADA_MUSA_PATH": HOST, **DRIVER_VARIABLES}, got, result)

    def test_major_of_the_program(self):
        """For a program linked with CUDA 13, unversioned names also mean CUDA 13."""
        for via, more in (("path", {}), ("audit", {"TORCHADA_AUDIT_ABI": "13"})):
            result = torchada_run("-v", "--via=" + via, "--", fixture("loader_linked_13"))
            lines = [line[len("torchada: "):] for line in result.stderr.splitlines()]
            self.assertIn("LD_LIBRARY_PATH=%s/cu13:%s" % (LIB, OFFERED), lines, str(result))
            for name, value in more.items():
                self.assertIn(name + "=" + value, lines, str(result))

    def test_own_values_are_kept(self):
        mine = {name: "/mine/" + name for name in PROGRAM_VARIABLES}
        result, got = shown(**mine)
        self.check(mine, {name: got[name] for name in mine}, result)
        interposer = fixture("loader_interposer.so")
        result, got = shown(LD_PRELOAD=interposer, LD_LIBRARY_PATH="/a::/b")
        self.check((interposer, OFFERED + ":/a::/b"),
                   (got["LD_PRELOAD"], got["LD_LIBRARY_PATH"]), result)
        result, got = shown("--via=preload", LD_PRELOAD=interposer)
        self.check(interposer + ":" + REPLACEMENT, got["LD_PRELOAD"], result)

    def test_devices_of_a_container(self):
        """NVIDIA_VISIBLE_DEVICES becomes CUDA's variable, unless devices are chosen otherwise."""
        name = "GPU-12345678-1234-1234-1234-123456789abc"
        for value, expected in (("all", None), ("void", None), ("", None), ("none", ""),
                                ("1", "1"), ("3,1", "3,1"), (name, name)):
            result = torchada_run("--", sys.executable, "-c", SHOWS, "CUDA_VISIBLE_DEVICES",
                                  NVIDIA_VISIBLE_DEVICES=value)
            self.check(expected, variables(result).get("CUDA_VISIBLE_DEVICES"), result)
        for chosen in ("CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES", "MTHREADS_VISIBLE_DEVICES"):
            result = torchada_run("--", sys.executable, "-c", SHOWS, "CUDA_VISIBLE_DEVICES",
                                  NVIDIA_VISIBLE_DEVICES="1", **{chosen: "0"})
            expected = "0" if chosen == "CUDA_VISIBLE_DEVICES" else None
            self.check(expected, variables(result).get("CUDA_VISIBLE_DEVICES"), result)

    def test_run_within_run(self):
        """The inner run decides."""
        inner = [TORCHADA, "run", "--backend=host"]
        result = torchada_run("--abi=12", "--", *inner, "--abi=13", "--", sys.executable, "-c",
                              SHOWS, *WATCHED)
        got = variables(result)
        folder = os.path.join(LIB, "cu13")
        self.check((AUDIT, folder + ":" + OF_RUN, None, os.path.join(folder, CUDART[13])),
                   tuple(got.get(name) for name in ("LD_AUDIT", "TORCHADA_AUDIT_LIB", "LD_PRELOAD",
                                                    "VLLM_CUDART_SO_PATH")), result)
        result = torchada_run("--", *inner, "--via=path", "--", sys.executable, "-c", SHOWS,
                              *WATCHED)
        self.check({"LD_LIBRARY_PATH", "TORCHADA_MUSA_PATH"}, set(variables(result)), result)

    def test_all_is_said(self):
        for words in ([], ["--abi=11"], ["--via=preload"], ["--via=path"]):
            result, got = shown("-v", *words)
            lines = [line[len("torchada: "):] for line in result.stderr.splitlines()]
            for name, value in got.items():
                self.assertIn(name + "=" + value, lines, str(result))
            self.assertIn("program: " + sys.executable, lines, str(result))

    def test_children(self):
        """Works through a shell that clears the path, into a program with DT_RPATH."""
        for text in ("unset LD_LIBRARY_PATH; \"$0\"",
                     "env -u LD_LIBRARY_PATH -u LD_PRELOAD \"$0\""):
            result = torchada_run("--", "/bin/sh", "-c", text, fixture("loader_rpath"))
            self.bound_to(REPLACEMENT, result)


class Installation(support.LoaderTest):

    def test_musa_root(self):
        for path in (HOST, os.path.relpath(HOST)):
            for words in (["--musa-root=" + path], ["--musa-root", path],
                          ["--backend=musa", "--musa-root=" + path]):
                result = start(TORCHADA, "run", *words, "--", sys.executable, "-c", SHOWS, *WATCHED,
                               TORCHADA_MUSA_PATH="/nonexistent")
                self.check((0, ""), (result.status, result.stderr), result)
                used = variables(result)["TORCHADA_MUSA_PATH"]
                self.check((True, os.path.realpath(HOST)),
                           (os.path.isabs(used), os.path.realpath(used)), result)

    def test_bad_musa_root(self):
        for words in (["--musa-root=/nonexistent"], ["--musa-root="], ["--musa-root=" + LIB],
                      ["--backend=host", "--musa-root=" + HOST]):
            result = start(TORCHADA, "run", *words, "--", "/bin/echo", "started")
            self.check((2, ""), (result.status, result.stdout), result)
            self.assertRegex(result.stderr, r"\Atorchada: --musa-root[^\n]+\n\Z", str(result))

    def moved(self, name):
        """Puts the installation under another path."""
        root = os.path.join(self.make_folder(), name)
        for folder in ("bin", "libexec"):
            os.makedirs(os.path.join(root, folder))
            for file in os.listdir(os.path.join(STAGE, folder)):
                shutil.copy(os.path.join(STAGE, folder, file), os.path.join(root, folder, file))
        for folder in ("lib", "host"):
            os.symlink(os.path.join(STAGE, folder), os.path.join(root, folder))
        return os.path.join(root, "bin", "torchada")

    def test_anywhere(self):
        for name, via, status in (("plain", "preload", 0), ("with:colon", "audit", 2),
                                  ("with space", "audit", 0), ("with space", "preload", 2)):
            command = self.moved(name)
            result = start(command, "run", "--backend=host", "--via=" + via, "--", sys.executable,
                           "-c", "import ctypes; ctypes.CDLL('libcudart.so.12')")
            self.check(status, result.status, result)
            self.assertEqual("", result.stderr if status == 0 else
                             re.sub(r"\Atorchada: [^\n]+ cannot be put into \w+: [^\n]+\n\Z",
                                    "", result.stderr), str(result))

    def test_bad_way(self):
        for word in ("nothing", "", "PATH"):
            result = torchada_run("--via=" + word, "--", "/bin/echo", "started")
            self.check((2, ""), (result.status, result.stdout), result)
            self.assertRegex(result.stderr, r"\Atorchada: --via=%s: expected [^\n]+\n\Z" % word, str(result))


class Ending(support.LoaderTest):

    def test_status_and_signal(self):
        for via in VIAS:
            for status in (0, 1, 77, 255):
                result = torchada_run("--via=" + via, "--", "/bin/sh", "-c", "exit %d" % status)
                self.check((status, ""), (result.status, result.stderr), result)
            for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV):
                result = torchada_run("--via=" + via, "--", "/bin/sh", "-c",
                                      "ulimit -c 0; kill -%d $$" % number)
                self.check(-number, result.status, result)

    def test_not_found(self):
        for via in VIAS:
            result = torchada_run("--via=" + via, "--", "torchada-loader-no-such-program")
            self.check((127, 1), (result.status, len(result.stderr.splitlines())), result)
            result = torchada_run("--via=" + via, "--", DECOY + "/x")
            self.assertIn(result.status, (126, 127), str(result))


if __name__ == "__main__":
    support.main()
