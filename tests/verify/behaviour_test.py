"""Programs get CUDA's documented results from a MUSA that behaves otherwise."""
import json
import os
import sys

import support

PROGRAM = os.path.join(support.SOURCE, "tests", "verify", "behaviour_program.py")
LIBRARIES = ":".join(os.path.join(support.STAGE, "lib", name) for name in ("cu12", "driver"))


class Behaviour(support.VerifyTest):
    def result(self, task, fault, sdk, libraries):
        run = support.Run(sys.executable, "-B", PROGRAM, task, TORCHADA_MUSA_PATH=self.copy_of(sdk, libraries),
                          LD_LIBRARY_PATH=LIBRARIES, TORCHADA_HOST_DEVICES="2", TORCHADA_LOG="off", SPOILT=fault)
        self.assertEqual(0, run.status, str(run))
        return json.loads(run.stdout)

    def test_each_task(self):
        for task, (faults, expected) in TASKS.items():
            for fault, library in [("nothing", "musart"), *faults]:
                for sdk in ("4.3", "5.2"):
                    with self.subTest(task, fault=fault, sdk=sdk):
                        self.assertEqual(expected, self.result(task, fault, sdk, [library]))

    def test_a_warp_of_128(self):
        for sdk in ("4.3", "5.2"):
            self.assertEqual({"attributes": [128, 2, 1], "properties": [128, 2, 1]},
                             self.result("warp", "mp_21", sdk, ["musart"]))


# What CUDA documents, and the faults of MUSA that do not change it.
TASKS = {
    "algorithm": ([("algorithm", "mublas")], {"status": 0, "product": 6.0, "pending": 0}),
    "pending": ([("pending", "mublas")], {"status": 0, "pending": 0, "own": 101}),
    "graph": ([("graph", "musart")], {"statuses": [0] * 9}),
    "later_attributes": ([("later_attributes", "musart")],
                         {"126": [0, 1], "130": [0, 0], "131": [0, -1], "134": [0, -1], "pending": 0, "139": 801,
                          "1000": 1, "no such device": 101}),
    "ipc": ([("ipc", "musart")], {"status": 0, "same": True, "device": 1, "pending": 0}),
    "peer": ([("peer", "musart")], {"statuses": [0, 0, 0], "pending": 0, "same": [True, True]}),
    "narrow": ([("narrow", "musart")], {"right": [True] * 12, "pending": 0, "wrong": True}),
    "identity": ([("uuid", "musart")], {"statuses": [0, 0], "same": True, "zero": False, "pending": 0}),
}

if __name__ == "__main__":
    support.main()
