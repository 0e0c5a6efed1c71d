#!/usr/bin/env python3
"""The forms for issues are such, and ask for what torchada can print: templates_test.py REPOSITORY TORCHADA"""
import re
import subprocess
import sys
from pathlib import Path

import yaml

KINDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


def check(path, torchada):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    for key in ("name", "description", "body"):
        if not form.get(key):
            yield f"has no {key}"
    names = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    if len(names) != len(set(names)):
        yield "an id is there twice"
    for part in form["body"]:
        if part["type"] not in KINDS:
            yield f"{part['type']} is no kind of field"
        text = f"{part['attributes'].get('label', '')} {part['attributes'].get('description', '')}"
        for name, options in re.findall(r"\btorchada ([a-z]+(?:-[a-z]+)*)((?: --[a-z-]+(?:=\w+)?)*)", text):
            usage = subprocess.run([torchada, name, "--help"], capture_output=True, text=True, check=False)
            if usage.returncode:
                yield f"torchada has no command {name}"
            for option in re.findall(r"--[a-z-]+", options):
                if option not in usage.stdout:
                    yield f"torchada {name} has no option {option}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    forms = sorted((Path(sys.argv[1]) / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    findings = [f"{path}: {finding}" for path in forms for finding in check(path, sys.argv[2])]
    print("\n".join(findings + [f"{len(forms)} forms"]))
    return 1 if findings or not forms else 0


if __name__ == "__main__":
    sys.exit(main())
