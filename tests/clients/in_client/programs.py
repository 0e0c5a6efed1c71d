"""Starts programs from a step, such as those of a client that consists of packages of Debian."""
import os
import re
import subprocess
import sys


def below(*names):
    """A path below the packages of Debian."""
    return os.path.join(os.environ["CLIENT_DEBIAN"], *names)


def output_of(*command):
    """What the program prints. OSError with its first lines if it fails; what torchada says of it goes to the log."""
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    sys.stderr.write(done.stderr.decode(errors="replace"))
    if done.returncode:
        said = (done.stdout if not done.stderr else done.stderr).decode(errors="replace").splitlines()
        own = [re.sub(r" @ 0x[0-9a-f]+", "", line) for line in said if line and not line.startswith("torchada: ")]
        raise OSError(f"{command[0]}: status {done.returncode}: {'; '.join(own[:3])}")
    return done.stdout
