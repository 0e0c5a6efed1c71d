#!/usr/bin/env python3
"""namespaces_test.py: eight ranks on two hosts in network namespaces, each with its own address.
Then one host vanishes.

Restarts itself in new user and network namespaces. Skipped, with the reason, if the system does not
allow that."""
import os
import shutil
import subprocess
import sys
import time

import job

RANKS = 8


def run(*command):
    subprocess.run(command, check=True)


def enter():
    for tool in ("unshare", "nsenter", "ip"):
        if shutil.which(tool) is None:
            job.skip("there is no " + tool)
    probe = subprocess.run(["unshare", "-rn", "ip", "link", "set", "lo", "up"], capture_output=True, text=True)
    if probe.returncode != 0:
        job.skip("no network namespaces here: " + probe.stderr.strip())
    probe = subprocess.run(["unshare", "-rn", "ip", "link", "add", "probe0", "type", "veth", "peer", "name", "probe1"],
                           capture_output=True, text=True)
    if probe.returncode != 0:
        job.skip("no virtual network cards here: " + probe.stderr.strip())
    os.execvp("unshare", ["unshare", "-rn", sys.executable, "-B", __file__, "inside"])


def main():
    if sys.argv[1:] != ["inside"]:
        enter()
    other = subprocess.Popen(["unshare", "-n", "sleep", "600"])
    try:
        own = os.readlink("/proc/self/ns/net")
        while os.readlink("/proc/%d/ns/net" % other.pid) == own:
            time.sleep(0.01)
        there = ["nsenter", "-t", str(other.pid), "-n"]
        run("ip", "link", "add", "left", "type", "veth", "peer", "name", "right", "netns", str(other.pid))
        run("ip", "address", "add", "10.77.0.1/24", "dev", "left")
        run("ip", "link", "set", "left", "up")
        run(*there, "ip", "address", "add", "10.77.0.2/24", "dev", "right")
        run(*there, "ip", "link", "set", "right", "up")
        hosts = [([], {"MCCL_SOCKET_IFNAME": "left"}) if rank % 2 == 0 else (there, {}) for rank in range(RANKS)]

        results = job.Job("every_collective", RANKS, "quick", hosts=hosts).wait(600)
        job.expect_success(results, "checks")
        print(RANKS, "ranks on two hosts:", results[0][1].strip(), "each")

        work = job.Job("incident", RANKS, "busy", hosts=hosts)
        work.wait_for_output("ready")
        run("ip", "link", "set", "left", "down")
        cut = time.monotonic()
        for rank, (status, out, err) in enumerate(work.wait(60)):
            assert (status, out) == (4, "error 6\n"), (rank, status, out, err)
        took = time.monotonic() - cut
        assert took <= 12, took
        print("the last rank ended %.1f s after the hosts lost each other" % took)
    finally:
        other.kill()


if __name__ == "__main__":
    main()
