"""Writes small ELF files of any class and byte order, and other seeds for the fuzzers."""
import struct

EM_386, EM_PPC64, EM_X86_64, EM_AARCH64 = 3, 21, 62, 183


def elf(needed, bits=64, big=False, machine=EM_X86_64, rodata=b"", fatbin=b"", strings=(),
        soname=""):
    """A shared library with these DT_NEEDED entries, dynamic strings and contents of sections."""
    order = ">" if big else "<"
    wide = bits == 64
    word = "Q" if wide else "I"
    header_size, entry_size = (64, 64) if wide else (52, 40)
    dynstr, offsets = b"\0", []
    for text in list(needed) + [soname] * bool(soname) + list(strings):
        offsets.append(len(dynstr))
        dynstr += text.encode() + b"\0"
    dynamic = b"".join(struct.pack(order + word * 2, 1, offset)
                       for offset in offsets[:len(needed)])
    if soname:
        dynamic += struct.pack(order + word * 2, 14, offsets[len(needed)])
    dynamic += struct.pack(order + word * 2, 0, 0)
    names = b"\0.dynstr\0.dynamic\0.rodata\0.nv_fatbin\0.shstrtab\0"
    sections = [  # name, type, contents, link, entry size
        (b"", 0, b"", 0, 0),
        (b".dynstr", 3, dynstr, 0, 0),
        (b".dynamic", 6, dynamic, 1, 16 if wide else 8),
        (b".rodata", 1, rodata, 0, 0),
        (b".nv_fatbin", 1, fatbin, 0, 0),
        (b".shstrtab", 3, names, 0, 0),
    ]
    body, places = b"", []
    for _, _, contents, _, _ in sections:
        body += b"\0" * (-(header_size + len(body)) % 8)
        places.append(header_size + len(body))
        body += contents
    body += b"\0" * (-(header_size + len(body)) % 8)
    table = b""
    for (name, kind, contents, link, entry), place in zip(sections, places):
        at = names.index(name + b"\0") if name else 0
        table += struct.pack(order + "II" + word * 4 + "II" + word * 2, at, kind, 2 if kind else 0,
                             0, place if kind else 0, len(contents), link, 0, 8 if kind else 0,
                             entry)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 2 if big else 1, 1]) + b"\0" * 9
    header = ident + struct.pack(order + "HHI" + word * 3 + "I" + "H" * 6, 3, machine, 1, 0, 0,
                                 header_size + len(body), 0, header_size, 0, 0, entry_size,
                                 len(sections), len(sections) - 1)
    return header + body + table


def image(kind, architecture, payload, flags=0x11, options=b""):
    """One image of a fat binary."""
    extra = b""
    if options:
        extra = struct.pack("<II", 64 + 8, len(options)) + options
        extra += b"\0" * (-len(extra) % 8)
    payload += b"\0" * (-len(payload) % 8)
    compressed = len(payload) if flags & 0xb000 else 0
    return struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 64 + len(extra), len(payload), compressed,
                       64 if extra else 0, 0, 9, architecture, 0, 0, flags, 0, 0) + extra + payload


def fat_binary(*images):
    body = b"".join(images)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body
