#!/usr/bin/env python3
"""How long torchada check takes for a tree of shared libraries, against find and nm, side by side.

    check_speed.py [--torchada PROGRAM] [--tree DIR | --size GB] [--repetitions N] [--least RATIO]

Without --tree the tree is made of links to the shared libraries of this system, each once, the
system's own before the toolkit's huge ones. Everything is read once beforehand, so that the disk
does not count. Exit status 1 where the ratio to one nm for each file is below --least; 77 where
the system has too few libraries to say anything.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FOLDERS = ["/usr/lib", "/lib", "/opt", "/usr/local"]
FEWEST = 10
SKIPPED = 77


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


def make_tree(folder, most):
    size = 0
    for number, (bytes_of, path) in enumerate(shared_libraries()):
        if size + bytes_of > most:
            continue
        os.symlink(path, os.path.join(folder, "%05d-%s" % (number, os.path.basename(path))))
        size += bytes_of


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


def seconds(command):
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    build = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build")
    parser.add_argument("--torchada", default=os.path.join(build, "stage", "bin", "torchada"))
    parser.add_argument("--tree", help="folder of shared libraries")
    parser.add_argument("--size", type=float, default=2.0, help="of the tree that is made, in GB")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--least", type=float, default=0.0)
    options = parser.parse_args()
    if not os.access(options.torchada, os.X_OK):
        parser.error("no program %s: build it, or name one with --torchada" % options.torchada)
    if options.tree and not os.path.isdir(options.tree):
        parser.error("--tree: %s is no folder" % options.tree)

    folder = options.tree or tempfile.mkdtemp(prefix="torchada-check-speed-")
    try:
        if not options.tree:
            make_tree(folder, options.size * 1e9)
        count, size = measure_tree(folder)
        if count < FEWEST:
            print("SKIPPED: fewer than %d libraries in the tree" % FEWEST)
            return SKIPPED
        return compare(options, folder, count, size)
    finally:
        if not options.tree:
            shutil.rmtree(folder)


def compare(options, tree, count, size):
    find = "find -L %s -type f " % tree
    commands = {
        "torchada check": [options.torchada, "check", tree],
        "find, one nm -D for each file": ["sh", "-c", find + "-exec nm -D {} ';'"],
        "find | xargs nm -D": ["sh", "-c", find + "-print0 | xargs -0 nm -D"],
    }
    times = {name: [] for name in commands}
    for _ in range(options.repetitions):
        for name, command in commands.items():
            times[name].append(seconds(command))
    print("%d files, %.2f GB, %d repetitions, median (least to most)" % (count, size / 1e9,
                                                                         options.repetitions))
    base = times["torchada check"]
    ratios = {}
    for name, values in times.items():
        ratios[name] = statistics.median(value / own for value, own in zip(values, base))
        print("%-30s %7.3f s (%.3f to %.3f)   ratio %6.2f" % (
            name, statistics.median(values), min(values), max(values), ratios[name]))
    return 0 if ratios["find, one nm -D for each file"] >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
