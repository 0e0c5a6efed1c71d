"""Programs that keep addresses while they give memory back, and that share memory by descriptor."""
import os

import support
from support import DRIVER, LIB, NATIVE, run, show

FOLDERS = LIB + ":" + DRIVER


class VirtualMemory(support.ProgramTest):

    def runs(self, name, said, **environment):
        # Other tests' processes use memory at the same time.
        result = run(os.path.join(NATIVE, name), LD_LIBRARY_PATH=FOLDERS, TORCHADA_HOST_ACCOUNT="none",
                     **environment)
        self.assertEqual((0, said, ""), (result.returncode, result.stdout, result.stderr), show(result))

    def test_sleep_mode(self):
        self.runs("programs_sleep_mode", "slept\n")

    def test_pause_and_resume(self):
        self.runs("programs_saved", "saved\n", LD_PRELOAD=os.path.join(NATIVE, "programs_memory_saver.so"))

    def test_two_processes_share_a_descriptor(self):
        self.runs("programs_shared_by_descriptor", "shared\n")


if __name__ == "__main__":
    support.main()
