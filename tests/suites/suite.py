"""What the suites of others have in common: where their sources come from, how their programs are started, and what
their results are compared with."""
import argparse
import csv
import os
import subprocess
import sys

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
# Names a folder with clones of the suites, by their names; without it their addresses in sources.yaml are used.
VARIABLE = "TORCHADA_SUITES"
NVCC = "/usr/local/cuda/bin/nvcc"
# Of an A100, for which the suites are built; some programs refuse an older GPU.
CAPABILITY = {"TORCHADA_COMPUTE_CAPABILITY": "8.0"}


class Suite:
    """A suite, and the folder in which it is built."""

    def __init__(self, name, description, *options_of_run):
        """`options_of_run`: for `torchada run`."""
        parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("stage", help="installation of torchada with the CPU stand-in")
        parser.add_argument("work", help="folder that keeps what is downloaded and built")
        parser.add_argument("names", nargs="*", help="these alone (default: all)")
        options = parser.parse_args()
        self.name, self.names, self.options_of_run = name, options.names, options_of_run
        self.torchada = os.path.join(os.path.realpath(options.stage), "bin", "torchada")
        self.work = os.path.join(os.path.realpath(options.work), name)
        os.makedirs(self.work, exist_ok=True)

    def chosen(self, names):
        unknown = set(self.names) - set(names)
        if unknown:
            sys.exit(f"{self.name}: it has no {', '.join(sorted(unknown))}")
        return [name for name in names if name in self.names or not self.names]

    def sources(self):
        """The folder with the suite's sources, at the commit of sources.yaml. A suite that cannot be had is an
        error."""
        with open(os.path.join(HERE, "sources.yaml"), encoding="utf-8") as file:
            source = yaml.safe_load(file)[self.name]
        folder = os.path.join(self.work, "sources")
        kept = os.environ.get(VARIABLE)
        address = os.path.join(kept, self.name) if kept else source["address"]
        git = ["git", "-C", folder]
        try:
            if not os.path.isdir(os.path.join(folder, ".git")):
                subprocess.run(["git", "init", "--quiet", folder], check=True)
            if subprocess.run([*git, "cat-file", "-e", source["commit"] + "^{commit}"], check=False,
                              stderr=subprocess.DEVNULL).returncode:
                subprocess.run([*git, "fetch", "--quiet", "--depth=1", address, source["commit"]], check=True)
            subprocess.run([*git, "reset", "--quiet", "--hard", source["commit"]], check=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{self.name}: no sources from {address} at commit {source['commit']}: {error}\n"
                     f"Set {VARIABLE} to a folder that has a clone named {self.name}.")
        return folder

    def run(self, command, *, kernels="", seconds=600, environment=None, folder=None):
        """Under torchada. The status, and what was printed; status None: it did not end in time."""
        kernels = ["--kernels=" + kernels] if kernels else []
        return called([self.torchada, "run", "--backend=host", *self.options_of_run, *kernels, "--", *command],
                      seconds,
                      env={**os.environ, **CAPABILITY, **(environment or {})}, cwd=folder)

    def image(self, output, sources, *flags):
        """An image of the kernels in these sources. The status, and what was printed."""
        toolkit = os.path.join(os.path.dirname(os.path.dirname(NVCC)), "include")
        return called([self.torchada, "kernels", "build", "--backend=host", "-std=c++17", "-D__CUDA_ARCH_LIST__=800",
                       "-I", toolkit, "-I", os.path.join(toolkit, "cccl"), *flags, "-o", output, *sources], 1800)

    def judge(self, outcomes):
        """Compares {name: reason of the failure, or ""} with NAME.csv, the table of what is not expected to pass, and
        prints both. The status for the shell."""
        expected = self.expected()
        passed = sorted(name for name, reason in outcomes.items() if not reason)
        print(f"{self.name}: {len(outcomes)} ran, {len(passed)} passed, "
              f"{len([name for name in outcomes if outcomes[name] and name in expected])} failed as expected")
        wrong = [f"{name}: {reason}" for name, reason in sorted(outcomes.items()) if reason and name not in expected]
        wrong += [f"{name}: passes, so it does not belong into the table: {expected[name]}" for name in passed
                  if name in expected]
        wrong += [f"{name}: is in the table and did not run" for name in sorted(expected) if name not in outcomes
                  and not self.names]
        print("\n".join(f"UNEXPECTED: {line}" for line in wrong), flush=True)
        return 1 if wrong else 0

    def expected(self):
        """{what is not expected to pass: why}"""
        path = os.path.join(HERE, self.name + ".csv")
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8", newline="") as file:
            return {row["name"]: row["reason"] for row in csv.DictReader(file)}


def called(command, seconds, **how):
    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               timeout=seconds, check=False, **how)
    except subprocess.TimeoutExpired as error:
        return None, (error.stdout or b"").decode(errors="replace")
    return ended.returncode, ended.stdout.decode(errors="replace")
