"""A library that does not exist, added to a copy of the tree by steps 1 to 4 of CONTRIBUTING.md: tables alone.

 invented_library_test.py SOURCE BUILD CMAKE CC CXX

CUDA's libinventa.so.7 of CUDA 12 has two functions: inventaAdd, which MUSA has, and inventaPaint, which
it has not. MUSA's libmuinventa.so.1 lies in a system folder, as the driver's libraries do. A program
that needs libinventa.so.7 is run: the library is loaded, its function resolved, traced and reported,
and `torchada check` and `coverage` know it. No file is added or changed but those that the steps name. At every
step, the tree can be configured, with tests and all."""
import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

SOURCE, BUILD, CMAKE, CC, CXX = sys.argv[1:]
STAGE = os.path.join(BUILD, "stage")
GENERATOR = os.path.join(BUILD, "generator", "torchada-gen")

LIBRARY = """
  inventa:
    stem: libinventa
    sonames: {libinventa.so.7: [12]}
    prefixes: {inventa: muinventa}
    status: inventaStatus
    backend: muinventa
    offered: by default
    headers: [inventa.h]
"""
BACKEND = """
  muinventa:
    stem: libmuinventa
    home: driver
    headers: [muinventa.h]
    sonames:
    - {name: libmuinventa.so.1, tier: nm, source: "invented/for-a-test:listing"}
"""
CUDA = """library: inventa
binaries:
  "12.9": {soname: libinventa.so.7, node: libinventa.so.7, needed: [libc.so.6], runpath: ""}
symbols:
  inventaAdd:
    releases: ["12.9"]
    appeared: "12.9"
    removed: "13.0"
    prototypes:
    - {releases: ["12.9"], source: inventa.h, returns: inventaStatus, parameters: [[int, a], [int, b], [int *, sum]]}
  inventaPaint:
    releases: ["12.9"]
    appeared: "12.9"
    removed: "13.0"
    prototypes:
    - {releases: ["12.9"], source: inventa.h, returns: inventaStatus, parameters: [[int, colour]]}
types:
  inventaStatus:
  - releases: ["12.9"]
    kind: enum
    values:
      INVENTA_SUCCESS: 0
      INVENTA_NO_DEVICE: 3
      INVENTA_REFUSED: 5
"""
MUSA = """library: muinventa
symbols:
  muinventaAdd:
    tier: nm
    sources: ["invented/for-a-test:listing"]
    prototypes:
    - {like: inventaAdd@12, tier: code}
types:
  muinventaStatus:
  - kind: enum
    tier: decl
    complete: true
    sources: ["invented/for-a-test:binding"]
    values: {MUINVENTA_SUCCESS: 0, MUINVENTA_NO_DEVICE: 3, MUINVENTA_REFUSED: 5}
"""
SOURCES = """  invented/for-a-test:
    commit: 0123456789abcdef0123456789abcdef01234567
    files:
      listing: {names: nm, rest: code}
      binding: decl
"""
FORWARD = """library: inventa
status: {unsupported: INVENTA_REFUSED, no_backend: INVENTA_NO_DEVICE, unloading: INVENTA_NO_DEVICE,
         forked: INVENTA_NO_DEVICE}
backend_status: {type: muinventaStatus, unsupported: MUINVENTA_REFUSED, no_backend: MUINVENTA_NO_DEVICE,
                 unloading: MUINVENTA_NO_DEVICE, forked: MUINVENTA_NO_DEVICE}
reasons:
  no-brush: "MUSA has no brush"
rows:
  inventaAdd: {direct: muinventaAdd}
  inventaPaint: {unsupported: no-brush}
"""
HEADER = "int inventaAdd(int a, int b, int* sum);\nint inventaPaint(int colour);\n"
PROGRAM = HEADER + """
#include <stdio.h>
int main(void) {
  int sum = 0;
  const int added = inventaAdd(40, 2, &sum);
  printf("%d %d %d\\n", added, sum, inventaPaint(1));
  return 0;
}
"""
MU = "int muinventaAdd(int a, int b, int* sum) { *sum = a + b; return 0; }\n"


def run(*words, cwd=None, status=0, **environment):
    result = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, **environment))
    if result.returncode != status:
        sys.exit(f"{' '.join(words)}: exit code {result.returncode}, expected {status}\n"
                 f"{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def insert(path, before, text):
    """Puts `text` before the first line that starts with `before`."""
    with open(path, encoding="utf-8") as file:
        content = file.read()
    assert content.count(before) >= 1, f"{path} has no {before!r}"
    write(path, content.replace(before, text + before, 1))


def tracked_files():
    listed = run("git", "ls-files", "-z", cwd=SOURCE).stdout.split("\0")
    return [name for name in listed if name and os.path.isfile(os.path.join(SOURCE, name))]


def copy_tree(tree):
    """The tracked files, as they are now."""
    for name in tracked_files():
        os.makedirs(os.path.dirname(os.path.join(tree, name)) or tree, exist_ok=True)
        shutil.copy2(os.path.join(SOURCE, name), os.path.join(tree, name))


def files_of_steps():
    """What steps 1 to 4 of CONTRIBUTING.md, "Adding a library", say that a library touches."""
    with open(os.path.join(SOURCE, "CONTRIBUTING.md"), encoding="utf-8") as file:
        section = file.read().split("\n### Adding a library\n")[1].split("\n### ")[0]
    steps = re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:5]
    named = re.findall(r"\bmappings/[\w./]+\w", "".join(steps))
    return {name.replace("NAME", "inventa").replace("BACKEND", "muinventa") for name in named}


def check_touched(tree):
    touched = {name for name in tracked_files()
               if not filecmp.cmp(os.path.join(SOURCE, name), os.path.join(tree, name), shallow=False)}
    for folder, _, names in os.walk(tree):
        paths = (os.path.relpath(os.path.join(folder, name), tree) for name in names)
        touched.update(path for path in paths if not os.path.exists(os.path.join(SOURCE, path)))
    # No package has the invented library.
    expected = files_of_steps() - {"mappings/cuda/releases.yaml"}
    assert touched == expected, f"touched, or named by CONTRIBUTING.md, but not both: {touched ^ expected}"


def add_library(tree):
    """CONTRIBUTING.md, "Adding a library"."""
    mappings = os.path.join(tree, "mappings")
    registry = os.path.join(mappings, "libraries.yaml")
    insert(registry, "\n# others:", LIBRARY)
    with open(registry, "a", encoding="utf-8") as file:
        file.write(BACKEND)
    write(os.path.join(mappings, "cuda", "inventa.yaml"), CUDA)
    write(os.path.join(mappings, "musa", "muinventa.yaml"), MUSA)
    insert(os.path.join(mappings, "musa", "sources.yaml"), "pages:\n", SOURCES)
    write(os.path.join(mappings, "forward", "inventa.yaml"), FORWARD)
    types = os.path.join(mappings, "forward", "types.yaml")
    insert(types, "  cudaError_t: ", "  inventaStatus: muinventaStatus\n")
    insert(types, "enumerator_prefixes:\n", "")
    with open(types, encoding="utf-8") as file:
        content = file.read()
    write(types, content.replace("enumerator_prefixes:\n", "enumerator_prefixes:\n  INVENTA_: MUINVENTA_\n", 1))


def configure(tree, folder, *options):
    run(CMAKE, "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_C_COMPILER=" + CC, "-DCMAKE_CXX_COMPILER=" + CXX,
        *options)


def write_lists(tree, folder):
    """Before the lists are written, everything can be configured, and torchada-gen be built. A build then prints the
    command that writes them."""
    configure(tree, folder)
    commands = run("ninja", "-C", folder, "-t", "commands", "torchada-gen").stdout
    assert "main.cpp" in commands and "torchada-gen emit" not in commands, commands
    mappings = os.path.join(tree, "mappings")
    lists = os.path.join(mappings, "libraries.cmake")
    said = run(GENERATOR, "emit", "--mappings=" + mappings, "--out=" + folder, "--lists=" + lists, status=2).stderr
    program, *words = re.search("run `(.*)` and build again", said)[1].split()
    assert program == "torchada-gen", said
    run(GENERATOR, *words)
    configure(tree, folder)


def build(tree, folder):
    # Not optimised, because the tables are tried here and not the compiler.
    configure(tree, folder, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O0", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
              "-DTORCHADA_GENERATOR=" + GENERATOR, "-DTORCHADA_BUILD_HOST=OFF", "-DTORCHADA_BUILD_TESTS=OFF",
              "-DTORCHADA_BUILD_BENCHMARKS=OFF")
    run(CMAKE, "--build", folder, "--target", "torchada_inventa_12", "torchada_companion", "torchada_emitted")
    # The command reads its tables when it runs, so the one that was built already will do.
    stage = os.path.join(folder, "stage")
    for name in ("bin", "libexec"):
        os.makedirs(os.path.join(stage, name), exist_ok=True)
        shutil.copy(os.path.join(STAGE, name, "torchada"), os.path.join(stage, name))
    # `coverage` opens every library of the tables.
    for name in os.listdir(os.path.join(STAGE, "lib")):
        if ".so." in name:
            shutil.copy(os.path.join(STAGE, "lib", name), os.path.join(stage, "lib"))
    for name in ("driver", "profiler", "nvml"):
        shutil.copytree(os.path.join(STAGE, "lib", name), os.path.join(stage, "lib", name), dirs_exist_ok=True)
    shutil.copy(os.path.join(folder, "generated", "share", "tables.bin"), os.path.join(stage, "share"))
    return stage


def use(stage, folder):
    """Runs a program that needs the library, with MUSA's part in a folder of the loader's path."""
    system = os.path.join(folder, "system")
    os.makedirs(system)
    write(os.path.join(folder, "mu.c"), MU)
    run(CC, "-shared", "-fPIC", "-Wl,-soname,libmuinventa.so.1", "-o", os.path.join(system, "libmuinventa.so.1"),
        os.path.join(folder, "mu.c"))
    write(os.path.join(folder, "program.c"), PROGRAM)
    program = os.path.join(folder, "program")
    run(CC, "-o", program, os.path.join(folder, "program.c"), "-L" + os.path.join(stage, "lib"), "-l:libinventa.so.7")
    environment = {"LD_LIBRARY_PATH": os.path.join(stage, "lib") + ":" + system,
                   "TORCHADA_MUSA_PATH": os.path.join(STAGE, "host", "5.2")}

    result = run(program, TORCHADA_LOG="debug", **environment)
    assert result.stdout == "0 42 5\n", result.stdout
    assert "inventaAdd -> muinventaAdd in " + os.path.join(system, "libmuinventa.so.1") in result.stderr, result.stderr
    assert "inventaPaint" in result.stderr and "MUSA has no brush" in result.stderr, result.stderr

    trace = os.path.join(folder, "trace")
    run(program, TORCHADA_TRACE="text:" + trace, **environment)
    with open(trace, encoding="utf-8") as file:
        text = file.read()
    assert re.search(r"inventaAdd\(.*40.*2.*\) = INVENTA_SUCCESS", text), text
    assert re.search(r"inventaPaint\(.*1.*\) = INVENTA_REFUSED", text), text

    alone = dict(environment, TORCHADA_MUSA_PATH="/nonexistent")
    assert run(program, **alone).stdout == "3 0 3\n"
    return program


def report(stage, program):
    command = os.path.join(stage, "bin", "torchada")
    checked = json.loads(run(command, "check", "--format=json", program, status=1).stdout)
    library, = [item for item in checked["reports"][0]["libraries"] if item["soname"] == "libinventa.so.7"]
    assert library["majors"] == [12], library
    standings = {item["name"]: item["standing"] for item in library["symbols"]}
    assert standings == {"inventaAdd": "supported", "inventaPaint": "unsupported"}, standings
    counted = json.loads(run(command, "coverage", "--format=json").stdout)
    row, = [item for item in counted["libraries"] if item["library"] == "inventa"]
    assert (row["real"], row["supported"], row["unsupported"]) == (2, 1, 1), row
    assert "MUSA has no brush" in run(command, "explain", "inventaPaint").stdout


def check_layout(folder):
    """The link layout follows from the registry, without a word about this library anywhere else."""
    with open(os.path.join(folder, "generated", "share", "layout.txt"), encoding="utf-8") as file:
        assert "libinventa.so.7 inventa 12\n" in file.read()


def main():
    with open(os.path.join(SOURCE, "mappings", "libraries.yaml"), encoding="utf-8") as file:
        assert "inventa" not in yaml.safe_load(file)["libraries"]
    with tempfile.TemporaryDirectory(prefix="torchada-registry.") as folder:
        tree = os.path.join(folder, "tree")
        copy_tree(tree)
        add_library(tree)
        write_lists(tree, os.path.join(folder, "everything"))
        check_touched(tree)
        build_folder = os.path.join(folder, "build")
        stage = build(tree, build_folder)
        check_layout(build_folder)
        program = use(stage, folder)
        report(stage, program)
    print("libinventa.so.7 was built from tables alone, loaded, resolved, traced and reported")


if __name__ == "__main__":
    main()
