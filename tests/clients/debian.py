"""Packages of Debian that a client consists of. They are unpacked, not installed: no root is needed, and no script of
theirs runs."""
import glob
import os
import re

from client import ClientError

LINE = re.compile(r"(?P<url>\S+/[\w.+%~-]+\.deb) (?P<sha256>[0-9a-f]{64})")
LIBRARIES = ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib", "lib")


def packages_of(path):
    """[(url, SHA-256)] of a debian.txt."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    wrong = [line for line in lines if not LINE.fullmatch(line)]
    if wrong:
        raise ClientError(f"{path}: {wrong[0]!r}: expected URL.deb SHA256")
    return [LINE.fullmatch(line).group("url", "sha256") for line in lines]


def environment_below(root, environment):
    """Of programs in the packages that lie unpacked below a folder. Alternatives of Debian, such as those of libblas,
    are in folders of their own there."""
    folders = [os.path.join(root, name) for name in LIBRARIES]
    within = {os.path.dirname(path) for folder in folders
              for path in glob.glob(os.path.join(glob.escape(folder), "*", "lib*.so.[0-9]*"))}
    folders = [folder for folder in folders if os.path.isdir(folder)] + sorted(within - set(folders))
    modules = os.path.join(root, "usr/lib/python3/dist-packages")
    before = {"PATH": os.path.join(root, "usr/bin"), "LD_LIBRARY_PATH": ":".join(folders), "PYTHONPATH": modules}
    return {**environment, **{name: ":".join(filter(None, [text, environment.get(name)]))
                              for name, text in before.items()}}
