"""activate(): torchada's libraries for this process and for those that it starts."""
from __future__ import annotations

import atexit
import ctypes
import os
import re
import subprocess
import sys
from importlib import metadata
from typing import Dict, List, NoReturn, Optional, Tuple

from torchada_native._command import COMMAND, ROOT, CommandError, link_copies

# Packages that load NVIDIA's libraries by their full paths: to these, names mean nothing.
_BY_PATH = re.compile(r"jax[-_]cuda\d+[-_](plugin|pjrt)|transformer[-_]engine([-_].*)?", re.I)
_active = False


class ActivationError(RuntimeError):
    """This process cannot have torchada's libraries. `package` and `file` say what is in the way."""

    def __init__(self, reason: str, package: str, file: str) -> None:
        super().__init__("%s. Nothing was changed; torchada_native.activate(reexec=True) starts the program again "
                         "under `torchada run`, which serves paths, too" % reason)
        self.package = package
        self.file = file


def _names() -> str:
    """The libraries that torchada has, as a regular expression"""
    with open(os.path.join(ROOT, "share", "layout.txt"), encoding="utf-8") as lines:
        stems = {line.split()[0].split("/")[-1].split(".so")[0] for line in lines if ".so" in line}
    return "|".join(sorted(stems))


def second_copies() -> List[str]:
    """CUDA libraries in this process that are not torchada's, although torchada has them."""
    name = re.compile(r"(%s)(-[0-9a-f]+)?\.so[.\d]*" % _names())
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as lines:
        mapped = {columns[5] for columns in (line.rstrip("\n").split(None, 5) for line in lines) if len(columns) == 6}
    return sorted(path for path in mapped
                  if name.fullmatch(os.path.basename(path)) and not path.startswith(ROOT + os.sep))


def _installed() -> List[Tuple[str, str, str]]:
    """(package, its folder, the list of its files) of each package."""
    return [(found.metadata["Name"] or "", str(found.locate_file("")), found.read_text("RECORD") or "")
            for found in metadata.distributions()]


def _package_of(path: str) -> str:
    for package, folder, files in _installed():
        inner = os.path.relpath(path, os.path.realpath(folder))
        if not inner.startswith("..") and re.search("^%s," % re.escape(inner), files, re.M):
            return package
    return ""


def _obstacle() -> Optional[ActivationError]:
    """What a library that is loaded by name could not help."""
    for file in second_copies():
        package = _package_of(file)
        reason = "%s is loaded already%s" % (file, package and ", of the package " + package)
        return ActivationError(reason, package, file)
    packages = _installed()
    # auditwheel's copies have names of their own: libcudart-1234abcd.so.12.
    own = re.compile(r"^([^,\n]*/(?:%s)-[0-9a-f]{8}[^,/\n]*\.so[^,/\n]*)," % _names(), re.M)
    cuda = re.compile(r"^([^,\n]*/(?:%s)\.so[^,/\n]*)," % _names(), re.M)
    for package, folder, files in packages:
        if package == "torchada-native":
            continue
        bundled = own.search(files)
        if bundled:
            file = os.path.join(folder, bundled.group(1))
            return ActivationError("the package %s loads its own copy, %s" % (package, file), package, file)
        if _BY_PATH.fullmatch(package):
            others = [(where, cuda.search(text)) for name, where, text in packages if name.startswith("nvidia-")]
            paths = [os.path.join(where, found.group(1)) for where, found in others if found]
            file = paths[0] if paths else ""
            return ActivationError("the package %s loads CUDA by full paths%s" % (package, file and ", as " + file),
                                   package, file)
    return None


def _start_again() -> NoReturn:
    with open("/proc/self/cmdline", "rb") as file:
        words = [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    if len(words) < 2 or words[-1] == "-" or hasattr(sys, "ps1") or sys.flags.interactive or "ipykernel" in sys.modules:
        raise CommandError("activate(reexec=True) needs a program that can be started again; start this one, for "
                           "example the notebook's server, under `torchada run --`")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.execv(COMMAND, ["torchada", "run", "--", sys.executable, *words[1:]])


def _environment(abi: Optional[int]) -> Dict[str, str]:
    """The variables that `torchada run` would set. It says in a line what it chose."""
    words = [COMMAND, "run", "--via=path", *([] if abi is None else ["--abi=%d" % abi]), "--", "env", "-0"]
    said = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if said.returncode != 0:
        raise CommandError("`torchada run` ended with status %d" % said.returncode)
    pairs = (os.fsdecode(text).partition("=") for text in said.stdout.split(b"\0") if text)
    return {name: value for name, _, value in pairs if name != "_" and os.environ.get(name) != value}


def _load(folders: str) -> None:
    for folder in folders.split(os.pathsep):
        if folder.startswith(ROOT + os.sep):
            for name in sorted(os.listdir(folder)):
                if ".so." in name:
                    ctypes.CDLL(os.path.join(folder, name))


def _tell_second_copies() -> None:
    for file in second_copies():
        print("torchada_native: %s was loaded beside torchada's library; activate(reexec=True) avoids that" % file,
              file=sys.stderr)


def activate(*, reexec: bool = False, abi: Optional[int] = None) -> None:
    """Gives this process and those that it starts torchada's libraries, by name: for
    ctypes.CDLL("libcudart.so.12") and for what is linked with such a name. Call it before anything
    loads CUDA. `abi` offers one CUDA major alone: 11, 12 or 13.

    Where an installed package loads CUDA by full paths, or a CUDA library is in the process already, it
    raises ActivationError before it changes anything. With reexec=True it starts the program again
    under `torchada run` instead, which serves such paths: what ran so far, runs twice. At the end a
    line names each CUDA library that was loaded beside torchada's; second_copies() lists them earlier.

    The command's `torchada activate` does something else: it changes the start-up file of login shells."""
    global _active
    loader = os.environ.get("LD_AUDIT", "") + os.environ.get("LD_PRELOAD", "")
    if _active or ROOT + os.sep in loader:  # The second: `torchada run` started this process.
        return
    obstacle = _obstacle()
    if obstacle and reexec:
        link_copies()
        _start_again()
    if obstacle:
        raise obstacle
    link_copies()
    changes = _environment(abi)
    _load(changes.get("LD_LIBRARY_PATH", os.environ.get("LD_LIBRARY_PATH", "")))
    os.environ.update(changes)
    _active = True
    _tell_second_copies()
    atexit.register(_tell_second_copies)
