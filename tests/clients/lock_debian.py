#!/usr/bin/env python3
"""Writes a debian.txt: the packages of Debian 12 that a client needs beyond a minimal system, at today's versions.

  lock_debian.py [--without PACKAGE]... PACKAGE... > programs/NAME/debian.txt

--without leaves out a package, and what only it needs: NVIDIA's driver and what torchada takes the place of. Asks
Debian's mirror, also for contrib and non-free; installs nothing, and needs no root."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

COMPONENTS = "main contrib non-free"
SUITES = {"http://deb.debian.org/debian": ("bookworm", "bookworm-updates"),
          "http://deb.debian.org/debian-security": ("bookworm-security",)}
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
MINIMAL = "?priority(required)"  # What debootstrap installs of the variant minbase, beside apt.
# What a package needs does not count if the package itself is left out.
FIELDS = re.compile(r"^(?!Package|Version|Architecture|Multi-Arch|Provides|Maintainer)[\w-]+:.*\n(?: .*\n)*",
                    re.MULTILINE)
LINE = re.compile(r"'(?P<url>\S+)' (?P<file>\S+) \d+ SHA256:(?P<sha256>[0-9a-f]{64})")


class Apt:
    """apt with a state of its own: nothing but the packages of `present` is installed, and nobody's settings count."""

    def __init__(self, folder):
        self.folder, self.status = folder, os.path.join(folder, "status")
        for name in ("lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d"):
            os.makedirs(os.path.join(folder, name))
        self._write("status", "")
        self._write("sources.list", "".join(
            f"deb [arch=amd64 signed-by={KEYS}] {mirror} {suite} {COMPONENTS}\n"
            for mirror, suites in SUITES.items() for suite in suites))
        self._write("apt.conf", "".join(f'{key} "{value}";\n' for key, value in {
            "Dir::Etc": folder + "/etc", "Dir::Etc::sourcelist": folder + "/sources.list",
            "Dir::State::lists": folder + "/lists", "Dir::State::status": self.status, "Dir::Cache": folder + "/cache",
            "APT::Architecture": "amd64", "APT::Architectures": "amd64", "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "root", "Acquire::ForceHash": "SHA256"}.items()))
        self._call("apt-get", "update")

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(text)

    def _call(self, *command):
        return subprocess.run(command, env={**os.environ, "APT_CONFIG": self.folder + "/apt.conf", "LC_ALL": "C"},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True).stdout

    def present(self, names):
        """As if these were installed."""
        self._write("status", "".join(
            FIELDS.sub("", self._call("apt-cache", "show", "--no-all-versions", name)).rstrip("\n") +
            "\nStatus: hold ok installed\n\n" for name in names))

    def needed(self, *names):
        """{file: (url, SHA-256)} of packages and of all that they depend on, as far as it is not present."""
        out = {}
        for line in self._call("apt-get", "install", "--print-uris", "-qq", "-y", *names).splitlines():
            found = LINE.fullmatch(line)
            if not found:
                sys.exit(f"lock_debian.py: apt-get: {line}: expected 'URL' FILE SIZE SHA256:SUM")
            out[found["file"]] = (found["url"], found["sha256"])
        return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", action="append", default=[], metavar="PACKAGE")
    parser.add_argument("names", nargs="+", metavar="PACKAGE")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="torchada-lock-") as folder:
        apt = Apt(folder)
        minimal = apt.needed(MINIMAL)
        apt.present(arguments.without)
        found = apt.needed(*arguments.names)
    for name in sorted(set(found) - set(minimal)):
        print(*found[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
