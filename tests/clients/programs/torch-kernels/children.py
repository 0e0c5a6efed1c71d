"""Programs that need a process of their own."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def printed_by(code, *words, **environment):
    """What a program prints as JSON in its last line. It finds the modules of this folder, and torch is imported."""
    paths = os.pathsep.join([HERE, os.environ["PYTHONPATH"]])
    ended = subprocess.run(
        [sys.executable, "-c", "import json, torch\ntorch.backends.cudnn.enabled = False\n" + code, *words],
        env={**os.environ, "PYTHONPATH": paths, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stderr.write(ended.stderr)
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {ended.stderr[-1500:]}")
    return json.loads(ended.stdout.splitlines()[-1])
