"""Where the toolkit of an nvcc is."""
import os
import re
import subprocess


def headers(nvcc):
    """The folder of its headers. nvcc itself says it: what PATH names may be a script that starts it elsewhere."""
    run = subprocess.run([nvcc, "--dryrun", "-x", "cu", os.devnull], capture_output=True, text=True, check=True)
    return os.path.realpath(os.path.join(re.search(r"^#\$ TOP=(.*)$", run.stderr, re.M).group(1), "include"))
