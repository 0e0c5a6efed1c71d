"""The build of torchada that clients run with: what it consists of, and of which commit it is."""
import hashlib
import os
import subprocess

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PARTS = ("bin", "lib", "libexec", "host", "share/tables.bin")
TARGET = "installed_files"  # Everything in a stage.
# What follows from results may differ from the commit.
FOLLOWS = (":!/tests/clients/results", ":!/packaging/doc/clients.md", ":!/README.md", ":!/README_CN.md")


class BuildError(Exception):
    """It is not known of which commit a build is."""


def identity_of(stage):
    """SHA-256 of everything of a build that takes part."""
    paths = []
    for part in PARTS:
        top = os.path.join(stage, part)
        if os.path.isfile(top):
            paths.append(top)
        for folder, _, names in os.walk(top):
            paths += [os.path.join(folder, name) for name in names]
    out, contents = hashlib.sha256(), {}
    for path in sorted(paths):
        inode = os.stat(path).st_ino
        if inode not in contents:
            with open(path, "rb") as file:
                contents[inode] = hashlib.sha256(file.read()).digest()
        out.update(os.path.relpath(path, stage).encode() + b"\0" + contents[inode])
    return out.hexdigest()


def clean_commit(root=ROOT):
    """The commit at which the sources are, "" if they differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False)
    head = git("rev-parse", "HEAD")
    changed = git("status", "--porcelain", "--", ":/", *FOLLOWS)  # With files that git does not know yet.
    return head.stdout.strip() if head.returncode == changed.returncode == 0 and not changed.stdout else ""


def _sources_of(folder):
    """Of which sources a build folder is, "" if it is none."""
    try:
        with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as cache:
            found, = [line.split("=", 1)[1].rstrip("\n") for line in cache
                      if line.startswith("CMAKE_HOME_DIRECTORY:")]
    except (OSError, ValueError):
        return ""
    return os.path.realpath(found)


def commit_of(stage, root=ROOT):
    """The commit of which a build is. A file that says so may be older than the libraries beside it, so this builds:
    what was built is then of the sources, and these are those of the commit."""
    folder = os.path.dirname(os.path.realpath(stage))
    if os.path.basename(os.path.realpath(stage)) != "stage" or _sources_of(folder) != root:
        raise BuildError(f"{stage}: expected the folder 'stage' of a build of {root}; of another it is not known of "
                         "which commit it is")
    commit = clean_commit(root)
    if not commit:
        raise BuildError(f"{root}: the sources differ from every commit; commit them first")
    if subprocess.run(["cmake", "--build", folder, "--target", TARGET], stdin=subprocess.DEVNULL,
                      check=False).returncode != 0:
        raise BuildError(f"{folder}: the target {TARGET} cannot be built; its output is above")
    return commit
