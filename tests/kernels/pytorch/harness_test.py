#!/usr/bin/env python3
"""What runs PyTorch's tests: a test that ends the process, one that hangs, and one that other tests spoil; and how
failures are told apart. The test file and `torch` are made here."""
import contextlib
import io
import os
import stat
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
# pylint: disable=wrong-import-position
import pytorch_tests  # noqa: E402
import reasons  # noqa: E402
import selection  # noqa: E402

TORCH = """
class backends:
    class cudnn: enabled = True
class cuda:
    spoiled = False
    def synchronize():
        if cuda.spoiled: raise RuntimeError("spoiled")
"""
TESTS = """
import os
import sys
import time
import unittest
import torch
class Some(unittest.TestCase):
    def test_a_passes(self): assert not torch.backends.cudnn.enabled
    def test_b_crashes(self): os.abort()
    def test_c_hangs(self): time.sleep(60)
    def test_d_is_skipped(self): self.skipTest("no GPU 7")
    def test_e_spoils(self):
        torch.cuda.spoiled = True
        raise RuntimeError("cusolver error")
    def test_f_passes_after_it(self):
        assert not torch.cuda.spoiled
        torch.cuda.leaks = True
    def test_g_passes_without_f(self): assert not hasattr(torch.cuda, "leaks")
    def test_h_is_wrong(self): raise AssertionError("Tensor-likes are not close!")
    def test_i_lacks_a_kernel(self):
        print("torchada: kernel sort<int>(int) is in none of the 3 kernel libraries", file=sys.stderr)
        raise RuntimeError("CUDA error: no kernel image is available")
"""
TORCHADA = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Harness(unittest.TestCase):

    def test_each_test_has_an_outcome(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder + "/stage/bin/torchada", TORCHADA)
            os.chmod(folder + "/stage/bin/torchada", stat.S_IRWXU)
            tests = folder + "/work/kernels/pytorch-2.6/pytorch/test"
            write(tests + "/torch.py", TORCH)
            write(tests + "/test_some.py", TESTS)
            write(folder + "/work/venv.whole", "")
            os.makedirs(folder + "/work/venv/bin")
            os.symlink(sys.executable, folder + "/work/venv/bin/python")
            pytorch_tests.SECONDS = 4
            selection.FILES = {"test_some": selection.File("Some", {"PYTHONPATH": tests})}
            sys.argv = ["pytorch_tests.py", folder + "/stage", folder + "/work", "--kernels=none"]
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(0, pytorch_tests.main())
            found = pytorch_tests.read(folder + "/work/results/test_some.jsonl")
        outcomes = {name.split("_")[1]: entry["outcome"] for name, entry in found.items()}
        self.assertEqual({"a": "passed", "b": "crash", "c": "time", "d": "skipped", "e": "failed", "f": "passed",
                          "g": "passed", "h": "failed", "i": "failed"}, outcomes)
        self.assertTrue(found["Some.test_g_passes_without_f"]["again"])
        self.assertIn("passed: 3 of 7 that ran and name no closed library (42.9 %)", out.getvalue())
        for line in ("crash: the process ended with -6", "time: not ended after 4 s", "closed library: cuSOLVER",
                     "wrong results: AssertionError: Tensor-likes are not close!", "missing kernel: sort", "no GPU N"):
            self.assertRegex(out.getvalue(), r"(?m)^ +1 .*" + line, out.getvalue())

    def test_closed_libraries(self):
        """What is closed is named, not where it lies."""
        self.assertIsNone(reasons.closed_in('File "/site-packages/torch/backends/cudnn/rnn.py", line 1'))
        self.assertEqual("cuDNN", reasons.closed_in("RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED"))

    def test_chosen(self):
        """200 tests, of at least 100 operators."""
        chosen = pytorch_tests.chosen()
        self.assertEqual(200, len({tuple(test) for test in chosen}))
        self.assertLessEqual({file for file, _ in chosen}, set(selection.FILES))
        self.assertGreaterEqual(len([name for file, name in chosen if file == "test_ops"]), 100)


if __name__ == "__main__":
    unittest.main()
