#!/usr/bin/env python3
"""The results of large products have the same bits however many threads compute them.

    same_bits_test.py PROGRAM
"""
import os
import subprocess
import sys


def results(threads):
    ended = subprocess.run([sys.argv[1]], env={**os.environ, "TORCHADA_HOST_THREADS": str(threads)},
                           capture_output=True, text=True, check=True, timeout=120)
    return ended.stdout.splitlines()


def main():
    alone = results(1)
    if len(alone) < 15 or any("refused" in line for line in alone):
        sys.exit("the program computed too little:\n" + "\n".join(alone))
    failed = False
    for threads in (2, 3, 5, 16):
        for number, (one, many) in enumerate(zip(alone, results(threads))):
            if one != many:
                print(f"product {number} on {threads} threads: {many}, expected {one}")
                failed = True
    print(f"{len(alone)} products on 1, 2, 3, 5 and 16 threads")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
