"""Runs one libFuzzer target on seeds made here, for CHECK_FUZZ_SECONDS (default: 3).

 fuzz_test.py TARGET PROGRAM FOLDER

FOLDER keeps the inputs that the fuzzer finds interesting: the corpus of the next run."""
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import elf_maker  # noqa: E402  pylint: disable=wrong-import-position

FATBIN = elf_maker.fat_binary(elf_maker.image(2, 80, b"x" * 24),
                              elf_maker.image(1, 90, b"y" * 8, 0x8011, b"--compile-only"))


def elf_seeds():
    for bits in (32, 64):
        for big in (False, True):
            yield elf_maker.elf(["libcudart.so.12", "libc.so.6"], bits, big, fatbin=FATBIN,
                                rodata=b"\0/usr/lib/libcublas.so.12\0")
    # With versions, notes and a symbol table.
    for words in (["-shared", "-fPIC"], ["-g"], ["-c"]):
        name = os.path.join(sys.argv[3], "seed.elf")
        subprocess.run(["cc", "-x", "c", "-", "-o", name, *words], check=True,
                       input=b"#include <stdio.h>\nint main(void) { return puts(\"x\"); }\n")
        with open(name, "rb") as file:
            yield file.read()
        os.unlink(name)


def image_seeds():
    """Images of the stand-in, by hand, as small as they can be, and what a linker makes of the same."""
    source = ("__attribute__((section(\".torchada.image\"), used)) static const struct { char mark[16]; "
              "unsigned long size; unsigned sum, unused; } seal = {\"torchada image\", 0, 0, 0};\n"
              "extern double sin(double); extern void *malloc(unsigned long);\n"
              "void *f(double x) { return malloc(sin(x)); }\n")
    for words in ([], ["-s"], ["-Wl,-z,norelro,-z,noseparate-code", "-s"]):
        name = os.path.join(sys.argv[3], "seed.image")
        subprocess.run(["cc", "-x", "c", "-", "-o", name, "-shared", "-fPIC", "-fno-builtin",
                        "-nostartfiles", *words, "-x", "none", "-lm"], check=True, input=source.encode())
        with open(name, "rb") as file:
            yield file.read()
        os.unlink(name)


def archive_seeds():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/lib.so", b"\x7fELF" * 10)
        archive.writestr("b.py", b"x" * 200)
    yield out.getvalue()
    for mode in ("", "gz", "xz", "bz2"):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:" + mode) as archive:
            for name in ("lib.so", "other"):
                entry = tarfile.TarInfo(name)
                entry.size = 20
                archive.addfile(entry, io.BytesIO(b"z" * 20))
        yield out.getvalue()
    header = b"%-16s%-12s%-6s%-6s%-8s%-10d`\n" % (b"a.o/", b"0", b"0", b"0", b"644", 4)
    yield b"!<arch>\n" + header + b"abcd"


# The letter that selects a reader in target_mappings.cpp, and tables for that reader.
READERS = {"a": ["cuda/nccl.yaml", "cuda/curand.yaml", "cuda/cudart.yaml"],
           "b": ["cuda/releases.yaml"], "c": ["musa/mccl.yaml", "musa/murand.yaml"],
           "d": ["musa/backend.yaml"], "e": ["forward/curand.yaml", "forward/cublasLt.yaml"],
           "f": ["forward/types.yaml"], "g": ["cuda/answers.yaml"], "h": ["cuda/no_driver.yaml"],
           "i": ["cuda/nccl_history.yaml"], "j": ["clients.csv"], "k": ["libraries.yaml"]}


def pieces(lines):
    """Shortens a table so that the fuzzer changes its parts often: keeps the first records of each
    part."""
    records = most = 0
    for line in lines:
        if re.match(r"\w", line):
            records, most = 0, 40 if line.startswith("reasons:") else 3  # rows refer to the reasons
        elif re.match(r"- |  ?[\w\"]", line):
            records += 1
        if records <= most and not line.lstrip().startswith("#"):
            yield line


def mapping_seeds():
    for letter, names in READERS.items():
        for name in names:
            with open(os.path.join(os.environ["FUZZ_MAPPINGS"], name), encoding="utf-8") as file:
                lines = file.read().splitlines()
            lines = lines[:20] if name.endswith(".csv") else pieces(lines)
            yield (letter + "\n".join(lines) + "\n").encode()
    types = ("types:\n  e:\n  - {releases: [\"13.0\"], kind: enum, values: {A: 1, B: 0x2}}\n"
             "  s:\n  - {releases: [\"13.0\"], kind: struct, size: 8, align: 4, fields: "
             "[[a, int, 0], [b, \"int[1]\", 4]]}\n")
    yield ("alibrary: x\nbinaries: {}\nsymbols: {}\n" + types).encode()
    yield b"alibrary: &a [*a]\nbinaries: *a\nsymbols: {? {a: b} : c}\ntypes: !!x |\n  y\n"
    yield b"a\"13.0\",.5\"], k"  # documents without end for YAML::LoadAll of 0.7


SEEDS = {
    "mappings": mapping_seeds,
    "elf": elf_seeds,
    "fat_binary": lambda: [FATBIN, FATBIN + b"\0" * 8 + FATBIN],
    "archive": archive_seeds,
    "image": image_seeds,
    "source": lambda: [
        b"#include <cublas_v2.h>\n// c\n/* d */ cudaMalloc(&p); f<<<1, 2>>>(1'000);\n"
        b"R\"x(raw)x\" 'c' \"cudaFree\" \"\\\"\"\n",
        b"\"\"\"doc\n\"\"\" # c\nlib.cudaMalloc(p)\ngetattr(lib, 'cudaFree')\n"],
}


def main():
    target, program, folder = sys.argv[1:]
    seconds = os.environ.get("CHECK_FUZZ_SECONDS", "3")
    seeds, corpus = (os.path.join(folder, name) for name in ("seeds", "corpus"))
    shutil.rmtree(seeds, ignore_errors=True)
    for name in (seeds, corpus):
        os.makedirs(name, exist_ok=True)
    for number, contents in enumerate(SEEDS[target]()):
        with open(os.path.join(seeds, "%s%d" % (target, number)), "wb") as out:
            out.write(contents)
    ended = subprocess.run([program, "-max_total_time=" + seconds, "-timeout=10", "-max_len=16384",
                            "-rss_limit_mb=2048", "-artifact_prefix=" + folder + "/", corpus,
                            seeds], stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True,
                           errors="replace", check=False, timeout=int(seconds) + 200)
    print(ended.stdout[-4000:])
    runs = [line for line in ended.stdout.splitlines() if line.startswith("Done ")]
    # A fuzzer that ran nothing has proved nothing.
    sys.exit(0 if ended.returncode == 0 and runs and int(runs[0].split()[1]) > 100 else 1)


if __name__ == "__main__":
    main()
