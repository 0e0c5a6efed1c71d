"""stubs/ compiles for aarch64, but for what stubs/arch/ has for x86-64 alone: other_architecture_test.py SOURCE BUILD

By Debian's cross compiler (g++-aarch64-linux-gnu), without code: no port is built."""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys

COMPILER = "aarch64-linux-gnu-g++"
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Wpointer-arith", "-Werror",
         "-Wno-subobject-linkage", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"]
SKIPPED = 77


def label_of(path, generated):
    """The newest replacement library that has the source; any for what all have."""
    folder = path.split(os.sep)[1]
    labels = sorted(glob.glob(os.path.join(generated, folder + "-*"))) or \
        sorted(glob.glob(os.path.join(generated, "cuda-*")))
    return labels[-1]


def compile_for_aarch64(path, source, build):
    generated = os.path.join(build, "generated")
    folders = [source, build, generated, label_of(path, generated), os.path.join(source, "stubs/arch/aarch64")]
    return subprocess.run([COMPILER, *FLAGS, *("-I" + folder for folder in folders), path], cwd=source,
                          stderr=subprocess.PIPE, text=True, check=False).stderr


def main():
    source, build = sys.argv[1:]
    if not shutil.which(COMPILER):
        print(f"skipped: {COMPILER} is not installed; install g++-aarch64-linux-gnu")
        return SKIPPED
    paths = sorted(os.path.relpath(path, source) for path in glob.glob(source + "/stubs/**/*.cpp", recursive=True))
    paths = [path for path in paths if not path.startswith("stubs/arch/")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [text for text in pool.map(lambda path: compile_for_aarch64(path, source, build), paths) if text]
    print("\n".join(errors))
    print(f"{len(paths)} sources, {len(errors)} do not compile for aarch64")
    return 1 if errors or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
