"""What the probes' processes leave behind, and one that the kernel does not let go."""
import os
import resource
import signal
import subprocess
import sys
import time

import support


class Processes(support.VerifyTest):

    def start(self, *words):
        """The command with a probe that hangs, and the process of that probe."""
        root = self.copy_of("5.2", ["musart"])
        command = subprocess.Popen([support.TORCHADA, "verify", "--musa-root=" + root, "--only=memory.info", *words],
                                   env={**os.environ, "SPOILT": "hang"}, stdout=subprocess.PIPE, text=True,
                                   preexec_fn=allow_cores)
        self.addCleanup(command.stdout.close)
        self.addCleanup(command.wait)
        self.addCleanup(end_processes_with, root)
        self.until(lambda: any(sleeps(number) for number in self.probes(command, root)))
        return root, command, self.probes(command, root)[0]

    @staticmethod
    def probes(command, root):
        return [number for number in support.processes_with(root) if number != command.pid]

    def until(self, holds):
        end = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def test_a_command_that_ends_takes_its_probes_along(self):
        root, command, probe = self.start("--timeout=60")
        with open("/proc/%d/limits" % probe, encoding="utf-8") as file:
            cores = next(line for line in file if line.startswith("Max core file size"))
        self.assertEqual(["0", "0"], cores.split()[4:6])
        command.send_signal(signal.SIGTERM)
        self.assertEqual(-signal.SIGTERM, command.wait(60))
        self.until(lambda: not support.processes_with(root))

    def test_a_probe_that_cannot_be_ended_holds_nothing_up(self):
        """As when its driver waits for the GPU. A tracer that stands still holds the process back here."""
        _, command, probe = self.start("--timeout=5")
        with subprocess.Popen(["strace", "-qq", "-o", "/dev/null", "-p", str(probe)]) as tracer:
            try:
                self.until(lambda: tracer_of(probe) == tracer.pid)
                tracer.send_signal(signal.SIGSTOP)
                said = command.communicate(timeout=60)[0]
            finally:
                tracer.kill()
        self.assertEqual(1, command.returncode)
        self.assertIn("broken probe memory.info: the process did not answer within 5 seconds", said)


def end_processes_with(root):
    for number in support.processes_with(root):
        os.kill(number, signal.SIGKILL)


def allow_cores():
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def status_of(process):
    try:
        with open("/proc/%d/status" % process, encoding="utf-8") as file:
            return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    except OSError:
        return {}


def sleeps(process):
    return status_of(process).get("State", "").startswith("S")


def tracer_of(process):
    return int(status_of(process).get("TracerPid", 0))


def may_trace():
    try:
        return subprocess.run(["strace", "-o", "/dev/null", "/bin/true"], capture_output=True,
                              check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    if not may_trace():
        print("SKIPPED: no strace, or it may not trace here: processes that cannot be ended were not posed")
        sys.exit(77)
    support.main()
