"""Each row of the table of inline assembly (src/host/kernels/device/assembly.cu) has a case in a program.

assembly_rows_test.py CLANG HEADERS ROOT."""
import os
import re
import subprocess
import sys
import unittest

CLANG, HEADERS, ROOT = sys.argv[1:4]
KERNELS = os.path.join(ROOT, "src", "host", "kernels")
PROGRAMS = os.path.join(ROOT, "tests", "kernels", "programs")
# For translate/assembly.cpp itself, which has no instruction for them.
OWN = {"shared_address", "flushed", "saturated"}


def preprocessed(source, *flags):
    words = [CLANG, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "--cuda-path=/nonexistent",
             "-nocudainc", "-nocudalib", "-E", "-P", "-DTORCHADA_WARP_SIZE=32", "-I", HEADERS, "-include",
             os.path.join(HEADERS, "torchada_device.h"), *flags, source]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def rows():
    text = preprocessed(os.path.join(KERNELS, "device", "assembly.cu"), "-DTORCHADA_AT_RUN_TIME")
    return set(re.findall(r"\bptx_(\w+) ?\([^()]*\)\s*\{", text)) - OWN


def without_meaning():
    with open(os.path.join(KERNELS, "translate", "assembly.cpp"), encoding="utf-8") as file:
        return set(re.findall(r'"(\w+)"', re.search(r"kWithoutMeaning = \{(.*?)\};", file.read(), re.S).group(1)))


def split(operands):
    """At commas outside of braces and brackets."""
    parts, depth = [""], 0
    for c in operands:
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part for part in parts if part.strip()]


def rows_of(text, dropped):
    """The rows that a piece of inline assembly may take."""
    for register in re.findall(r"%%?([a-z][\w.]*)", text):
        yield "reg_" + register.replace(".", "_")
    statements = re.sub(r"\.reg [^;]*;", "", text)
    for statement in re.findall(r"(?:@!?\w+\s+)?([a-z][\w.:]*\w)\s*([^;]*)", statements):
        name, operands = statement[0].split("."), split(statement[1])
        spaces = () if name[0] in ("cvta", "isspacep") else ("global", "shared", "local", "const", "param")
        kept = [part.partition("::")[0] for part in name[1:]
                if part not in dropped and not re.match("L1|L2", part) and part.partition("::")[0] not in spaces]
        first = {"red": "atom", "barrier": "bar", "set": "setp"}.get(name[0], name[0])
        for parts in (kept, [part for part in kept if part != "sat"]):
            made = "_".join([first, *parts])
            yield made
            yield "%s_of%d" % (made, len(operands))
            if operands and "|" in operands[0]:
                yield made + "_2"


def covered():
    dropped, found = without_meaning(), set()
    for name in sorted(os.listdir(PROGRAMS)):
        path = os.path.join(PROGRAMS, name)
        with open(path, encoding="utf-8") as file:
            if not re.search(r"\basm\b", file.read()):
                continue
        for literals in re.findall(r'\basm(?: volatile)?\(((?:\s*"(?:[^"\\]|\\.)*")+)', preprocessed(path)):
            text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace("\\n", " ")
            found.update(rows_of(text, dropped))
    return found


class AssemblyRows(unittest.TestCase):

    maxDiff = None

    def test_each_row_has_a_case(self):
        table = rows()
        self.assertGreater(len(table), 900)  # else the table was not understood
        self.assertEqual([], sorted(table - covered()), "rows without a case in tests/kernels/programs")

    def test_what_takes_a_row_is_understood(self):
        dropped = without_meaning()
        for text, row in (("add.rn.f32 %0, %1, %2;", "add_f32"), ("red.global.gpu.add.u32 [%0], 1;", "atom_add_u32"),
                          ("{.reg .pred p; shfl.sync.up.b32 %0|p, 1, 2, 3, 4;}", "shfl_up_b32_2"),
                          ("@p exit;", "exit"), ("mov.u32 %0, %%tid.x;", "reg_tid_x"),
                          ("cvta.to.shared.u64 a, %1;", "cvta_to_shared_u64")):
            self.assertIn(row, set(rows_of(text, dropped)))
        self.assertNotIn("add_u32", set(rows_of("add.u64 %0, %1, %2;", dropped)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
