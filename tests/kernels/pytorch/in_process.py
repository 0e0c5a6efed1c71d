"""Runs tests of one of PyTorch's test files in this process, and writes what became of each.

 in_process.py FILE --list                 names the tests, CLASS.METHOD, one a line
 in_process.py FILE RESULTS TESTS SECONDS  runs those that the file TESTS names; RESULTS gets a line of JSON before and
                                           after each

Status 3: CUDA's context is spoiled, so the rest needs another process."""
import faulthandler
import importlib
import json
import os
import sys
import time
import unittest

SPOILED = 3


def load(path):
    """The test file as a module of its own name, as processes that tests start need it."""
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    os.chdir(folder)
    sys.argv = [path]  # common_utils.py reads it
    return importlib.import_module(os.path.basename(path).removesuffix(".py"))


def classes_of(module):
    return [value for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, unittest.TestCase) and value.__module__ == module.__name__]


def names_of(module):
    loader = unittest.TestLoader()
    return [f"{case.__name__}.{name}" for case in classes_of(module) for name in loader.getTestCaseNames(case)]


def outcome_of(result):
    """(outcome, text) of a result that one test filled."""
    for outcome in "errors", "failures", "skipped", "expectedFailures":
        entries = getattr(result, outcome)
        if entries:
            names = {"errors": "failed", "failures": "failed", "expectedFailures": "passed"}
            return names.get(outcome, outcome), entries[0][1]
    return ("failed", "unexpected success") if result.unexpectedSuccesses else ("passed", "")


def context_lives():
    import torch
    try:
        torch.cuda.synchronize()
        return True
    except RuntimeError:
        return False


def run(module, results, names, seconds):
    cases = {case.__name__: case for case in classes_of(module)}
    for name in names:
        case, method = name.split(".", 1)
        results.write(json.dumps({"begin": name, "stderr": os.fstat(2).st_size}) + "\n")
        begin, result = time.monotonic(), unittest.TestResult()
        faulthandler.dump_traceback_later(seconds)
        unittest.TestSuite([cases[case](method)]).run(result)
        faulthandler.cancel_dump_traceback_later()
        outcome, text = outcome_of(result)
        results.write(json.dumps({"end": name, "outcome": outcome, "text": text, "stderr": os.fstat(2).st_size,
                                  "seconds": round(time.monotonic() - begin, 2)}) + "\n")
        if outcome == "failed" and not context_lives():
            return SPOILED
    return 0


def main():
    path, arguments = sys.argv[1], sys.argv[2:]
    if arguments == ["--list"]:
        print("\n".join(names_of(load(path))))
        return 0
    results, names, seconds = arguments
    with open(results, "a", buffering=1) as lines, open(names) as file:
        wanted = file.read().splitlines()
        import torch
        torch.backends.cudnn.enabled = False  # closed; the guide says how a program does without
        return run(load(path), lines, wanted, float(seconds))


if __name__ == "__main__":
    sys.exit(main())
