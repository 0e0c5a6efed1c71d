"""How much torchada check does before the first file, and for each byte of a library's data: in
instructions, which valgrind counts. Times would depend on the machine; these do not."""
import os
import re
import shutil
import subprocess
import sys

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support

# Measured 2026-11-29: 8.7 million and 2.3 for a byte, with 64 bytes at a time; with sixteen 3.0. Before the
# tables were mapped and any search of several bytes at a time 432 million and 7.3.
START = 12_000_000
PER_BYTE = 2.8
MEGABYTE = 1 << 20


def instructions(*words):
    command = os.path.join(support.STAGE, "libexec", "torchada")  # bin/torchada only starts it.
    ended = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", command, *words],
                           capture_output=True, text=True, check=False, timeout=800)
    found = re.search(r"Collected : (\d+)", ended.stderr)
    if ended.returncode or not found:
        sys.exit(f"{words} under valgrind: status {ended.returncode}\n{ended.stderr}")
    return int(found.group(1))


class Instructions(support.CommandTest):

    def library(self, folder, size):
        """Data as in real libraries: short texts, and numbers with many zeros."""
        text = b"some text that is printed\0" * 24 + b"\1\0\0\0\0\0\0\x80" * 50
        rodata = (text * (size // len(text) + 1))[:size]
        with open(os.path.join(folder, "lib.so"), "wb") as out:
            out.write(elf_maker.elf(["libcudart.so.12"], rodata=b"\0libnccl.so.2\0" + rodata))

    def test_counts(self):
        folder = self.folder()
        start = instructions("check", folder) - instructions("--version")
        self.library(folder, MEGABYTE)
        one = instructions("check", "--jobs=1", folder)
        self.library(folder, 5 * MEGABYTE)
        per_byte = (instructions("check", "--jobs=1", folder) - one) / (4 * MEGABYTE)
        print(f"start: {start} instructions, at most {START}; {per_byte:.2f} for a byte, at most {PER_BYTE}")
        self.assertLess(start, START)
        self.assertLess(per_byte, PER_BYTE)


if __name__ == "__main__":
    if shutil.which("valgrind") is None:
        print("SKIPPED: no valgrind, so no instructions are counted")
        sys.exit(support.SKIPPED)
    support.main()
