"""Runs the steps of a client under `torchada run`, or, if it was built for MUSA, on the CPU stand-in alone, and
survives what they do."""
import glob
import json
import os
import signal
import subprocess
import time

from client import ClientError
from debian import environment_below

HERE = os.path.dirname(os.path.abspath(__file__))
TICK = 0.05
EXIT = "exit"  # What happened after the last step: always the last entry.
# An account of the devices that only clients use: they compare how much memory is free.
ACCOUNT = f"clients{os.getpid()}"
# How the lines begin that are kept of each step.
COMMANDS = "/usr/local/bin:/usr/bin:/bin"
SAYS = {"CUDA": "torchada: ", "MUSA": "torchada host: "}
PROGRESS = "torchada: kernels: "  # Kernels that are made while the program waits: no answer to a call.


def folder_of_kernels():
    """The caller's: sources are fetched, and kernels made of them, once for all clients and runs."""
    return os.environ.get("TORCHADA_KERNELS_FOLDER") or os.path.expanduser("~/.cache/torchada/kernels")


def remove_account():
    for path in glob.glob(f"/dev/shm/torchada-musa-{os.geteuid()}-*-{ACCOUNT}"):
        os.unlink(path)


def musa_of(stage):
    """What the environment has with an SDK and a driver of MUSA, and with its command: here those of
    the newest tree of the stand-in."""
    sdk = os.path.realpath(os.path.join(stage, "host", "current"))
    driver = os.path.join(stage, "host", "driver", os.path.basename(sdk))
    return {"LD_LIBRARY_PATH": ":".join([os.path.join(sdk, "lib"), driver]), "PATH": COMMANDS + ":" + driver}


def environment_of(stage, home, client):
    """Takes nothing from the caller but where kernels are kept: it is the same on every machine."""
    musa = (musa_of(stage) if client.built_for == "MUSA" else
            {"TORCHADA_MUSA_PATH": os.path.join(stage, "host", "current")})
    root = os.path.dirname(home)
    debian = os.path.join(root, "debian")
    out = {"PATH": COMMANDS, "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8",
           "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.path.join(HERE, "in_client"),
           **musa, "TORCHADA_HOST_DEVICES": "1",
           "TORCHADA_HOST_MEMORY": "2G", "TORCHADA_HOST_ACCOUNT": ACCOUNT, "OMP_NUM_THREADS": "2",
           **({"TORCHADA_KERNELS_FOLDER": folder_of_kernels()} if client.kernels else {}),
           "CLIENT_SOURCES": os.path.join(root, "sources"), "CLIENT_DEBIAN": debian, **client.environment}
    return environment_below(debian, out) if client.debian else out


def declared(python, client, environment):
    """{step: kind}, as the script declares them. It imports nothing of the client for this."""
    try:
        out = subprocess.run([python, client.script, "list"], env=environment, capture_output=True, text=True,
                             timeout=60, check=True, stdin=subprocess.DEVNULL)
        return json.loads(out.stdout)
    except subprocess.CalledProcessError as error:
        raise ClientError(f"{client.script} list: status {error.returncode}: {error.stderr[-500:]}") from error
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise ClientError(f"{client.script} list: {error}") from error


def _end(process):
    """Ends the process and everything that it started in its session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def how_it_ended(status):
    if status < 0:
        return signal.Signals(-status).name
    return f"exit status {status}"


def ended(outcome, message):
    """What the end of the process did."""
    return {"kind": "host", "outcome": outcome, "message": message, "compared": 0, "said": []}


class Player:
    """`alone`: the steps run without torchada."""

    def __init__(self, stage, python, client, home, log, alone=False):
        self.client, self.log = client, log
        self.environment = environment_of(stage, home, client)
        self.report = os.path.join(home, "report.jsonl")
        made = ["--kernels-from=" + client.kernels] if client.kernels else []
        launcher = [os.path.join(stage, "bin", "torchada"), "run", *client.options, *made, "--"]
        if alone or client.built_for == "MUSA":
            launcher = []
        self.command = [*launcher, python, client.script]
        self.kinds = declared(python, client, self.environment)
        self.results = {}  # step: {outcome, message, kind, compared, said}
        self.mapped = set()  # Files that the client had loaded at its end.
        self.partly = set()  # What shows that the steps ran a part of the package.

    def play(self):
        """{step: {kind, outcome, message, compared, said}}: `compared` is the number of values that were compared with
        a reference, `said` are torchada's lines during the step."""
        open(self.log, "w", encoding="utf-8").close()
        left = list(self.kinds)
        while left:
            self._one_process(left)
            left = [name for name in left if name not in self.results]
        self.results.setdefault(EXIT, ended("ok", ""))
        return {name: self.results[name] for name in [*self.kinds, EXIT]}

    def _one_process(self, names):
        """Runs until the script ends, crashes or hangs. At least one step has a result afterwards."""
        open(self.report, "w", encoding="utf-8").close()
        failed = ["-" + name for name, result in self.results.items() if result["outcome"] != "ok"]
        with open(self.log, "a", encoding="utf-8") as log:
            # In a new session: a step's children then end with it.
            process = subprocess.Popen([*self.command, self.report, *names, *failed], env=self.environment,
                                       cwd=os.path.dirname(self.report), stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, start_new_session=True)
            seen, last = 0, time.monotonic()
            hung = False
            while process.poll() is None:
                time.sleep(TICK)
                lines = self._lines()
                if len(lines) != seen:
                    seen, last = len(lines), time.monotonic()
                elif time.monotonic() - last > self.client.seconds:
                    hung = True
                    break
            _end(process)
        status = process.returncode
        outcome = ("hang", f"no answer within {self.client.seconds} s") if hung else ("crash", how_it_ended(status))
        begun, finished = self._take()
        if finished:
            if hung or status != 0:
                self.results[EXIT] = ended(*outcome)
            return
        if begun is None:
            # It ended before or between steps: no step can be blamed, none can be reached.
            for name in names:
                self.results.setdefault(name, self._result(name, *outcome, ""))
            return
        self.results[begun] = self._result(begun, *outcome, self._text()[self._begun_at:])

    def _lines(self):
        with open(self.report, encoding="utf-8") as file:
            return [line for line in file.read().split("\n") if line]

    def _text(self):
        with open(self.log, "rb") as file:
            return file.read()

    def _result(self, name, outcome, message, text, compared=0):
        lines = text.decode(errors="replace").split("\n") if isinstance(text, bytes) else []
        said = [line[:500] for line in lines if line.startswith(SAYS[self.client.built_for]) and PROGRESS not in line]
        return {"kind": self.kinds[name], "outcome": outcome, "message": message, "compared": compared,
                "said": said[:20]}

    def _take(self):
        """Takes over the report. (the step that was under way, whether all steps ended)"""
        begun, finished, text = None, False, self._text()
        self._begun_at = 0
        for line in self._lines():
            record = json.loads(line)
            if "begin" in record:
                begun, self._begun_at = record["begin"], record["log"]
            elif "end" in record:
                name = record["end"]
                self.partly.update(record["partly"])
                during = text[self._begun_at:record["log"]] if begun == name else b""
                self.results[name] = self._result(name, record["outcome"], record["message"], during,
                                                  record["compared"])
                begun = None
            else:
                finished = True
                self.mapped.update(record["mapped"])
        return begun, finished
