"""musatop: a monitor that reads the output of mthreads-gmi, the command of MUSA's driver."""
import json
import subprocess
import sys

from client_steps import available, equal, main, step
from musa_memory import allocated_elsewhere

MIB = 1 << 20


@step("load")
def load():
    import musatop.monitor
    return musatop.monitor


@step("query")
def snapshot(load):
    with allocated_elsewhere(512 * MIB):
        shown = subprocess.run([sys.executable, "-m", "musatop", "--json"], capture_output=True, text=True, check=False,
                               timeout=50)
    told = json.loads(shown.stdout)
    available(not told["errors"], "; ".join(told["errors"]))
    device, = told["devices"]
    equal(device["memory_total_bytes"], 2048 * MIB)
    assert device["memory_used_bytes"] >= 512 * MIB, device


main()
