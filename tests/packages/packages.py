"""What the tests of packages share: they make packages of what the build installs, and use them."""
import os
import platform
import subprocess

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
ENVIRONMENT = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "1700000000"}
# What is built with glibc 2.34 or later runs with less far back (packaging/tree.sh).
OLDEST_GLIBC = "2.17" if tuple(map(int, platform.libc_ver()[1].split("."))) < (2, 34) else "2.27"


def read(*command, status=0, **variables):
    """What a command prints. It must end with this status."""
    said = subprocess.run(command, env={**ENVIRONMENT, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if said.returncode != status:
        raise AssertionError("%s: status %d\n%s" % (command, said.returncode, said.stdout))
    return said.stdout


def installed(folder):
    """A tree, in folder, of what the build installs."""
    tree = os.path.join(folder, "tree")
    read("cmake", "--install", os.environ["PACKAGES_BUILD"], "--prefix", tree)
    return tree


def build(kind, tree, out, source=SOURCE):
    """The files that packaging/build-KIND.sh makes of a tree."""
    return read(os.path.join(source, "packaging", "build-%s.sh" % kind), "--tree", tree, "--out", out).split()


def torchada_version():
    return read("bash", "-c", '. "$0"; torchada_version', os.path.join(SOURCE, "packaging", "tree.sh")).strip()


def next_sources(folder, *files):
    """A folder with these files of the sources, which call themselves 0.99."""
    source = os.path.join(folder, "next")
    for file in files:
        os.makedirs(os.path.dirname(os.path.join(source, file)), exist_ok=True)
        read("cp", "-r", os.path.join(SOURCE, file), os.path.join(source, file))
    with open(os.path.join(source, "CMakeLists.txt"), "w", encoding="utf-8") as out:
        out.write("project(torchada VERSION 0.99 LANGUAGES CXX)\n")
    return source
