"""Reads the folder of a client: client.yaml, requirements.txt, and the script with its steps."""
import glob
import hashlib
import os
import re

import yaml

# What client.yaml may contain, with the type of each value. CONTRIBUTING.md explains the fields.
FIELDS = {"name": str, "version": str, "part": str, "program": str, "script": str, "python": str,
          "megabytes": int, "seconds": int, "check": list, "options": list, "environment": dict, "steps": dict,
          "sources": dict, "requirements": str, "built_for": str, "kernels": str, "command": list}
OPTIONAL = {"program": "", "script": "steps.py", "requirements": ".", "python": "", "seconds": 120,
            "check": [], "options": [], "environment": {}, "sources": {}, "built_for": "CUDA", "kernels": "",
            "command": []}
BUILT_FOR = ("CUDA", "MUSA")
# What the field `part` says if the steps import the package as it is published. Otherwise it names what runs.
PACKAGE = "the package"
OUTCOMES = ("ok", "error", "crash", "unreached")
REQUIREMENTS, DEBIAN = ("first.txt", "requirements.txt"), "debian.txt"
# What the scripts import: a part of their steps.
IN_CLIENT = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "in_client", "*.py")))


class ClientError(Exception):
    """The client's files are not as they should be, or it could not be installed."""


class Expected:
    """A step's expected outcome: `ok`, `unreached`, `error: PATTERN` or `crash: PATTERN`. An error or a crash may have
    `said: PATTERN` in addition: a line that torchada printed by then, which names what is missing.

    Nobody may expect a wrong result or a hang: these are defects."""

    def __init__(self, written, where):
        said = written.get("said", "") if isinstance(written, dict) else ""
        rest = {key: value for key, value in written.items() if key != "said"} if isinstance(written, dict) else {}
        if len(rest) == 1:
            (self.outcome, pattern), = rest.items()
        else:
            self.outcome, pattern = written, ""
        if self.outcome not in OUTCOMES:
            raise ClientError(f"{where}: {written!r}: expected one of {', '.join(OUTCOMES)}")
        if (self.outcome in ("error", "crash")) != bool(pattern):
            raise ClientError(f"{where}: '{self.outcome}': expected a pattern for error and crash, and none otherwise")
        for text in (pattern, said):
            if not isinstance(text, str):
                raise ClientError(f"{where}: {text!r}: expected text; put it in quotes")
        self.pattern, self.said = pattern, said

    def met_by(self, outcome, message, said):
        """`said` are the lines that torchada printed until the step ended."""
        return (outcome == self.outcome and re.search(self.pattern, message) is not None and
                (not self.said or any(re.search(self.said, line) for line in said)))

    def __str__(self):
        out = f"{self.outcome}: {self.pattern}" if self.pattern else self.outcome
        return f"{out}, and torchada says {self.said}" if self.said else out


class Client:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        path = os.path.join(self.folder, "client.yaml")
        try:
            with open(path, encoding="utf-8") as file:
                fields = yaml.safe_load(file)
        except (OSError, yaml.YAMLError) as error:
            raise ClientError(f"{path}: {error}") from error
        for field, value in fields.items():
            if field not in FIELDS:
                raise ClientError(f"{path}: {field}: expected one of {', '.join(FIELDS)}")
            if not isinstance(value, FIELDS[field]):
                raise ClientError(f"{path}: {field}: expected {FIELDS[field].__name__}, found {value!r}")
        missing = sorted(set(FIELDS) - set(OPTIONAL) - set(fields))
        if missing:
            raise ClientError(f"{path}: lacks {', '.join(missing)}")
        fields = {**OPTIONAL, **fields}
        self.name, self.version, self.python = fields["name"], fields["version"], fields["python"]
        # Clients of one program, in several versions or with other options, count once.
        self.part, self.program = fields["part"].strip(), fields["program"] or fields["name"]
        if not self.part or "\n" in self.part:
            raise ClientError(f"{path}: part: {fields['part']!r}: expected one line: '{PACKAGE}', or what runs of it")
        self.megabytes, self.seconds = fields["megabytes"], fields["seconds"]
        self.check, self.options, self.environment = fields["check"], fields["options"], fields["environment"]
        self.sources, self.built_for, self.kernels = fields["sources"], fields["built_for"], fields["kernels"]
        self.command = fields["command"]
        if self.built_for not in BUILT_FOR:
            raise ClientError(f"{path}: built_for: {self.built_for!r}: expected one of {', '.join(BUILT_FOR)}")
        if self.built_for == "MUSA" and (self.check or self.options):
            raise ClientError(f"{path}: check, options: torchada has no part in a program that was built for MUSA; "
                              "expected neither")
        for name, source in self.sources.items():
            if not isinstance(source, dict) or not {"url", "sha256"} <= set(source) <= {"url", "sha256", "repository"}:
                raise ClientError(f"{path}: sources: {name}: expected url, sha256 and perhaps repository")
        self.steps = {step: Expected(written, f"{path}: {step}") for step, written in fields["steps"].items()}
        self.steps.setdefault("exit", Expected("ok", path))
        # Clients of one package in several versions share a script.
        self.script = os.path.normpath(os.path.join(self.folder, fields["script"]))
        if not os.path.isfile(self.script):
            raise ClientError(f"{path}: script: {self.script}: not found")
        # Clients that are one package under other options share its files.
        packages = os.path.normpath(os.path.join(self.folder, fields["requirements"]))
        self.requirements = [os.path.join(packages, name) for name in REQUIREMENTS
                             if os.path.exists(os.path.join(packages, name))]
        self.debian = [path for path in [os.path.join(packages, DEBIAN)] if os.path.exists(path)]
        if packages != self.folder and not self.requirements + self.debian:
            raise ClientError(f"{path}: requirements: {packages}: no {' and no '.join((*REQUIREMENTS, DEBIAN))} there")

    def refusal(self, partly):
        """Why a result is not of the part that client.yaml names, or "". PARTLY has what the steps replaced."""
        if self.part != PACKAGE or not partly:
            return ""
        return f"{self.name}: part: '{PACKAGE}', but {'; '.join(partly)}; expected the part that runs"

    def digest(self):
        """SHA-256 of what decides what happens. Not of the expected outcomes: results are judged again each time."""
        out = hashlib.sha256(repr((self.version, self.seconds, self.check, self.options, self.environment,
                                   self.sources, self.built_for, self.command)).encode() + self.kernels.encode())
        beside = sorted(glob.glob(os.path.join(os.path.dirname(self.script), "*.py")))
        for path in (*beside, *self.requirements, *self.debian, *IN_CLIENT):
            with open(path, "rb") as file:
                out.update(file.read() + b"\0")
        return out.hexdigest()


def clients_below(folder):
    """All clients, smallest first, and those that share their packages one after the other."""
    found = [Client(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
             if os.path.exists(os.path.join(folder, name, "client.yaml"))]
    return sorted(found, key=lambda client: (client.megabytes, client.requirements, client.debian, client.name))
