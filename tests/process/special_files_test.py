"""Commands that read files neither wait for a FIFO nor take memory for a huge file."""
import os
import resource
import subprocess
import tempfile
import unittest

TORCHADA = os.path.join(os.environ["PROCESS_STAGE"], "bin", "torchada")
COMMANDS = ["trace --merge FILE", "kernels list FILE", "kernels check FILE FILE", "check FILE",
            "doctor -- ./FILE", "kernels build --backend=host --from-compile-commands=FILE x.cu -o y"]


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))


class SpecialFiles(unittest.TestCase):

    def refused(self, folder, name):
        for command in COMMANDS:
            with self.subTest(command=command, file=name):
                ended = subprocess.run([TORCHADA, *command.replace("FILE", name).split()], cwd=folder, text=True,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       timeout=20, check=False, preexec_fn=limit_memory)
                self.assertIn(ended.returncode, (1, 3), ended.stdout)
                self.assertIn(name, ended.stdout)

    def test_fifo(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(os.path.join(folder, "fifo"))
            self.refused(folder, "fifo")

    def test_huge(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "huge"), "wb") as file:
                file.truncate(1 << 40)
            self.refused(folder, "huge")


unittest.main()
