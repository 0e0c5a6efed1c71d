#!/usr/bin/env python3
"""How long torchada check takes for a tree of files, against find and nm, in turns.

    check_speed.py [--torchada PROGRAM] [--tree DIR | --size GB] [--repetitions N] [--cold] [--least RATIO]

Without --tree there are three trees: links to the shared libraries of this system, each once, the
system's own before the toolkit's huge ones; a Python package with few of them, the standard library
of this interpreter; and the libraries of CUDA's toolkit, if it is installed. Everything is read once
beforehand, so that the disk does not count. With --cold the kernel drops its caches before each
command, which only root may ask of it. One nm for each file is left out then, and for the package,
where it takes minutes. Exit status 1 where the ratio to one nm for each file is below --least; 77
where the system has too few libraries to say anything.
"""
import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

FOLDERS = ["/usr/lib", "/lib", "/opt", "/usr/local"]
TOOLKIT = "/usr/local/cuda/lib64"
FEWEST = 10
SKIPPED = 77
ONE_FOR_EACH = "find, one nm -D for each file"


def shared_libraries():
    """(size, path) of each file, once."""
    seen = set()
    for folder in FOLDERS:
        for place, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = os.path.join(place, name)
                if ".so" not in name or os.path.islink(path) or not os.path.isfile(path):
                    continue
                status = os.stat(path)
                if (status.st_dev, status.st_ino) in seen:
                    continue
                seen.add((status.st_dev, status.st_ino))
                with open(path, "rb") as file:
                    if file.read(4) == b"\x7fELF":
                        yield status.st_size, path


def link_libraries(folder, most):
    size = 0
    for number, (bytes_of, path) in enumerate(shared_libraries()):
        if size + bytes_of > most:
            continue
        os.symlink(path, os.path.join(folder, "%05d-%s" % (number, os.path.basename(path))))
        size += bytes_of


def copy_package(folder):
    without = shutil.ignore_patterns("site-packages", "dist-packages", "test", "tests", "__pycache__", "config-*")
    shutil.copytree(sysconfig.get_path("stdlib"), os.path.join(folder, "package"), symlinks=True, ignore=without)


def measure_tree(tree):
    """Number of files and bytes. Reads all of them."""
    count = size = 0
    for place, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path):
                count, size = count + 1, size + os.path.getsize(path)
                with open(path, "rb") as file:
                    while file.read(1 << 22):
                        pass
    return count, size


def drop_caches():
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as file:
        file.write("3\n")


def seconds(command, cold):
    if cold:
        drop_caches()
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - start


@contextlib.contextmanager
def temporary_tree(fill):
    folder = tempfile.mkdtemp(prefix="torchada-check-speed-")
    try:
        fill(folder)
        yield folder
    finally:
        shutil.rmtree(folder)


def compare(options, what, tree, one_for_each=True, links=False):
    """The ratios by command, or none if the tree is too small."""
    count, size = measure_tree(tree)
    if count < FEWEST:
        print("SKIPPED: fewer than %d files in the tree of %s" % (FEWEST, what))
        return None
    # check examines each file once. So does nm, except where all files of the tree are links.
    find = "find %s %s -type f " % ("-L" if links else "-H", tree)
    commands = {
        "torchada check": [options.torchada, "check", tree],
        ONE_FOR_EACH: ["sh", "-c", find + "-exec nm -D {} ';'"],
        "find | xargs nm -D": ["sh", "-c", find + "-print0 | xargs -0 nm -D"],
    }
    if options.cold or not one_for_each:
        del commands[ONE_FOR_EACH]
    times = {name: [] for name in commands}
    for _ in range(options.repetitions):
        for name, command in commands.items():
            times[name].append(seconds(command, options.cold))
    print("%s%s: %d files, %.2f GB, %d repetitions, median (least to most)" % (
        what, ", cold" if options.cold else "", count, size / 1e9, options.repetitions))
    base = times["torchada check"]
    ratios = {}
    for name, values in times.items():
        ratios[name] = statistics.median(value / own for value, own in zip(values, base))
        print("%-46s %7.3f s (%.3f to %.3f)   ratio %6.2f" % (
            name + ", " + what, statistics.median(values), min(values), max(values), ratios[name]))
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    build = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build")
    parser.add_argument("--torchada", default=os.path.join(build, "stage", "bin", "torchada"))
    parser.add_argument("--tree", help="this folder alone")
    parser.add_argument("--size", type=float, default=0.66, help="of the tree of libraries that is made, in GB")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--cold", action="store_true", help="nothing is in the kernel's caches")
    parser.add_argument("--least", type=float, default=0.0)
    options = parser.parse_args()
    if not os.access(options.torchada, os.X_OK):
        parser.error("no program %s: build it, or name one with --torchada" % options.torchada)
    if options.tree and not os.path.isdir(options.tree):
        parser.error("--tree: %s is no folder" % options.tree)

    if options.tree:
        results = [compare(options, "the tree", options.tree)]
    else:
        with temporary_tree(lambda folder: link_libraries(folder, options.size * 1e9)) as tree:
            results = [compare(options, "libraries", tree, links=True)]
        if results[0]:
            with temporary_tree(copy_package) as tree:
                results.append(compare(options, "Python package", tree, one_for_each=False))
        if os.path.isdir(TOOLKIT):
            results.append(compare(options, "CUDA's own libraries", TOOLKIT, one_for_each=False))
    if None in results:
        return SKIPPED
    return 0 if all(ratios.get(ONE_FOR_EACH, options.least) >= options.least for ratios in results) else 1


if __name__ == "__main__":
    sys.exit(main())
