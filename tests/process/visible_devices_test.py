"""Eight ranks on one host: each sees the device that CUDA_VISIBLE_DEVICES gives it, whether the
variable is set from outside or through os.environ before the first call."""
import unittest

from support import main, run_python

RANKS = 8
ASK = """
import ctypes, os
{before}
cudart = ctypes.CDLL("libcudart.so.12")
count, bus = ctypes.c_int(), ctypes.create_string_buffer(64)
assert cudart.cudaGetDeviceCount(ctypes.byref(count)) == 0
assert cudart.cudaDeviceGetPCIBusId(bus, 64, 0) == 0
print(count.value, bus.value.decode())
"""


class VisibleDevices(unittest.TestCase):
    def ask(self, before="", **environment):
        result = run_python(ASK.format(before=before), TORCHADA_HOST_DEVICES=str(RANKS), **environment)
        self.assertEqual("", result.stderr)
        self.assertEqual(0, result.returncode)
        count, bus = result.stdout.split()
        return int(count), bus

    def buses(self):
        result = run_python(ASK.format(before="").replace(", 64, 0)", ", 64, 7)"),
                            TORCHADA_HOST_DEVICES=str(RANKS))
        self.assertEqual("8", result.stdout.split()[0])
        return [self.ask(MUSA_VISIBLE_DEVICES=str(rank))[1] for rank in range(RANKS)]

    def test_set_from_outside(self):
        expected = self.buses()
        self.assertEqual(RANKS, len(set(expected)), expected)
        for rank in range(RANKS):
            self.assertEqual((1, expected[rank]), self.ask(CUDA_VISIBLE_DEVICES=str(rank)))

    def test_set_by_the_program_before_its_first_call(self):
        expected = self.buses()
        for rank in range(RANKS):
            before = f"os.environ['CUDA_VISIBLE_DEVICES'] = '{rank}'"
            self.assertEqual((1, expected[rank]), self.ask(before))

    def test_order_is_kept(self):
        expected = self.buses()
        self.assertEqual((2, expected[5]), self.ask(CUDA_VISIBLE_DEVICES="5,2"))

    def test_empty_hides_every_device(self):
        result = run_python("import ctypes\nn = ctypes.c_int(7)\n"
                            "lib = ctypes.CDLL('libcudart.so.12')\n"
                            "print(lib.cudaGetDeviceCount(ctypes.byref(n)))",
                            TORCHADA_HOST_DEVICES=str(RANKS), CUDA_VISIBLE_DEVICES="")
        self.assertEqual(("100", ""), (result.stdout.strip(), result.stderr))  # cudaErrorNoDevice

    def test_the_users_word_on_musas_name_counts(self):
        expected = self.buses()
        self.assertEqual((1, expected[3]),
                         self.ask(CUDA_VISIBLE_DEVICES="1,2", MUSA_VISIBLE_DEVICES="3"))


if __name__ == "__main__":
    main()
