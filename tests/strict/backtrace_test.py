"""TORCHADA_STRICT: the program stops at the first unsupported call and says where that is."""
import os
import re
import signal
import subprocess
import sys

from support import (
    CALLS, CALLS_WITHOUT_LINES, FUNCTIONS, SONAMES, SOURCE, TORCHADA, CallsTest, main, read)

STOPPED = -signal.SIGABRT
HEADER = "torchada: stopped by TORCHADA_STRICT before the call returns; call stack, innermost first:"

# Runs `how` in the calling thread, while other threads do what `others` says.
SCRIPT = """\
import ctypes, sys, threading
how, others = sys.argv[1:]
library = (ctypes.PyDLL if how == "holding" else ctypes.CDLL)("libcudart.so.12")
begun = threading.Event()
def spin():
    while True: pass
def hold():
    libc = ctypes.PyDLL(None)
    begun.wait()
    while True: libc.usleep(30000000)
def stop_too():
    holding = ctypes.PyDLL("libcudart.so.12").cudaEGLStreamConsumerDisconnect
    begun.wait()
    holding(None)
if others != "none":
    threading.Thread(target=globals()[others], daemon=True).start()
def größer(n):
    function = library.cudaEGLStreamConsumerDisconnect
    begun.set()
    return function(None)  # here
def outer():
    return größer(1)
if how == "thread":
    thread = threading.Thread(target=outer)
    thread.start()
    thread.join()
else:
    outer()
"""


def line_of(text, mark):
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.endswith("// " + mark)
                or line.endswith("# " + mark))


class Native(CallsTest):

    def stop(self, *words, **environment):
        stderr = self.start(*words, status=STOPPED, TORCHADA_STRICT="1", **environment).stderr
        lines = stderr.splitlines()
        self.assertTrue(all(line.startswith("torchada: ") for line in lines), stderr)
        self.assertEqual(HEADER, lines[1], stderr)
        return lines

    def test_names_function_line_and_file(self):
        """The function of a template in an unnamed namespace, for each library."""
        for library, function in FUNCTIONS.items():
            lines = self.stop("once", library)
            self.assertIn("%s: %s is not supported: " % (SONAMES[library], function), lines[0])
            self.assertRegex(lines[2], r"^torchada:   #0 0x[0-9a-f]{16} in int app::\(anonymous namespace\)::"
                             r"Engine::step<long>\(.*\) at \S*tests/strict/calls\.cpp:%d \(%s\+0x[0-9a-f]+\)$"
                             % (line_of(read(SOURCE), library), re.escape(CALLS)))
            main_frame = [line for line in lines if re.search(r" in main at .*calls\.cpp:\d+ ", line)]
            self.assertEqual(1, len(main_frame), lines)
            self.assertNotIn("0xffffffffffffffff", "\n".join(lines))

    def test_without_debugging_information(self):
        line = self.stop(CALLS_WITHOUT_LINES, "once", "cudart")[2]
        self.assertRegex(line, r"in int app::\(anonymous namespace\)::Engine::step<long>\(.*\)\+0x[0-9a-f]+ "
                         r"\(%s\+0x[0-9a-f]+\)$" % re.escape(CALLS_WITHOUT_LINES))

    def test_stripped(self):
        """File and offset, which tools turn into a line if they have the unstripped file."""
        stripped = os.path.join(self.folder(), "stripped")
        subprocess.run(["strip", "-o", stripped, CALLS], check=True)
        line = self.stop(stripped, "once", "cudart")[2]
        found = re.search(r"#0 0x[0-9a-f]{16} \(%s\+(0x[0-9a-f]+)\)$" % re.escape(stripped), line)
        self.assertTrue(found, line)
        place = subprocess.run(["addr2line", "-e", CALLS, found[1]], capture_output=True, text=True,
                               check=True).stdout
        self.assertIn("calls.cpp:%d" % line_of(read(SOURCE), "cudart"), place)

    def test_kernel_without_image(self):
        lines = self.stop("launch", "1")
        self.assertIn("kernel step(float*) has no MUSA image", lines[0])
        self.assertRegex(lines[2], r"in .*launch.* at .*calls\.cpp:\d+ ")

    def test_no_musa(self):
        lines = self.stop("count", "1", "1", TORCHADA_MUSA_PATH="/nonexistent")
        self.assertIn("no MUSA found", lines[0])
        self.assertIn("calls.cpp:", lines[2])

    def test_said_with_the_log_off(self):
        self.assertIn("is not supported", self.stop("once", "nccl", TORCHADA_LOG="off")[0])

    def test_many_threads_stop_once(self):
        for _ in range(5):
            lines = self.stop("count", "8", "1")
            self.assertEqual(1, lines.count(HEADER), lines)

    def test_without_companion(self):
        """Prints what libc knows, after a line that says what is missing."""
        stderr = self.start("once", "cudart", status=STOPPED, TORCHADA_STRICT="1",
                            LD_LIBRARY_PATH=self.lib_without_companion()).stderr
        self.assertIn("libexec/torchada_companion.so not found", stderr)
        self.assertNotIn(HEADER, stderr)
        self.assertIn(CALLS + "(", stderr)

    def test_closed_stderr(self):
        self.start("/bin/sh", "-c", 'exec "$@" 2>&-', "sh", CALLS, "once", "cudart", status=STOPPED,
                   TORCHADA_STRICT="1")

    def test_nothing_is_loaded_unasked(self):
        maps = self.start("maps").stdout
        self.assertIn("libcudart.so.12", maps)
        self.assertNotIn("companion", maps)
        self.assertIn("companion", self.start("maps", TORCHADA_SUMMARY="1").stdout)

    def test_run(self):
        lines = self.stop(TORCHADA, "run", "--", CALLS, "once", "cudart")
        self.assertIn("Engine::step<long>", lines[2])
        stderr = self.start(TORCHADA, "run", "--strict", "--", CALLS, "once", "cudart",
                            status=STOPPED).stderr
        self.assertIn(HEADER, stderr)


class Python(CallsTest):

    def stop(self, how, others="none"):
        script = os.path.join(self.folder(), "script.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        ended = self.start(sys.executable, script, how, others, status=STOPPED, TORCHADA_STRICT="1")
        return script, ended.stderr

    def check(self, how, others="none"):
        script, stderr = self.stop(how, others)
        frames = stderr[stderr.index("torchada: Python call stack, innermost first:\n"):]
        expected = ["torchada:   File \"%s\", line %d, in größer" % (script, line_of(SCRIPT, "here")),
                    "torchada:   File \"%s\", line %d, in outer" % (script, line_of(SCRIPT, "here") + 2)]
        self.assertEqual(expected, frames.splitlines()[1:3], stderr)
        self.assertIn("ffi_call", stderr)
        return frames

    def test_main_thread(self):
        self.assertRegex(self.check("main"), r"line \d+, in <module>\n\Z")

    def test_another_thread(self):
        frames = self.check("thread")
        self.assertIn("threading.py", frames)
        self.assertNotIn("<module>", frames)

    def test_who_holds_pythons_lock(self):
        self.check("holding")

    def test_while_others_run(self):
        self.check("main", "spin")

    def test_lock_that_does_not_come(self):
        """Python's own dump if it has one, which needs no lock; otherwise a line that says why
        there is none."""
        script, stderr = self.stop("main", "hold")
        if "Python call stack not available: another thread holds Python's lock" not in stderr:
            self.assertIn('  File "%s", line %d in' % (script, line_of(SCRIPT, "here")), stderr)

    def test_two_that_stop(self):
        """The first one is reported, even if the other one holds Python's lock."""
        stderr = self.stop("main", "stop_too")[1]
        self.assertEqual(1, stderr.count(HEADER), stderr)
        self.assertRegex(stderr, "in (größer|stop_too)|in gr|holds Python's lock")


if __name__ == "__main__":
    main()
