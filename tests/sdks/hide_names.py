#!/usr/bin/env python3
"""Copies a shared library and hides all symbols whose names end in one of SUFFIXES.

hide_names.py FROM TO SUFFIX..."""

import struct
import sys
from pathlib import Path


def sections(image):
    """(name, type, offset, size) of each section of a 64-bit little-endian ELF file."""
    table, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", image, table + i * size) for i in range(count)]
    strings = headers[names][4]
    for name, kind, _, _, offset, length in headers:
        end = image.index(b"\0", strings + name)
        yield image[strings + name:end].decode(), kind, offset, length


def main():
    source, target, suffixes = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    image = bytearray(source.read_bytes())
    offset, length = next((at, n) for name, _, at, n in sections(image) if name == ".dynstr")
    text = bytes(image[offset:offset + length])
    hidden = 0
    for suffix in suffixes:
        old = suffix.encode() + b"\0"
        hidden += text.count(old)
        # The new name has the same length. The hash table still uses the old name's hash, so
        # neither name is found.
        text = text.replace(old, old[:-2] + b"!\0")
    if hidden == 0:
        sys.exit(f"{source}: no name ends in one of {suffixes}")
    image[offset:offset + length] = text
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    target.write_bytes(image)
    target.chmod(0o755)
    print(f"{hidden} names hidden")


main()
