"""verify on the CPU trees: everything that is probed holds, and enough is probed."""
import json
import os
import unittest

import support


class Trees(support.VerifyTest):
    def check(self, sdk, least):
        run, report = support.verify(support.tree(sdk))
        self.assertEqual(0, run.status, str(run))
        self.assertEqual("", run.stderr, str(run))
        self.assertEqual(set(), report.of("contradicted"))
        self.assertEqual([], report.all["broken"])
        self.assertEqual("stand-in", report.all["backend"])
        self.assertIn("the CPU stand-in of MUSA: this says nothing about real MUSA", run.stdout)
        confirmed = report.of("confirmed")
        self.assertGreaterEqual(len(confirmed), least, "fewer facts are confirmed than before")
        return report

    def test_3_1(self):
        self.check("3.1", LEAST["3.1"])

    def test_4_3(self):
        report = self.check("4.3", LEAST["4.3"])
        self.assertEqual("confirmed", report.results["size:musart/musaDeviceProp@<5.0"]["result"])

    def test_5_1(self):
        report = self.check("5.1", LEAST["5.1"])
        # Every fact has a result, and one that was not probed says why.
        for id, item in report.results.items():
            self.assertIn(item["result"], ("confirmed", "contradicted", "absent", "not probed"), id)
            self.assertNotEqual("", item["found"], id)
        self.assertEqual(len(report.results), sum(report.all["counts"].values()))


# Facts that probes confirm on each tree: raise them with new probes.
LEAST = {"3.1": 1120, "4.3": 1225, "5.1": 1240}


class Frame(support.VerifyTest):
    def test_json_is_the_report(self):
        run, report = support.verify(support.tree("5.1"), "--format=json", "--only=files.*")
        self.assertEqual(0, run.status, str(run))
        written = json.loads(run.stdout)
        self.assertEqual(report.all["results"], written["results"])
        self.assertIn("stand-in", run.stderr)
        self.assertEqual("not asked for (--only)",
                         written["results"][0]["found"])

    def test_nothing_of_the_machine_is_in_it(self):
        _, report = support.verify(support.tree("5.1"), "--only=files.*")
        self.assertEqual({"format", "torchada", "date", "backend", "sdk", "runtime", "driver",
                          "devices", "counts", "broken", "results"}, set(report.all))
        self.assertEqual([{"name": "torchada host (CPU)", "architecture": "mp_31"}],
                         report.all["devices"])

    def test_no_musa(self):
        run = support.Run(support.TORCHADA, "verify")
        self.assertEqual(3, run.status, str(run))
        self.assertIn("no MUSA found", run.stderr)

    def test_usage(self):
        for word in ("--jobs=0", "--timeout=0", "--only=nothing", "--musa-root=/nonexistent"):
            run = support.Run(support.TORCHADA, "verify", "--musa-root=" + support.tree("5.1"),
                              word)
            self.assertEqual(2, run.status, str(run))

    def test_report_that_cannot_be_written(self):
        path = os.path.join(self.folder(), "none", "report")
        run = support.Run(support.TORCHADA, "verify", "--musa-root=" + support.tree("5.1"),
                          "--only=files.*", "--report=" + path)
        self.assertEqual(3, run.status, str(run))
        self.assertIn("cannot write " + path, run.stderr)

    def test_two_devices_confirm_what_one_cannot(self):
        _, report = support.verify(support.tree("5.1"), "--only=environment.*",
                                   TORCHADA_HOST_DEVICES="2")
        self.assertEqual("confirmed",
                         report.results["environment:MUSA_VISIBLE_DEVICES"]["result"])


if __name__ == "__main__":
    support.main()
