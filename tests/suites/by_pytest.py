"""Suites that pytest runs: each file in a process of its own, so that one which ends takes no other with it."""
import os
import subprocess
import sys
import xml.etree.ElementTree

from kept_python import python_with
from suite import HERE

SECONDS = 3600  # for a file


def environment_of(suite, *requirements):
    """A Python with these packages and pytest, which is made once. Returns its executable."""
    try:
        return python_with(os.path.join(suite.work, "venv"), *requirements, os.path.join(HERE, "pytest.txt"))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{suite.name}: its Python packages are not to be had: {error}")


def outcomes(suite, python, files, *, folder, environment, options=()):
    """{FILE::CLASS::TEST: why it failed, or ""}; tests that are skipped are counted and left out."""
    found, skipped = {}, 0
    for file in files:
        report = os.path.join(suite.work, "report.xml")
        if os.path.exists(report):
            os.remove(report)
        words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "--junitxml=" + report, file]
        status, said = suite.run(words, seconds=SECONDS, folder=folder, environment=environment)
        cases = list(xml.etree.ElementTree.parse(report).iter("testcase")) if os.path.exists(report) else []
        if status not in (0, 1, 5) or (not cases and status != 5):
            found[file] = f"status {status}: {said[-300:]}"
        for case in cases:
            name = "::".join([file, case.get("classname", "").rpartition(".")[2], case.get("name", "")])
            wrong = [part for part in case if part.tag in ("failure", "error")]
            if any(part.tag == "skipped" for part in case):
                skipped += 1
            else:
                found[name] = (wrong[0].get("message", "") or "failed").splitlines()[0][:200] if wrong else ""
        failed = [name for name, why in found.items() if why and name.startswith(file)]
        print(f"{file}: {len(cases)} tests, {len(failed)} failed", flush=True)
        for name in failed:
            print(f"  {name}: {found[name]}", flush=True)
    print(f"{suite.name}: {skipped} skipped by their own conditions")
    return found
