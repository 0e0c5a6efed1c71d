"""Installs one client: packages by pip into a new virtual environment, archives of sources, and packages of Debian.
Everything must have its pinned hash."""
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request

from client import ClientError
from debian import packages_of

RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"
SLICE = 5  # Seconds between two measurements of the folder.
INSTALL_SECONDS = 1800
# Every package is named in the file with its hash. Nothing else is fetched, not even to build one.
PIP_OPTIONS = ("--require-hashes", "--no-deps", "--no-build-isolation", "--no-cache-dir", "--no-compile", "--no-input",
               "--quiet", "--disable-pip-version-check", "--no-warn-script-location")


def size_of(folder):
    """Bytes of the disk that the files below a folder take. Hard links count once."""
    seen, total, todo = set(), 0, [folder]
    while todo:
        try:
            entries = list(os.scandir(todo.pop()))
        except FileNotFoundError:  # pip removed it meanwhile.
            continue
        for entry in entries:
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if entry.is_dir(follow_symlinks=False):
                todo.append(entry.path)
            if status.st_ino not in seen:
                seen.add(status.st_ino)
                total += status.st_blocks * 512
    return total


def megabytes(size):
    return f"{size / 1e6:.0f} MB"


def interpreter_of(client):
    """The Python that the client's packages were chosen for: this one, one of the system's, or one of pyenv's."""
    if not client.python or client.python == RUNNING:
        return sys.executable
    name = "python" + client.python
    found = [path for path in [shutil.which(name)] if path]
    if shutil.which("pyenv"):
        found += subprocess.run(["pyenv", "whence", "--path", name], capture_output=True, text=True,
                                check=False).stdout.split("\n")[:-1]
    for path in found:
        # A shim of pyenv's may lead nowhere.
        if subprocess.run([path, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
            return path
    raise ClientError(f"{client.name} is pinned for Python {client.python}, this is {RUNNING}; expected a {name} with "
                      "the module venv in PATH or in pyenv")


def fetch_sources(stage, client):
    """What the recipes of the client's kernels need, as far as it is not there, by the tools of the caller."""
    for recipe in client.kernels.split(":"):
        done = subprocess.run([os.path.join(stage, "bin", "torchada"), "kernels", "fetch", recipe], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=INSTALL_SECONDS)
        if done.returncode:
            raise ClientError(f"torchada kernels fetch {recipe}: {done.stderr[-500:]}")


class Installed:
    """A client's virtual environment. Use with `with`: it is removed at the end."""

    def __init__(self, client, work, limit_gigabytes):
        self.client, self.limit = client, int(limit_gigabytes * 1e9)
        self.root = os.path.join(work, client.name)
        self.venv = os.path.join(self.root, "venv")
        self.python = os.path.join(self.venv, "bin", "python")
        self.bytes = 0

    def __enter__(self):
        try:
            self._install()
        except BaseException:
            shutil.rmtree(self.root, ignore_errors=True)
            raise
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def serves(self, client):
        """Whether another client needs nothing else."""
        return all(getattr(client, what) == getattr(self.client, what)
                   for what in ("requirements", "debian", "sources"))

    def new_home(self):
        """An empty directory, for each client."""
        home = os.path.join(self.root, "home")
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home)
        return home

    @property
    def debian(self):
        return os.path.join(self.root, "debian")

    @property
    def packages(self):
        """Below which the paths of `check` are."""
        if self.client.debian:
            return self.debian
        return os.path.join(self.venv, "lib", "python" + (self.client.python or RUNNING), "site-packages")

    def _install(self):
        client = self.client
        interpreter = interpreter_of(client)
        # While pip works, the archives and what they contain are both on the disk.
        needed = client.megabytes * 1e6 * 1.7
        if needed > self.limit:
            raise ClientError(f"{client.name} needs {megabytes(needed)}, the limit is {megabytes(self.limit)}")
        shutil.rmtree(self.root, ignore_errors=True)
        os.makedirs(os.path.join(self.root, "tmp"))
        free = shutil.disk_usage(self.root).free
        if free < needed:
            raise ClientError(f"{client.name} needs {megabytes(needed)}, {megabytes(free)} are free")
        self._call([interpreter, "-m", "venv", "--without-pip", self.venv])
        for requirements in client.requirements:
            self._call([sys.executable, "-m", "pip", "--python", self.python, "install", *PIP_OPTIONS, "-r",
                        requirements])
        for name, source in client.sources.items():
            self._unpack(name, source)
        for path in client.debian:
            for url, sha256 in packages_of(path):
                self._call(["dpkg-deb", "-x", self._fetch(url, sha256), self.debian])
        self.bytes = size_of(self.root)

    def _fetch(self, url, sha256):
        """The path of the file, until the next is fetched."""
        archive = os.path.join(self.root, "tmp", "archive")
        try:
            with urllib.request.urlopen(url, timeout=60) as answer, open(archive, "wb") as out:
                shutil.copyfileobj(answer, out)
        except OSError as error:
            raise ClientError(f"{url}: {error}") from error
        with open(archive, "rb") as file:
            found = hashlib.sha256(file.read()).hexdigest()
        if found != sha256:
            raise ClientError(f"{url}: its SHA-256 is {found}, expected {sha256}")
        return archive

    def _unpack(self, name, source):
        """The archive's one directory becomes sources/NAME."""
        archive = self._fetch(source["url"], source["sha256"])
        try:
            unpacked = os.path.join(self.root, "tmp", "unpacked")
            with tarfile.open(archive) as file:
                # The checksum says which archive it is. Python 3.11.2, Debian 12's, knows no filter.
                safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                file.extractall(unpacked, **safely)
            top, = os.listdir(unpacked)
            os.makedirs(os.path.join(self.root, "sources"), exist_ok=True)
            os.rename(os.path.join(unpacked, top), os.path.join(self.root, "sources", name))
            os.rmdir(unpacked)
            os.remove(archive)
        except (OSError, ValueError, tarfile.TarError) as error:
            raise ClientError(f"{source['url']}: {error}") from error

    def _call(self, command):
        environment = {**os.environ, "TMPDIR": os.path.join(self.root, "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
        log = os.path.join(self.root, "install.log")
        end = time.monotonic() + INSTALL_SECONDS
        with open(log, "w", encoding="utf-8") as out:
            with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=out) as process:
                while process.poll() is None:
                    try:
                        process.wait(SLICE)
                    except subprocess.TimeoutExpired:
                        pass
                    size = size_of(self.root)
                    if size > self.limit or time.monotonic() > end:
                        process.kill()
                        raise ClientError(f"installing {self.client.name}: it takes {megabytes(size)} and up to "
                                          f"{INSTALL_SECONDS} s; the limit is {megabytes(self.limit)}")
        if process.returncode:
            with open(log, encoding="utf-8", errors="replace") as file:
                raise ClientError(f"{' '.join(command[1:4])}...: status {process.returncode}: {file.read()[-1500:]}")
