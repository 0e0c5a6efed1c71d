"""gpustat: a line for each device, and JSON."""
import json
import subprocess
import sys

from neighbour import allocated
from client_steps import equal, main, step

MIB = 1 << 20


@step("load")
def load():
    import gpustat
    return gpustat


@step("query")
def query(load):
    gpus = load.new_query().gpus
    equal(len(gpus), 1)
    assert gpus[0].memory_total > 0 and gpus[0].name, gpus
    equal(gpus[0].uuid[:4], "GPU-")
    equal(gpus[0].temperature, None)  # The stand-in has no sensor, and nothing is made up.
    equal(gpus[0].processes, None)
    return gpus[0]


@step("query")
def as_json(query):
    with allocated(512 * MIB):
        shown = subprocess.run([sys.executable, "-m", "gpustat", "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, check=True, timeout=50)
    equal(shown.stderr, b"")
    gpu, = json.loads(shown.stdout)["gpus"]
    equal(gpu["uuid"], query.uuid)
    assert gpu["memory.used"] >= 512, gpu


@step("query")
def line(query):
    shown = subprocess.run([sys.executable, "-m", "gpustat", "--no-color"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=True, timeout=50)
    equal(shown.stderr, b"")
    text = shown.stdout.decode()
    assert query.name in text and "(Not Supported)" in text, text


main()
