"""TORCHADA_LOG_FILE: where lines go, and what they contain."""
import os
import re
import shutil
import signal
import socket
import subprocess

from support import CALLS, COMPANION, LIB, SONAMES, CallsTest, main, read

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d \[(?P<pid>\d+):(?P<tid>\d+)\] "
                  r"\[(?P<level>debug|info|warning)\] (?P<library>\S+): (?P<text>.*)")


class LogFile(CallsTest):

    def lines(self, path):
        out = [LINE.fullmatch(line) for line in read(path).splitlines()]
        self.assertTrue(out and all(out), read(path)[:4000])
        return out

    def test_levels(self):
        """The file gets all lines up to its level; stderr gets warnings, as without a file."""
        for level, levels in (("debug", {"debug", "info", "warning"}), ("info", {"info", "warning"}),
                              ("warn", {"warning"}), (None, {"warning"})):
            path = os.path.join(self.folder(), "log")
            ended = self.start("count", "1", "1", TORCHADA_LOG=level, TORCHADA_LOG_FILE=path)
            lines = self.lines(path)
            self.assertEqual(levels, {line["level"] for line in lines})
            self.assertEqual(set(SONAMES.values()), {line["library"] for line in lines})
            self.assertEqual(["torchada: %s: %s" % (line["library"], line["text"]) for line in lines
                              if line["level"] == "warning"], ended.stderr.splitlines())

    def test_off(self):
        path = os.path.join(self.folder(), "log")
        self.assertEqual("", self.start("once", "cublas", TORCHADA_LOG="off",
                                        TORCHADA_LOG_FILE=path).stderr)
        self.assertFalse(os.path.exists(path))

    def test_pattern(self):
        folder = self.folder()
        self.start("once", "nccl", cwd=folder, TORCHADA_LOG_FILE="x%%.%h.%p.%q.log")
        name, = os.listdir(folder)
        pid = self.lines(os.path.join(folder, name))[0]["pid"]
        self.assertEqual("x%%.%s.%s.%%q.log" % (socket.gethostname(), pid), name)

    def test_appends(self):
        path = os.path.join(self.folder(), "log")
        for _ in range(3):
            self.start("once", "nccl", TORCHADA_LOG_FILE=path)
        self.assertEqual(3, len(self.lines(path)))

    def test_rotated(self):
        """As logrotate does it while programs write, by another name and by a copy: nothing is lost or torn, and no
        hole of zeros is left. Nobody sends a signal: the file is opened for each line."""
        for kind in ("create", "copytruncate"):
            folder = self.folder()
            path = os.path.join(folder, "log")
            with subprocess.Popen([CALLS, "write", COMPANION, "4", "5000"],
                                  env={**os.environ, "TORCHADA_LOG_FILE": path}) as writer:
                for number in range(3):
                    size = 0
                    while writer.poll() is None and size < 20000:
                        size = os.path.getsize(path) if os.path.exists(path) else 0
                    self.assertIsNone(writer.poll(), "the program ended before the file was rotated")
                    old = path + ".%d" % number
                    if kind == "create":
                        os.rename(path, old)
                    else:
                        # What is written in between is lost in any program, so it does not happen here.
                        writer.send_signal(signal.SIGSTOP)
                        os.waitid(os.P_PID, writer.pid, os.WSTOPPED)
                        shutil.copy(path, old)
                        os.truncate(path, 0)
                        writer.send_signal(signal.SIGCONT)
                self.assertEqual(0, writer.wait(60))
            self.assertEqual(4, len(os.listdir(folder)))
            self.assertEqual(4 * 5000, sum(len(self.lines(os.path.join(folder, name))) for name in os.listdir(folder)))

    def test_forked_child(self):
        """It has its own file, whose lines show its own process and thread."""
        folder = self.folder()
        child = self.start("fork", "1", TORCHADA_STRICT=None, TORCHADA_SUMMARY="1",
                           TORCHADA_LOG_FILE=os.path.join(folder, "%p")).stdout.strip()
        self.assertEqual(2, len(os.listdir(folder)))
        for line in self.lines(os.path.join(folder, child)):
            self.assertEqual((child, child), (line["pid"], line["tid"]))

    def test_lines_of_threads_and_processes(self):
        """No line is lost or mixed with another."""
        path = os.path.join(self.folder(), "log")
        environment = {**os.environ, "TORCHADA_LOG_FILE": path}
        writers = [subprocess.Popen([CALLS, "write", COMPANION, "8", "250"], env=environment)
                   for _ in range(2)]
        self.assertEqual([0, 0], [writer.wait(60) for writer in writers])
        counts = {}
        for line in self.lines(path):
            number, filling = re.fullmatch(r"thread (\d) (x*)", line["text"]).groups()
            self.assertEqual(100 * int(number), len(filling))
            who = line["pid"], line["tid"], number
            counts[who] = counts.get(who, 0) + 1
        self.assertEqual([250] * 16, list(counts.values()))

    def test_unwritable(self):
        """One line says so, and the rest goes to stderr."""
        for path in (os.path.join(self.folder(), "missing", "log"), "/dev/full", self.folder()):
            stderr = self.start("once", "cudart", TORCHADA_LOG="debug", TORCHADA_LOG_FILE=path).stderr
            self.assertEqual(1, stderr.count("TORCHADA_LOG_FILE: cannot write %s: " % path), stderr)
            self.assertIn("is not supported", stderr)
            self.assertIn("libcudart.so.12: using ", stderr)

    def test_pipe_without_reader(self):
        path = os.path.join(self.folder(), "pipe")
        os.mkfifo(path)
        self.assertIn("TORCHADA_LOG_FILE: cannot write", self.start("once", "cudart", TORCHADA_LOG_FILE=path).stderr)

    def test_wherever_the_library_is_found(self):
        """Also in the folder of a CUDA major, and through a link."""
        links = self.folder()
        for soname in [*SONAMES.values(), "libcublasLt.so.12"]:
            os.symlink(os.path.join(LIB, soname), os.path.join(links, soname))
        for lib in (os.path.join(LIB, "cu12"), links, os.path.relpath(LIB)):
            path = os.path.join(self.folder(), "log")
            self.start("once", "nccl", LD_LIBRARY_PATH=lib, TORCHADA_LOG_FILE=path)
            self.assertEqual(1, len(self.lines(path)))

    def test_without_companion(self):
        path = os.path.join(self.folder(), "log")
        stderr = self.start("once", "cudart", TORCHADA_LOG="info", TORCHADA_LOG_FILE=path,
                            LD_LIBRARY_PATH=self.lib_without_companion()).stderr
        self.assertEqual(1, stderr.count("libexec/torchada_companion.so not found"), stderr)
        self.assertIn("using ", stderr)
        self.assertFalse(os.path.exists(path))

    def test_damaged_companion(self):
        lib = self.lib_without_companion()
        os.mkdir(os.path.join(lib, "..", "libexec"))
        with open(os.path.join(lib, "..", "libexec", "torchada_companion.so"), "wb") as file:
            file.write(b"\x7fELF nothing more")
        stderr = self.start("once", "cudart", TORCHADA_LOG_FILE="/tmp/never", LD_LIBRARY_PATH=lib).stderr
        self.assertIn("torchada_companion.so: file too short", stderr)

    def test_backtrace(self):
        path = os.path.join(self.folder(), "log")
        stderr = self.start("once", "cudart", status=-signal.SIGABRT, TORCHADA_STRICT="1",
                            TORCHADA_LOG_FILE=path).stderr
        text = [line["text"] for line in self.lines(path)]
        self.assertEqual(len(stderr.splitlines()), len(text))
        self.assertIn("Engine::step<long>", text[2])


if __name__ == "__main__":
    main()
