"""Kernels on demand, with a stand-in for the process that makes them (server.py)."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from folders import temporary_folder

STAGE, CUDART, PROGRAM, IMAGE_OF_A, IMAGE_OF_B, LAUNCH_TIMES = sys.argv[1:]
del sys.argv[1:]
HERE = os.path.dirname(os.path.realpath(__file__))
UNTIL = 20  # Seconds for what should happen at once.


def image(path, how="made 1500"):
    return ["image %s %s\n" % (how, path)]


SERVED = {"a_cu": image(IMAGE_OF_A), "b_cu": image(IMAGE_OF_B, "kept 3")}


def is_running(process):
    try:
        with open("/proc/%d/stat" % process, encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class OnDemand(unittest.TestCase):

    def setUp(self):
        """An installation whose command is the stand-in. Links would lead back to the real one."""
        self.root = temporary_folder(self)
        for name in ("lib/" + CUDART, "libexec/torchada_companion.so"):
            os.makedirs(os.path.join(self.root, os.path.dirname(name)), exist_ok=True)
            shutil.copy(os.path.join(STAGE, name), os.path.join(self.root, name))
        os.mkdir(os.path.join(self.root, "bin"))
        server = shutil.copy(os.path.join(HERE, "server.py"), os.path.join(self.root, "bin", "torchada"))
        os.chmod(server, 0o755)
        self.notes_file = os.path.join(self.root, "notes")
        with open(self.notes_file, "w", encoding="utf-8"):
            pass

    def environment(self, answers, **more):
        return {"PATH": "/usr/bin:/bin", "TORCHADA_MUSA_PATH": os.path.join(STAGE, "host/current"),
                "LD_LIBRARY_PATH": os.path.join(self.root, "lib") + ":/nonexistent", "TORCHADA_HOST_ACCOUNT": "none",
                "TORCHADA_KERNELS_FROM": "a-recipe", "NOTES": self.notes_file, "ANSWERS": json.dumps(answers), **more}

    def run_program(self, *words, answers=SERVED, **more):
        self.ended = subprocess.run([PROGRAM, *words], env=self.environment(answers, **more), timeout=60, text=True,
                                    capture_output=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(0, self.ended.returncode, self.ended)
        return self.ended.stdout

    def notes(self, kind):
        with open(self.notes_file, encoding="utf-8") as file:
            return [note for note in map(json.loads, file) if kind in note]

    def requests(self):
        return [note["request"] for note in self.notes("request")]

    def wait_until(self, is_so, what):
        end = time.monotonic() + UNTIL
        while not is_so():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def all_servers_end(self):
        self.wait_until(lambda: len(self.notes("end")) == len(self.notes("words")), "a server does not end")

    def test_makes_what_is_launched(self):
        self.assertEqual("a_same 1\nb_same 2\na_unnamed 11\nplain 52\na_same 1\n",
                         self.run_program("launch", "a_same", "b_same", "a_unnamed", "plain", "a_same"))
        self.assertEqual("", self.ended.stderr)
        self.assertEqual([["a_cu", "kernel", "_Z4samePi"], ["b_cu", "kernel", "_Z4samePi"],
                          ["a_cu", "kernel", "_ZN32_GLOBAL__N__fbaae8a4_4_a_cu_main7unnamedEPi"],
                          ["b_cu", "kernel", "_Z5plainPi"]], self.requests())
        self.assertEqual(1, len(self.notes("words")))
        self.all_servers_end()

    def test_a_profiler_does_not_count_the_making(self):
        shutil.copy(os.path.join(STAGE, "lib/profiler/libcupti.so.13"), os.path.join(self.root, "lib"))
        self.run_program("launch", "a_same", answers={"a_cu": [0.5, *image(IMAGE_OF_A)]},
                         CUDA_INJECTION64_PATH=LAUNCH_TIMES)
        began = re.fullmatch("a kernel began after ([0-9]+) ms\n", self.ended.stderr)
        self.assertTrue(began, self.ended.stderr)
        self.assertGreaterEqual(int(began.group(1)), 500)

    def test_any_question(self):
        self.assertEqual("value 31\n", self.run_program("ask"))
        self.assertEqual([["a_cu", "kernel", "_Z4samePi"], ["b_cu", "kernel", "_Z4samePi"],
                          ["a_cu", "variable", "value"]], self.requests())

    def test_what_the_server_gets(self):
        self.run_program("launch", "a_same", LD_PRELOAD="", TORCHADA_RECORD_KERNELS=os.path.join(self.root, "list"),
                         TORCHADA_CLANG="clang++-19")
        note = self.notes("words")[0]
        self.assertEqual(["kernels", "serve", "--recipe=a-recipe", "--socket=3"], note["words"])
        self.assertEqual(["0" * 16] * 2, note["ignored"][:1] + ["0" * 16])
        self.assertTrue(note["session"])
        opened = dict(note["open"])
        self.assertEqual("/dev/null", opened.pop("0"))
        self.assertEqual(opened.pop("1"), opened.pop("2"))
        self.assertIn("socket:", opened.pop("3"))
        self.assertEqual([], [path for path in opened.values() if "/proc/" not in path])
        self.assertEqual({"LD_LIBRARY_PATH": "/nonexistent", "TORCHADA_CLANG": "clang++-19",
                          "TORCHADA_MUSA_PATH": os.path.join(STAGE, "host/current"), "TORCHADA_HOST_ACCOUNT": "none"},
                         note["environment"])

    def test_what_was_named_comes_first(self):
        self.assertEqual("a_same 1\nb_same 2\n",
                         self.run_program("launch", "a_same", "b_same", TORCHADA_KERNELS=IMAGE_OF_A))
        self.assertEqual([["b_cu", "kernel", "_Z4samePi"]], self.requests())

    def refused(self, answer, reason, name="a_same"):
        """Refused twice, and asked for and told once; asked for again only if there was no answer."""
        with open(self.notes_file, "w", encoding="utf-8"):
            pass
        self.assertEqual("%s -209\n" % name * 2, self.run_program("launch", name, name, answers={"a_cu": answer}))
        self.assertRegex(self.ended.stderr, r"\Atorchada: libcudart\S*: cudaLaunchKernel is not supported: kernel \S+ "
                         r"is not made by TORCHADA_KERNELS_FROM: %s; "
                         r"returning cudaErrorNoKernelImageForDevice \(209\)\n\Z" % reason)
        self.assertLessEqual(len(self.requests()), 2 if "kernels ended" in reason else 1)

    def test_failures(self):
        self.refused(["failed a.cu:3:1: error: no such thing\n"], r"a.cu:3:1: error: no such thing")
        self.refused(["none the recipe has no a.cu\n"], r"the recipe has no a.cu")
        self.refused([], r"the process that makes kernels ended")
        self.refused(["die"], r"the process that makes kernels ended")
        self.refused(["image ma", "die"], r"the process that makes kernels named no image")
        self.refused([0.5, "image made\n"], r"the process that makes kernels named no image")
        self.refused(["image made 5 relative\n"], r"the process that makes kernels named no image")
        self.refused(["\x00\x01" * 5000], r"the process that makes kernels ended")
        self.refused(["x" * 50000], r"the process that makes kernels gave no answer that torchada understands")
        self.refused(image(IMAGE_OF_B), "the image that was made does not serve")

    def test_an_image_that_is_gone(self):
        self.assertEqual("a_same -209\n",
                         self.run_program("launch", "a_same", answers={"a_cu": image("/nonexistent/i")}))
        self.assertIn("/nonexistent/i: MUSA cannot load this kernel library", self.ended.stderr)

    def test_without_a_source(self):
        """Whoever makes the kernels may know better."""
        self.refused([], "no such source", "untold")
        self.assertEqual([["", "kernel", "_Z6untoldPi"]], self.requests())

    def test_slow_answers_in_pieces(self):
        line = image(IMAGE_OF_A)[0]
        answer = [0.5, line[:9], 0.5, line[9:]]
        self.assertEqual("a_same 1\n", self.run_program("launch", "a_same", answers={"a_cu": answer}))

    def test_a_server_that_ended_is_replaced(self):
        answers = {"a_cu _Z4samePi": ["die"], **SERVED}
        self.assertEqual("a_same -209\nb_same 2\na_unnamed 11\n",
                         self.run_program("launch", "a_same", "b_same", "a_unnamed", answers=answers))
        self.assertIn(len(self.notes("words")), (2, 3))

    def test_without_a_server(self):
        os.remove(os.path.join(self.root, "bin", "torchada"))
        self.refused([], r"the process that makes kernels cannot be reached \(error 2\)")

    def test_without_the_companion(self):
        os.remove(os.path.join(self.root, "libexec", "torchada_companion.so"))
        self.assertEqual("a_same -209\n", self.run_program("launch", "a_same"))
        self.assertIn("torchada_companion.so not found", self.ended.stderr)

    def test_no_more_descriptors(self):
        self.assertEqual("a_same 1\nb_same -209\nb_unnamed 12\n",
                         self.run_program("full", "a_same", "b_same", "b_unnamed"))
        self.assertIn("the process that makes kernels cannot be reached (error 24)", self.ended.stderr)

    def test_threads(self):
        names = ["a_same", "b_same", "a_unnamed", "b_unnamed", "alone", "plain", "absent"]
        out = self.run_program("threads", *names)
        results = {"a_same": 1, "b_same": 2, "a_unnamed": 11, "b_unnamed": 12, "alone": 42, "plain": 52, "absent": -209}
        self.assertEqual("".join("%s %d\n" % (name, results[name]) * 2 for name in names), out)
        self.assertEqual(1, len(self.notes("words")))
        self.assertEqual(len(names), len(self.requests()))

    def test_others_go_on_while_one_waits(self):
        answers = {**SERVED, "a_cu _Z4samePi": [3.0, *image(IMAGE_OF_A)]}
        self.assertEqual("b_same 2\nchild 0\na_same 1\n",
                         self.run_program("meanwhile", "a_same", "b_same", answers=answers))

    def test_after_fork(self):
        self.assertEqual(["a_same 1", "b_same 2"], sorted(self.run_program("fork", "a_same", "b_same").splitlines()))
        self.assertEqual(2, len(self.notes("words")))
        self.all_servers_end()

    def test_a_child_that_lives_on(self):
        child = int(self.run_program("child", "a_same").split()[-1])
        self.assertTrue(is_running(child))
        try:
            self.all_servers_end()
        finally:
            os.kill(child, signal.SIGKILL)

    def test_the_program_sees_no_child(self):
        self.assertEqual("a_same 1\nb_same 2\nwaitpid -1 No child processes, 0 signals\n",
                         self.run_program("wait", "a_same", "b_same"))

    def test_ends_with_the_program(self):
        with subprocess.Popen([PROGRAM, "stay", "a_same"], env=self.environment(SERVED), stdout=subprocess.PIPE,
                              text=True) as program:
            try:
                self.assertEqual("a_same 1\n", program.stdout.readline())
                server = self.notes("words")[0]["pid"]
                self.assertTrue(is_running(server))
            finally:
                program.send_signal(signal.SIGKILL)
        self.wait_until(lambda: not is_running(server), "the server does not end")

    def test_capture(self):
        self.assertEqual("graph 1\n", self.run_program("capture", "a_same"))

    def test_loads_as_a_capture_allows(self):
        """The stand-in lets a thread load an image while it captures. MUSA is not known to."""
        self.run_program("launch", "a_same", TORCHADA_LOG="debug")
        exchange = self.ended.stderr.index(": musaThreadExchangeStreamCaptureMode -> ")
        self.assertLess(exchange, self.ended.stderr.index(": muModuleLoad -> "))

    def test_programs_that_it_starts_inherit_nothing(self):
        out = self.run_program("list", "a_same").splitlines()
        self.assertEqual("a_same 1", out[0])
        self.assertEqual([], [path for path in out[1:] if path.startswith("socket:")], out)

    def test_a_program_that_closes_all(self):
        self.assertEqual("a_same 1\nb_same 2\nstill open\n", self.run_program("close", "a_same", "b_same"))
        self.assertEqual(2, len(self.notes("words")))

    def test_summary(self):
        self.run_program("launch", "a_same", "a_unnamed", "b_same", "absent", TORCHADA_SUMMARY="1",
                         answers={"b_cu _Z6absentPi": ["failed no\n"], **SERVED})
        self.assertIn("torchada: kernels: 2 made in 3.0 s, 1 kept, 1 failed\n", self.ended.stderr)
        self.assertNotIn("kernels:", self.run_program("launch", TORCHADA_SUMMARY="1") + self.ended.stderr)

    def test_record(self):
        path = os.path.join(self.root, "list")
        self.run_program("launch", "a_same", "b_same", "a_same", "untold", TORCHADA_RECORD_KERNELS=path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual("a_cu\t_Z4samePi\nb_cu\t_Z4samePi\n\t_Z6untoldPi\n", file.read())

    def test_record_alone(self):
        path = os.path.join(self.root, "list")
        self.run_program("launch", "a_same", TORCHADA_RECORD_KERNELS=path, TORCHADA_KERNELS_FROM="")
        self.assertIn("has no MUSA image", self.ended.stderr)
        with open(path, encoding="utf-8") as file:
            self.assertEqual("a_cu\t_Z4samePi\n", file.read())
        self.assertEqual([], self.notes("words"))

    def test_record_nowhere(self):
        self.run_program("launch", "a_same", "b_same", TORCHADA_RECORD_KERNELS="/nonexistent/list")
        self.assertRegex(self.ended.stderr, r"\A[^\n]* TORCHADA_RECORD_KERNELS: /nonexistent/list cannot be written "
                         r"\(error 2\); kernels are not recorded\n\Z")


class WithTheRealOne(unittest.TestCase):
    """From sources, by torchada kernels serve and the compiler of device code."""

    def setUp(self):
        self.folder = temporary_folder(self)

    def run_program(self, *words):
        ended = subprocess.run(
            [os.path.join(STAGE, "bin", "torchada"), "run", "--backend=host", "--summary",
             "--kernels-from=" + os.path.join(HERE, "recipe.yaml"), "--", PROGRAM, *words],
            env={"PATH": "/usr/bin:/bin", "TORCHADA_HOST_ACCOUNT": "none", "TORCHADA_KERNELS_FOLDER": self.folder},
            timeout=800, text=True, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(0, ended.returncode, ended)
        return ended

    def test_makes_and_keeps(self):
        names = ["a_same", "b_same", "a_unnamed", "b_unnamed", "alone", "plain", "absent"]
        right = "a_same 1\nb_same 2\na_unnamed 11\nb_unnamed 12\nalone 42\nplain 52\nabsent -209\n"
        for summary in (r"6 made in [0-9.]+ s, 0 kept, 1 failed", r"0 made in 0\.0 s, 6 kept, 1 failed"):
            ended = self.run_program("launch", *names)
            self.assertEqual(right, ended.stdout, ended.stderr)
            self.assertRegex(ended.stderr, "torchada: kernels: %s\n" % summary)
            self.assertIn("kernel absent(int*) is not made by TORCHADA_KERNELS_FROM: b.cu has no kernel _Z6absentPi; ",
                          ended.stderr)
        self.assertEqual("value 31\n", self.run_program("ask").stdout)

    def test_capture(self):
        self.assertEqual("graph 42\n", self.run_program("capture", "alone").stdout)


unittest.main(verbosity=2)
