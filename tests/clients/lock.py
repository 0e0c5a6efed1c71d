#!/usr/bin/env python3
"""Writes a requirements.txt with the versions and hashes that pip chooses today.

  lock.py [--no-deps] PACKAGE==VERSION... > programs/NAME/requirements.txt

Asks the package index; installs nothing."""
import json
import subprocess
import sys


def main():
    if not sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    report = subprocess.run([sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet",
                             "--report", "-", "--disable-pip-version-check", *sys.argv[1:]],
                            stdout=subprocess.PIPE, check=True).stdout
    for item in sorted(json.loads(report)["install"], key=lambda item: item["metadata"]["name"].lower()):
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        print(f"{name}=={version} --hash=sha256:{item['download_info']['archive_info']['hashes']['sha256']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
