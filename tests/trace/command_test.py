"""torchada trace: its options, its summary and memory report, and merging."""
import json
import os
import re
import unittest

import support
from support import CLIENT, TORCHADA


def trace(*words, **environment):
    return support.start(TORCHADA, "trace", "--backend=host", *words, **environment)


class Trace(support.TraceTest):

    def done(self, *words, status=0):
        ended = trace(*words)
        self.assertEqual(status, ended.status, str(ended))
        return ended

    def test_text(self):
        self.assertIn("cudaMalloc(devPtr=0x", self.done("--", CLIENT, "values").stderr)

    def test_the_status_is_the_programs(self):
        self.done("--", CLIENT, "nonsense", status=2)
        self.done("--", self.path("program"), status=127)

    def test_lost_output_is_a_status(self):
        """What the program itself wrote is not lost."""
        expected = self.done("--", CLIENT, "leak").stdout
        for words in (["--output=/dev/full"], ["--format=json", "--output=/dev/full"],
                      ["--summary", "--output=/dev/full"]):
            ended = self.done(*words, "--", CLIENT, "leak", status=3)
            self.assertRegex(ended.stderr, r"cannot write /dev/full: No space left")
            self.assertEqual(expected, ended.stdout)
        # Without the command, a traced program keeps its status unless asked.
        self.client("text:/dev/full", "leak")
        self.client("text,status:/dev/full", "leak", status=3)

    def test_output(self):
        os.chdir(self.folder)
        for _ in range(2):  # The second run starts the file anew.
            ended = self.done("--format=json", "--output=all.json", "--", CLIENT, "fork", "before",
                              "exec")
            self.assertEqual("", ended.stderr)
            self.assertEqual(3, len(self.calls(self.read("all.json"))) -
                             len(self.calls(self.read("all.json"), "cudaGetDeviceCount")))
        self.done("--format=json", "--output=t.%p", "--", CLIENT, "fork", "before", "exec")
        self.assertEqual(2, len(support.glob.glob("t.*")))
        ended = trace("--output=no/t", "--", CLIENT, "values")
        self.assertEqual(3, ended.status)
        self.assertRegex(ended.stderr, r"\Atorchada: cannot write no/t: No such file or "
                                       r"directory\n\Z")

    def test_names_of_outputs(self):
        os.chdir(self.folder)
        name = "%s.%%p" % os.uname().nodename
        for _ in range(2):  # Without %p the second run starts the file anew.
            self.done("--format=json", "--output=%h.%%p", "--", CLIENT, "calls", "1", "2")
        self.assertEqual([name], os.listdir("."))
        self.assertEqual(2, len(self.calls(self.read(name))))

    def test_an_earlier_trace_stays_unless_the_program_is_there(self):
        path = self.path("t")
        self.done("--output=" + path, "--", CLIENT, "calls", "1")
        before = self.text(path)
        self.assertIn("cudaGetErrorString", before)
        self.done("--output=" + path, "--", self.path("program"), status=127)
        self.assertEqual(before, self.text(path))

    def test_bad_usage(self):
        for words in ([], [CLIENT], ["--format=chrome", "--", CLIENT], ["--merge"],
                      ["--format=chrome", "--begin", "--output=t", "--", CLIENT],
                      ["--merge", "x", "--", CLIENT], ["--format=nonsense", "--", CLIENT]):
            ended = trace(*words)
            self.assertEqual(2, ended.status, str(ended))
            self.assertRegex(ended.stderr, r"\Atorchada: [^\n]+\n\Z")

    def test_outer_variables_are_replaced(self):
        ended = trace("--summary", "--", CLIENT, "values", TORCHADA_TRACE_FILTER="nccl*",
                      TORCHADA_TRACE="json")
        self.assertIn("made 4 calls of 3 functions; 1 returned an error", ended.stderr)
        self.assertNotIn('"event"', ended.stderr)

    def test_summary(self):
        lines = self.done("--summary", "--", CLIENT, "leak").stderr.splitlines()
        self.assertRegex(lines[0], r"made 8 calls of 5 functions; 1 returned an error\Z")
        rows = {line.split()[5]: line.split() for line in lines[2:]}
        self.assertEqual(["3", "0"], rows["cudaMalloc"][:2])
        self.assertEqual(["2", "1"], rows["cudaFree"][:2])
        totals = [float(line.split()[2]) for line in lines[2:]]
        self.assertEqual(sorted(totals, reverse=True), totals)
        calls, _, total, mean = (float(word) for word in rows["cudaMalloc"][:4])
        self.assertAlmostEqual(total * 1000, calls * mean, delta=calls)
        self.assertNotIn("cudaMalloc(", "".join(lines))

    def test_memory(self):
        ended = self.done("--memory", "--", CLIENT, "leak")
        pitched = 7 * int(ended.stdout.split()[1])
        first, *leaks = ended.stderr.splitlines()
        peak = max(8040, 3040 + pitched, 3640)
        self.assertRegex(first, r"allocated 5 times and freed 2 times; at most %d bytes at once; "
                                r"%d bytes in 3 allocations not freed\Z" % (peak, 3040 + pitched))
        found = {re.search(r"not freed: (\d+) bytes in (\d+) allocations by (\w+) at (.*)", leak).groups()
                 for leak in leaks}
        where = {(bytes_, count, function): place for bytes_, count, function, place in found}
        self.assertRegex(where["3040", "2", "cudaMalloc"],
                         r"\Aclient\+0x[0-9a-f]+ forgets_what_it_allocates\+0x[0-9a-f]+\Z")
        self.assertRegex(where[str(pitched), "1", "cudaMallocPitch"], r"\Aclient\+0x")
        self.assertEqual(2, len(leaks))

    def test_memory_in_json(self):
        self.done("--memory", "--format=json", "--output=" + self.path("t"), "--", CLIENT, "leak")
        report = self.read(self.path("t"))[-1]
        self.assertEqual(("memory", 5, 2, 3), (report["event"], report["allocations"],
                                               report["frees"], report["live_count"]))
        self.assertEqual(report["live_bytes"], sum(each["bytes"] for each in report["leaks"]))

    def test_chrome(self):
        path = self.path("t.json")
        self.done("--format=chrome", "--output=" + path, "--", CLIENT, "threads", "4", "200")
        self.check_events(self.load(path), 800)

    def check_events(self, events, calls):
        shown = [each for each in events if each["ph"] == "X"]
        self.assertEqual(calls, len(shown))
        for each in shown:
            self.assertEqual([], [key for key in ("name", "ts", "dur", "pid", "tid", "args", "cat")
                                  if key not in each])
            self.assertGreater(each["ts"], 0)
            self.assertIn("error", each["args"]["arguments"])
        names = [each for each in events if each["ph"] == "M" and each["name"] == "process_name"]
        self.assertEqual({each["pid"] for each in shown}, {each["pid"] for each in names})
        self.assertIn("client", names[0]["args"]["name"])


class Merge(support.TraceTest):

    def traces(self, kind):
        files = []
        for numbers in ("1011", "1022"), ("1033",):
            files.append(self.path("%s.%s" % (kind, numbers[0])))
            self.client("%s:%s" % (kind, files[-1]), "calls", *numbers)
        return files

    def merge(self, *words, status=0):
        ended = support.start(TORCHADA, "trace", "--merge", *words)
        self.assertEqual(status, ended.status, str(ended))
        return ended

    def test_by_time(self):
        files = self.traces("json")
        text = self.merge(*reversed(files)).stdout
        records = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([1011, 1022, 1033], [self.number_of(each) for each in self.calls(records)])
        self.assertEqual(["process", "call", "call", "process", "call"],
                         [each["event"] for each in records])

    def test_to_chrome(self):
        for kind in ("json", "chrome"):
            out = self.path("merged")
            self.merge("--format=chrome", "--output=" + out, *reversed(self.traces(kind)))
            events = self.load(out)
            calls = [each for each in events if each["ph"] == "X"]
            self.assertEqual([1011, 1022, 1033], [self.number_of(each["args"]) for each in calls])
            self.assertEqual(sorted(each["ts"] for each in calls), [each["ts"] for each in calls])
            self.assertEqual(2, len({each["pid"] for each in calls}))

    def test_the_same_events_either_way(self):
        """Compares what the companion writes with what is converted from its lines."""
        (lines, _), (events, _) = self.traces("json"), self.traces("chrome")
        converted = json.loads(self.merge("--format=chrome", lines).stdout)
        written = self.load(events)
        self.assertEqual([set(each) for each in written], [set(each) for each in converted])
        self.assertEqual([set(each["args"]) for each in written],
                         [set(each["args"]) for each in converted])

    def test_to_text_and_summary(self):
        files = self.traces("json")
        text = self.merge("--format=text", *files).stdout
        self.assertRegex(text, r"(?m)^cudaGetErrorString\(error=1011\) = 0x[0-9a-f]+ -> \".*\" "
                               r"\[process \d+, thread \d+, \d+\.\d{3} us\]$")
        text = self.merge("--summary", *files).stdout
        self.assertIn("2 processes made 3 calls of 1 functions; 0 returned an error", text)
        self.assertEqual(text, self.merge("--summary", *files).stdout)

    def test_files_of_two_machines_meet_by_the_wall_clock(self):
        files = self.traces("json")
        with open(files[0]) as file:
            text = file.read()
        boot = re.search(r'"boot": "([^"]+)"', text).group(1)
        offset = re.search(r'"clock_offset_ns": (\d+)', text).group(1)
        # The other machine was started a day later, so its clock is a day behind.
        text = text.replace(boot, "another").replace(
            '"clock_offset_ns": ' + offset, '"clock_offset_ns": %d' % (int(offset) + 86400 * 10 ** 9))
        with open(files[0], "w") as file:
            file.write(text)
        records = [json.loads(line) for line in self.merge(*files).stdout.splitlines()]
        self.assertEqual([1033, 1011, 1022], [self.number_of(each) for each in self.calls(records)])

    def test_damaged(self):
        files = self.traces("json")
        with open(files[0], "a") as file:
            file.write('{"event": "ca')
        ended = self.merge(*files)
        self.assertRegex(ended.stderr, r"%s:\d: ignoring the last record, which is incomplete" % files[0])
        self.assertEqual(3, len(self.calls([json.loads(line)
                                            for line in ended.stdout.splitlines()])))
        with open(files[1], "w") as file:
            file.write('{"event": "process"}\nnonsense\n{"event": "process"}\n')
        self.assertIn("%s:2: not a trace record" % files[1], self.merge(*files, status=3).stderr)
        for number in ("1e300", '"7"', "null"):
            with open(files[1], "w") as file:
                file.write('{"event": "process"}\n{"event": "call", "start_ns": %s}\n' % number)
            self.assertIn('%s:2: "start_ns" is no whole number' % files[1], self.merge(*files, status=3).stderr)
        self.assertIn(self.path("no") + ": cannot be read", self.merge(self.path("no"), status=3).stderr)
        self.assertIn(self.folder + ": is not a regular file", self.merge(self.folder, status=3).stderr)


if __name__ == "__main__":
    unittest.main()
