"""SECURITY.md lists every variable that loads code: each variable that the sources read is either in
its table or in the list here of those that load none."""
import os
import re
import sys
import unittest

ROOT = sys.argv.pop()

# Reading them opens, starts and loads nothing.
LOAD_NOTHING = set("""
    GLIBC_TUNABLES HOME MCCL_DEBUG MCCL_HOSTID MUSA_VISIBLE_DEVICES NO_COLOR
    NVIDIA_VISIBLE_DEVICES OMP_NUM_THREADS PYTHONPATH SHELL TERM VIRTUAL_ENV ZDOTDIR
    LD_BIND_NOW LD_DEBUG LD_TRACE_LOADED_OBJECTS LD_VERBOSE
    TORCHADA_AUDIT_ABI TORCHADA_AUDIT_LEFT_OUT TORCHADA_COMPUTE_CAPABILITY TORCHADA_CUDA_VERSION
    TORCHADA_DISABLE TORCHADA_HOST_ACCOUNT TORCHADA_HOST_ARCH TORCHADA_HOST_COMPILE_SECONDS
    TORCHADA_HOST_DEVICES TORCHADA_HOST_LOST TORCHADA_HOST_MEMORY TORCHADA_HOST_PROCESSORS
    TORCHADA_HOST_THREADS
    TORCHADA_KERNELS_KEEP TORCHADA_LOG TORCHADA_LOG_FILE TORCHADA_NCCL_VERSION TORCHADA_NVML
    TORCHADA_RECORD_KERNELS TORCHADA_SET_ASIDE_ TORCHADA_STRICT TORCHADA_SUMMARY TORCHADA_TRACE TORCHADA_TRACE_FILTER
    """.split())

# A name in quotes is a variable if it has such a prefix, or if it is asked for at once.
PREFIXED = re.compile(r'"((?:TORCHADA|LD|CUDA_INJECTION64)_[A-Z0-9_]+)(?:=[^"]*)?"')
ASKED = re.compile(r'(?:getenv|environment|environment_variable|number_variable)\(\s*"([A-Za-z0-9_]+)"')
LISTED = re.compile(r'for \(const char\* const \w+ : \{((?:"[A-Z_]+",? ?)+)\}\)')
ROOTS = re.compile(r"^  environment: \[([A-Z_, ]+)\]", re.MULTILINE)


def text_of(*names):
    with open(os.path.join(ROOT, *names), encoding="utf-8") as file:
        return file.read()


def variables_in_sources():
    found = set(re.split(r",\s*", ROOTS.search(text_of("mappings", "musa", "backend.yaml")).group(1)))
    for folder in ("src", "stubs"):
        for where, _, files in os.walk(os.path.join(ROOT, folder)):
            for name in files:
                if not name.endswith((".cpp", ".h", ".inc", ".c", ".S")):
                    continue
                text = text_of(where, name)
                found.update(PREFIXED.findall(text))
                found.update(ASKED.findall(text))
                if "getenv" in text:
                    for names in LISTED.findall(text):
                        found.update(re.findall(r'"([A-Z_]+)"', names))
    return found


def variables_in_document():
    table = text_of(".github", "SECURITY.md").split("## Variables that load code")[1]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([A-Z0-9_]+)`", row)}


class Security(unittest.TestCase):

    def test_every_variable_that_loads_code_is_listed(self):
        read, listed = variables_in_sources(), variables_in_document()
        self.assertGreater(len(read), 40)
        self.assertEqual(set(), read - listed - LOAD_NOTHING, "say in SECURITY.md whether these load code")
        self.assertEqual(set(), listed - read, "no source reads what SECURITY.md lists")
        self.assertEqual(set(), LOAD_NOTHING - read, "no source reads these: take them out of the list here")
        self.assertEqual(set(), listed & LOAD_NOTHING)

    def test_a_variable_that_nobody_has_listed_is_found(self):
        self.assertEqual(["NEW_VARIABLE"], ASKED.findall('x = secure_getenv("NEW_VARIABLE");'))
        self.assertEqual(["TORCHADA_NEW"], PREFIXED.findall('constexpr char kNew[] = "TORCHADA_NEW";'))


unittest.main()
