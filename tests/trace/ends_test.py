"""Processes that end and outputs that fail: the trace has the calls, and the program goes on."""
import fcntl
import os
import signal
import subprocess
import sys
import time
import unittest

import support
from support import CLIENT


class Processes(support.TraceTest):

    def numbers(self, records):
        out = {}
        for call in self.calls(records, "cudaGetErrorString"):
            out.setdefault(call["process"], []).append(self.number_of(call))
        return sorted(out.values(), key=str)

    def test_fork(self):
        for when, parent in (("before", [2]), ("after", [1, 2])):
            with self.subTest(when):
                self.setUp()
                records = self.records("fork", when, "exit")
                self.assertEqual(sorted([[77], parent], key=str), self.numbers(records))
                processes = [each for each in records if each["event"] == "process"]
                self.assertEqual(2, len(processes))
                child = [each for each in processes
                         if each["parent"] in {other["process"] for other in processes}]
                self.assertEqual(1, len(child))

    def test_fork_into_one_file(self):
        path = self.path("all.json")
        self.client("json:" + path, "fork", "before", "exit")
        self.assertEqual([[2], [77]], self.numbers(self.read(path)))

    def test_exec(self):
        records = self.records("fork", "before", "exec")
        # The two programs of the child are one process.
        self.assertEqual([[2], [77, 88]], self.numbers(records))
        self.assertEqual(3, sum(each["event"] == "process" for each in records))


class Ends(support.TraceTest):

    def test_every_end(self):
        for how, status, numbers in (("exit", 0, [1, 55, 99]), ("_exit", 0, [1, 55]),
                                     ("abort", -signal.SIGABRT, [1, 55]),
                                     ("kill", -signal.SIGKILL, [1, 55])):
            with self.subTest(how):
                self.setUp()
                calls = self.calls(self.records("end", how, status=status))
                self.assertEqual(numbers, [self.number_of(call) for call in calls])

    def test_summary_comes_after_the_programs_own_handlers(self):
        text = self.client("summary", "end", "exit").stderr
        self.assertRegex(text, r"made 3 calls of 1 functions; 0 returned an error\n")

    def test_begin_shows_the_call_that_never_ended(self):
        path = self.path("t.json")
        self.client("json,begin:" + path, "stuck", status=-signal.SIGKILL)
        last = {each["function"] for each in self.read(path) if each["event"] == "begin"}
        ended = {each["function"] for each in self.calls(self.read(path))}
        self.assertEqual({"cudaStreamSynchronize"}, last - ended)

    def test_chromes_file_is_whole_at_any_time(self):
        for how, status in (("exit", 0), ("abort", -signal.SIGABRT), ("kill", -signal.SIGKILL)):
            path = self.path(how)
            self.client("chrome:" + path, "end", how, status=status)
            events = self.load(path)
            self.assertEqual([55], [self.number_of(each["args"]) for each in events
                                    if each["ph"] == "X"][1:2])


class Outputs(support.TraceTest):

    def test_unwritable(self):
        for place, why in ((self.path("no/t"), "No such file or directory"),
                           (self.folder, "Is a directory"), ("/dev/full", "No space left")):
            for kind in ("text", "json"):
                lines = self.client(kind + ":" + place, "values").stderr.splitlines()
                self.assertEqual(1, len(lines), lines)
                self.assertRegex(lines[0], r"\Atorchada: trace: cannot (open|write) %s: %s; "
                                           r"later calls are not recorded\Z" % (place, why + ".*"))

    def test_chrome_needs_a_file(self):
        self.assertIn("chrome needs a file", self.client("chrome", "values").stderr)
        self.assertIn("needs a regular file", self.client("chrome:/dev/null", "values").stderr)
        other = self.path("other")
        with open(other, "w") as file:
            file.write("something else\n")
        self.assertIn("cannot write", self.client("chrome:" + other, "values").stderr)
        self.assertEqual("something else\n", self.text(other))

    def test_chrome_has_no_beginnings(self):
        path = self.path("t")
        self.assertIn("ignoring 'begin', which Chrome's format cannot record",
                      self.client("chrome,begin:" + path, "calls", "1").stderr)
        self.assertEqual(1, sum(each["ph"] == "X" for each in self.load(path)))

    def test_a_signal_while_another_process_writes(self):
        path = self.path("t")
        script = ("import ctypes, signal; signal.signal(signal.SIGUSR1, lambda *_: None);"
                  "c = ctypes.CDLL('libcudart.so.12'); c.cudaGetErrorString(1); print(flush=True);"
                  "input(); c.cudaGetErrorString(2)")
        process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TORCHADA_TRACE": "chrome:" + path})
        self.addCleanup(process.kill)
        process.stdout.readline()
        with open(path) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            process.stdin.write("\n")
            process.stdin.flush()
            time.sleep(0.3)  # Until it waits for the lock.
            process.send_signal(signal.SIGUSR1)
            time.sleep(0.1)
        self.assertEqual("", process.communicate(timeout=20)[1])
        self.assertEqual([1, 2], [self.number_of(each["args"]) for each in self.load(path)
                                  if each["ph"] == "X"])

    def test_closed_standard_error(self):
        command = "exec %s values 2>&-" % CLIENT
        ended = support.start("/bin/sh", "-c", command, TORCHADA_TRACE="1")
        self.assertEqual(0, ended.status, str(ended))
        self.assertEqual(2, len(ended.stdout.split()))

    def test_nobody_reads(self):
        reading, writing = os.pipe()
        environment = {**os.environ, "TORCHADA_TRACE": "1"}
        process = subprocess.Popen([CLIENT, "threads", "2", "3000"], env=environment,
                                   stderr=writing)
        os.close(writing)
        os.read(reading, 100)
        os.close(reading)
        self.assertEqual(0, process.wait(100))

    def test_a_pipe_whose_reader_goes(self):
        """The output is opened by its name, unlike standard error."""
        for kind in "text", "json":
            process = subprocess.Popen([CLIENT, "threads", "2", "3000"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, "TORCHADA_TRACE": kind + ":/dev/stdout"})
            self.addCleanup(process.kill)
            process.stdout.readline()
            process.stdout.close()
            self.assertIn("cannot write /dev/stdout: Broken pipe", process.communicate(timeout=20)[1])
            self.assertEqual(0, process.returncode)

    def test_a_named_pipe(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        words = [support.TORCHADA, "trace", "--backend=host", "--format=json", "--output=" + pipe,
                 "--", CLIENT, "threads", "1", "3000"]
        ended = support.start(*words)
        self.assertEqual(3, ended.status, str(ended))
        self.assertIn("cannot open %s: No such device or address" % pipe, ended.stderr)
        with open(self.path("read"), "w") as file:
            reader = subprocess.Popen(["cat", pipe], stdout=file)
        self.addCleanup(reader.kill)
        time.sleep(0.3)  # Until it has opened the pipe.
        self.assertEqual("", support.start(*words).stderr)
        self.assertEqual(0, reader.wait(20))
        self.assertEqual(3001, len(self.read(self.path("read"))))

    def test_standard_error_that_does_not_wait(self):
        """A full pipe is not a failure as long as somebody reads it."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        process = subprocess.Popen([CLIENT, "threads", "1", "3000"], stderr=writing,
                                   env={**os.environ, "TORCHADA_TRACE": "json"})
        self.addCleanup(process.kill)
        os.close(writing)
        time.sleep(0.3)
        with open(reading) as file:
            self.assertEqual(3001, len(file.readlines()))
        self.assertEqual(0, process.wait(20))

    def test_a_program_that_closes_everything(self):
        own = self.path("own")
        calls = self.calls(self.records("closes", own))
        self.assertEqual([1, 2], [self.number_of(call) for call in calls])
        self.assertEqual("", self.text(own))


class Companion(support.TraceTest):

    def test_without_it(self):
        """The program runs, and one line says what is missing."""
        stage = self.path("stage")
        os.makedirs(os.path.join(stage, "lib"))
        for name in os.listdir(os.path.join(support.STAGE, "lib")):
            source = os.path.join(support.STAGE, "lib", name)
            if os.path.isfile(source):
                support.shutil.copy(source, os.path.join(stage, "lib", name))
        ended = self.client("1", "values", LD_LIBRARY_PATH=os.path.join(stage, "lib"))
        lines = ended.stderr.splitlines()
        self.assertEqual(1, len(lines), str(ended))
        self.assertIn("the summary, the log file and kernels on demand are not available", lines[0])
        self.assertIn("torchada_companion.so", lines[0])

    def test_not_loaded_unless_asked_for(self):
        for trace, expected in ((None, False), ("summary", True)):
            environment = {"LD_DEBUG": "files"}
            text = self.client(trace, "values", **environment).stderr
            self.assertEqual(expected, "torchada_companion.so" in text)


if __name__ == "__main__":
    unittest.main()
