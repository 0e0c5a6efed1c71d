"""What is recorded about calls; the program must not notice anything."""
import collections
import os
import unittest

import support


class Threads(support.TraceTest):
    THREADS, CALLS = 8, 2000

    def test_no_call_is_lost_and_each_thread_keeps_its_order(self):
        """json: one complete object a line, whatever other threads write."""
        calls = self.calls(self.records("threads", str(self.THREADS), str(self.CALLS)))
        by_thread = collections.defaultdict(list)
        for call in calls:
            by_thread[call["thread"]].append(call["arguments"]["error"])
        self.assertEqual(self.THREADS, len(by_thread))
        seen = set()
        for numbers in by_thread.values():
            index = (numbers[0] - 1000000) // self.CALLS
            first = 1000000 + index * self.CALLS
            self.assertEqual(list(range(first, first + self.CALLS)), numbers)
            seen.add(index)
        self.assertEqual(set(range(self.THREADS)), seen)

    def test_text_has_as_many_lines(self):
        text = self.client("text", "threads", "4", "500").stderr.splitlines()
        self.assertEqual(4 * 500, sum(line.startswith("cudaGetErrorString(") for line in text))
        for line in text[1:]:
            self.assertRegex(line, r"\AcudaGetErrorString\(error=\d+\) = 0x[0-9a-f]+ -> \".*\" "
                                   r"\[thread \d+, \d+\.\d{3} us\]\Z")

    def test_summary_counts_each_call(self):
        text = self.client("summary", "threads", "8", "5000").stderr
        self.assertRegex(text, r"(?m)^ +40000 +0 +\d+\.\d+ +\d+\.\d+ .* cudaGetErrorString \(libcudart")


class Values(support.TraceTest):

    def test_values(self):
        self.check_values("values")

    def test_values_where_a_container_refuses_process_vm_readv(self):
        self.check_values("denied")

    def check_values(self, word):
        path = self.path("t.json")
        place, value = self.client("json:" + path, word).stdout.split()
        malloc, copy, text, bad = self.calls(self.read(path))
        self.assertEqual({"devPtr": place, "size": 1024}, malloc["arguments"])
        self.assertEqual({"devPtr": value}, malloc["after"])
        self.assertEqual("cudaSuccess", malloc["result"])
        self.assertEqual("libcudart.so.12", malloc["library"])
        self.assertEqual("cudaMemcpyHostToDevice", copy["arguments"]["kind"])
        self.assertEqual({"error": "cudaErrorMemoryAllocation"}, text["arguments"])
        self.assertEqual("out of memory", text["result_text"])
        self.assertEqual(7, bad["arguments"]["kind"])
        self.assertEqual("cudaErrorInvalidMemcpyDirection", bad["result"])
        self.assertEqual([False, False, False, True], [each["failed"] for each in
                                                       (malloc, copy, text, bad)])
        times = [each["start_ns"] for each in (malloc, copy, text, bad)]
        self.assertEqual(sorted(times), times)

    def test_text(self):
        ended = self.client("1", "values")
        place, value = ended.stdout.split()
        lines = ended.stderr.splitlines()
        self.assertRegex(lines[0], r"\Atorchada: trace: process \d+: .*client values\Z")
        self.assertRegex(lines[1], r"\AcudaMalloc\(devPtr=%s -> %s, size=1024\) = cudaSuccess "
                                   r"\[thread \d+, \d+\.\d{3} us\]\Z" % (place, value))
        self.assertIn('cudaGetErrorString(error=cudaErrorMemoryAllocation) = 0x', lines[3])
        self.assertIn(' -> "out of memory" [', lines[3])
        self.assertEqual(5, len(lines))

    def test_filter(self):
        for names, expected in (("cudaGetE*", ["cudaGetErrorString"]),
                                ("cudaMalloc,*String", ["cudaMalloc", "cudaGetErrorString"]),
                                ("nccl*", [])):
            path = self.path("t.json")
            open(path, "w").close()
            self.client("json:" + path, "values", TORCHADA_TRACE_FILTER=names)
            self.assertEqual(expected, [call["function"] for call in self.calls(self.read(path))])

    def test_off(self):
        for value in ("0", "off", "", None):
            self.assertEqual("", self.client(value, "values").stderr)

    def test_unknown_words_are_named(self):
        lines = self.client("yes", "values").stderr.splitlines()
        self.assertIn("TORCHADA_TRACE: ignoring the unknown word 'yes'; expected text, json", lines[0])
        self.assertIn("cudaMalloc(", lines[2])

    def test_begin(self):
        records = self.records("values", extra=",begin")[1:]
        self.assertEqual(["begin", "call"] * 4, [each["event"] for each in records])
        self.assertEqual(records[0]["arguments"], records[1]["arguments"])


class Callbacks(support.TraceTest):

    def test_callbacks_are_shown(self):
        records = self.records("callbacks")
        one, two = [each for each in records if each["event"] == "callback"]
        self.assertEqual(["cudaLaunchHostFunc", "cudaStreamAddCallback"],
                         [one["given_to"], two["given_to"]])
        for each, name in ((one, "on_host_function"), (two, "on_stream")):
            self.assertRegex(each["function"], r"\Aclient\+0x[0-9a-f]+ %s\Z" % name)
        self.assertEqual("cudaSuccess", two["arguments"]["status"])
        self.assertEqual(one["arguments"]["userData"], two["arguments"]["userData"])
        passed = self.calls(records, "cudaLaunchHostFunc")[0]["arguments"]["fn"]
        self.assertRegex(passed, r"\A0x[0-9a-f]+ client\+0x[0-9a-f]+ on_host_function\Z")
        text = self.client("text", "callbacks").stderr
        self.assertRegex(text, r"(?m)^callback client\+0x[0-9a-f]+ on_stream\(stream=\w+, "
                               r"status=cudaSuccess, userData=0x[0-9a-f]+\) given to "
                               r"cudaStreamAddCallback \[thread ")


class Driver(support.TraceTest):
    """Calls of the driver that the runtime makes for the program stand below the runtime's."""

    def test_calls_of_the_driver_are_nested_and_named(self):
        environment = {"LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"] + ":" + support.DRIVER}
        calls = self.calls(self.records("driver", **environment))
        ask, found = "cudaGetDriverEntryPointByVersion", "cuGetProcAddress_v2"
        self.assertEqual(
            [(found, 1), (ask, 0), (found, 1), (ask, 0), ("cuDeviceGetCount", 0), ("cuInit", 0),
             ("cuDeviceGetCount", 0)], [(call["function"], call["depth"]) for call in calls])
        self.assertEqual({ask: "libcudart.so.12", found: "libcuda.so.1"},
                         {call["function"]: call["library"] for call in calls[:2]})
        inner, outer = calls[:2]
        self.assertLessEqual(outer["start_ns"], inner["start_ns"])
        self.assertGreaterEqual(outer["start_ns"] + outer["duration_ns"],
                                inner["start_ns"] + inner["duration_ns"])
        self.assertEqual(["CUDA_ERROR_NOT_INITIALIZED", "CUDA_SUCCESS", "CUDA_SUCCESS"],
                         [call["result"] for call in calls[4:]])
        text = self.client("text", "driver", **environment).stderr
        self.assertRegex(text, r'(?m)^  cuGetProcAddress_v2\(symbol=0x[0-9a-f]+ -> "cuInit", .*\n'
                               r"cudaGetDriverEntryPointByVersion\(")


class Program(support.TraceTest):

    def test_errno_is_kept(self):
        self.records("errno")
        self.client("text,memory,summary", "errno")

    def test_a_malloc_that_calls_cuda(self):
        for trace in ("text", "summary", "json,memory,begin:" + self.path("x")):
            ended = self.client(trace, program=support.HOOKED)
            self.assertEqual("malloc called CUDA\n", ended.stdout)

    def test_exceptions_and_cancelled_threads_leave_no_depth(self):
        records = self.records(program=support.HOOKED)
        calls = self.calls(records, "cudaGetErrorString")
        self.assertEqual(1234, calls[-1]["arguments"]["error"])
        self.assertEqual({0}, {call["depth"] for call in calls})


if __name__ == "__main__":
    unittest.main()
