"""How large the stand-in's parts may be. What runs device code counts apart from the rest."""
import os
import sys
import unittest

ROOT = sys.argv.pop()


def lines_below(folder, apart=()):
    count = 0
    for where, folders, files in os.walk(os.path.join(ROOT, folder)):
        folders[:] = [name for name in folders if os.path.relpath(os.path.join(where, name), ROOT) not in apart]
        for name in files:
            if name.endswith((".cpp", ".h", ".c", ".inc")):
                with open(os.path.join(where, name), encoding="utf-8") as file:
                    count += sum(1 for _ in file)
    return count


class Size(unittest.TestCase):

    def test_device_code(self):
        self.assertIn(lines_below("src/host/kernels"), range(1000, 4301))

    def test_compiling_at_run_time(self):
        self.assertIn(lines_below("src/host/mtrtc"), range(500, 1801))

    def test_managing(self):
        self.assertIn(lines_below("src/host/mtml"), range(500, 2101))

    def test_the_drivers_command(self):
        self.assertIn(lines_below("src/host/gmi"), range(200, 501))

    def test_the_rest(self):
        apart = ("src/host/kernels", "src/host/mtrtc", "src/host/mtml", "src/host/gmi")
        self.assertIn(lines_below("src/host", apart), range(10000, 31501))


unittest.main()
