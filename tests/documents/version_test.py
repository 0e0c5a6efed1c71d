#!/usr/bin/env python3
"""The version is that of CMakeLists.txt wherever somebody reads it: version_test.py VERSION STAGE TORCHADA_GEN
REPOSITORY"""
import ctypes
import re
import subprocess
import sys
from pathlib import Path


def said_by(*command):
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"{ended.stdout.strip()} (status {ended.returncode})"


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    version, stage, generator, root = sys.argv[1], Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    library = ctypes.CDLL(str(stage / "lib" / "libtorchada.so"))
    library.torchada_version.restype = ctypes.c_char_p
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[([^\]]+)\]", changes, re.MULTILINE)
    manual = (stage / "share/man/man1/torchada.1").read_text(encoding="utf-8")
    said = {
        "torchada --version": (said_by(stage / "bin" / "torchada", "--version"), f"torchada {version} (status 0)"),
        "torchada-gen --version": (said_by(generator, "--version"), f"torchada-gen {version} (status 0)"),
        "torchada_version()": (library.torchada_version().decode(), version),
        "the newest of CHANGELOG.md": (newest and newest.group(1), version),
        "the manual page": (re.search(r"^\.TH .*?(\d+\.\d+\.\d+)", manual, re.MULTILINE).group(1), version),
    }
    wrong = [f"{what}: {found!r}, not {expected!r}" for what, (found, expected) in said.items() if found != expected]
    print("\n".join(wrong or [f"{version}, {len(said)} places"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
