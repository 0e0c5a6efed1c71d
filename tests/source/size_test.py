"""How large the stand-in's parts may be. What runs device code counts apart from the rest."""
import os
import sys
import unittest

ROOT = sys.argv.pop()


def lines_of(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return sum(1 for _ in file)


def lines_below(folder, apart=()):
    count = 0
    for where, folders, files in os.walk(os.path.join(ROOT, folder)):
        folders[:] = [name for name in folders if os.path.relpath(os.path.join(where, name), ROOT) not in apart]
        for name in files:
            if name.endswith((".cpp", ".h", ".c", ".inc")):
                count += lines_of(os.path.join(where, name))
    return count


class Size(unittest.TestCase):

    def test_compiler_of_device_code(self):
        """The pass and its drivers. What device code calls, and the headers that sources include, count apart."""
        assembly = [os.path.join("src/host/kernels/translate", name) for name in
                    ("assembly.cpp", "assembly.h", "assembly_text.cpp", "assembly_text.h")]
        of_assembly = sum(lines_of(name) for name in assembly)
        self.assertIn(lines_below("src/host/kernels/translate") - of_assembly, range(1000, 2901))
        self.assertIn(of_assembly, range(100, 851))
        self.assertIn(lines_below("src/host/kernels/closures"), range(50, 151))
        self.assertIn(lines_below("src/host/kernels/device"), range(100, 401))
        # A row for each instruction of inline assembly.
        self.assertIn(lines_of("src/host/kernels/device/assembly.cu"), range(100, 926))

    def test_headers_of_device_code(self):
        self.assertIn(lines_below("src/host/kernels/include"), range(1000, 3001))

    def test_engine(self):
        self.assertIn(lines_below("src/host/kernels/engine"), range(500, 1501))

    def test_textures(self):
        self.assertIn(lines_below("src/host/kernels/textures"), range(200, 601))

    def test_compiling_at_run_time(self):
        self.assertIn(lines_below("src/host/mtrtc"), range(500, 1501))

    def test_managing(self):
        self.assertIn(lines_below("src/host/mtml"), range(500, 2101))

    def test_the_drivers_command(self):
        self.assertIn(lines_below("src/host/gmi"), range(200, 501))

    def test_the_rest(self):
        apart = ("src/host/kernels", "src/host/mtrtc", "src/host/mtml", "src/host/gmi")
        self.assertIn(lines_below("src/host", apart), range(10000, 32401))


unittest.main()
