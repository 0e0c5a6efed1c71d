#!/usr/bin/env python3
"""What services.md says is so: services_test.py KIND PAGE STAGE   KIND: Unit, Rotation, SideBySide or Gdb"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

PAGE, STAGE = Path(sys.argv[2]).read_text(encoding="utf-8"), Path(sys.argv[3]).resolve()
PYTHON = "/usr/bin/python3"
LOADS = "import ctypes; print(open('/proc/self/maps').read() if ctypes.CDLL('libcudart.so.12') else '')"


class Test(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="torchada-services-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def need(self, tool):
        if not shutil.which(tool):
            self.skipTest(f"{tool} is not installed: NOT TESTED here")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def output(self, *words, **variables):
        ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=800, check=False,
                               stdin=subprocess.DEVNULL, env={**os.environ, **variables})
        self.assertEqual(0, ended.returncode, ended.stdout + ended.stderr)
        return ended.stdout + ended.stderr


class Unit(Test):

    def verified(self, unit):
        """What systemd-analyze complains about. The user and the program are those of this machine."""
        unit = unit.replace("/opt/torchada/bin/torchada", str(STAGE / "bin/torchada"))
        unit = unit.replace("User=my_service", "User=daemon")
        return self.output("systemd-analyze", "verify", "--man=no", self.write("my_service.service", unit))

    def test_unit(self):
        self.need("systemd-analyze")
        unit, = re.findall(r"```ini\n(.*?)```", PAGE, re.DOTALL)
        self.assertEqual("", self.verified(unit))
        self.assertIn("Unknown key", self.verified(unit.replace("LogsDirectory=", "LogDirectory=")))
        # What the table explains is in the unit.
        table = PAGE.split("| line | why |")[1].split("\n\n")[0]
        for name in re.findall(r"`([^`]+)`", "".join(row.split("|")[1] for row in table.splitlines()[2:])):
            self.assertIn(name, unit)


class Rotation(Test):

    def test_trace(self):
        """Truncated while the program runs, a trace goes on at the beginning of its file."""
        program = self.write("program.py", """
            import ctypes, sys
            count = ctypes.c_int()
            cudart = ctypes.CDLL("libcudart.so.12")
            for _ in sys.stdin:
                cudart.cudaGetDeviceCount(ctypes.byref(count))
                print(flush=True)
            """)
        for form in ("text", "json", "chrome"):
            trace = self.folder / form
            command = [STAGE / "bin/torchada", "trace", "--backend=host", "--format=" + form, f"--output={trace}", "--",
                       PYTHON, "-IS", program]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                  bufsize=1) as running:
                for calls in (3, 2):
                    if calls == 2:
                        self.assertEqual(3, trace.read_text(encoding="utf-8").count("cudaGetDeviceCount"))
                        os.truncate(trace, 0)
                    for _ in range(calls):
                        running.stdin.write("\n")
                        running.stdout.readline()
                running.stdin.close()
                self.assertEqual(0, running.wait(60))
            text = trace.read_text(encoding="utf-8")
            self.assertEqual(2, text.count("cudaGetDeviceCount"), text)
            self.assertNotIn("\0", text)
            for line in text.splitlines() if form == "json" else []:
                json.loads(line)
            if form == "chrome":
                json.loads(text)


class SideBySide(Test):

    def install(self, name):
        """An installation of that name with what the command and libcudart need, and the link led to it."""
        for part in ("bin", "lib", "libexec"):
            shutil.copytree(STAGE / part, self.folder / name / part, symlinks=True,
                            ignore=shutil.ignore_patterns("cu1*", "only", "*.a"))

    def lead(self, name):
        """As the page says."""
        new, link = self.folder / "torchada.new", self.folder / "torchada"
        commands = re.findall(r"^sudo ((?:ln -sfn|mv -T) .*?)(?: +#.*)?$", PAGE, re.MULTILINE)
        self.assertEqual(2, len(commands))
        for command in commands:
            command = command.replace("torchada-0.3.0", name).replace("/opt/torchada.new", str(new))
            self.output("sh", "-c", command.replace("/opt/torchada", str(link)))
        self.assertEqual(name, os.readlink(link))

    def used(self, maps):
        return set(re.findall(re.escape(str(self.folder)) + r"/([^/]+)/lib/lib", maps))

    def test_versions(self):
        program = self.write("program.py", """
            import ctypes, subprocess, sys
            ctypes.CDLL("libcudart.so.12")
            print(flush=True)
            sys.stdin.readline()  # Meanwhile the link is led to another version.
            ctypes.CDLL("libcublas.so.12")
            print(open("/proc/self/maps").read())
            print(subprocess.run([sys.executable, "-ISc", sys.argv[1]], capture_output=True, text=True).stdout)
            """)
        for name in ("old", "new"):
            self.install(name)
        start = [self.folder / "torchada/bin/torchada", "run", "--"]
        self.lead("old")
        with subprocess.Popen([*start, PYTHON, "-IS", program, LOADS], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as running:
            self.assertEqual("\n", running.stdout.readline())
            self.lead("new")
            said, _ = running.communicate("\n")
        self.assertIn("libcublas.so.12", said)
        own_and_childs = re.findall(r"r-xp .*/libcudart\.so\.12$", said, re.MULTILINE)
        self.assertEqual(2, len(own_and_childs), said)
        self.assertEqual({"old"}, self.used(said))
        self.assertEqual({"new"}, self.used(self.output(*start, PYTHON, "-ISc", LOADS)))
        self.lead("old")
        self.assertEqual({"old"}, self.used(self.output(*start, PYTHON, "-ISc", LOADS)))


class Gdb(Test):

    def test_backtraces(self):
        self.need("gdb")
        program = self.write("program.py", """
            import ctypes
            cudart, number = ctypes.CDLL("libcudart.so.12"), ctypes.c_int()
            cudart.cudaSetDevice(0)
            cudart.cudaDeviceGetAttribute(ctypes.byref(number), 75, 0)
            """)
        words = ["gdb", "-q", "-nx", "-batch"]
        for command in ("set debuginfod enabled off", "set breakpoint pending on", "break musaSetDevice",
                        "break musaDeviceGetAttribute", "run", "bt 3", "continue", "bt 3"):
            words += ["-ex", command]
        words += ["--args", STAGE / "bin/torchada", "run", "--backend=host", "--", PYTHON, "-IS", program]
        said = self.output(*words)
        frames = [re.sub(r"0x[0-9a-f]+ in ", "", frame) for frame in re.findall(r"(?m)^#[012] .*", said)]
        self.assertEqual(6, len(frames), said)
        self.assertRegex(frames[0], "^#0 +musaSetDevice ")
        self.assertIn("libffi", frames[1])  # ctypes, so the program: torchada is no frame.
        self.assertRegex(frames[3], "^#0 +musaDeviceGetAttribute ")
        self.assertRegex(frames[4], r"torchada_adapter_cudaDeviceGetAttribute|from .*/libcudart\.so\.12")
        self.assertIn("libffi", frames[5])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", sys.argv[1]])
