"""Virtual environments that are made once and kept."""
import os
import subprocess
import sys


def python_with(folder, *requirements):
    """The Python of the environment in the folder, with the packages of these files.
    subprocess.CalledProcessError if they are not to be had."""
    python, whole = os.path.join(folder, "bin", "python"), folder + ".whole"
    if not os.path.exists(whole):
        named = [word for file in requirements for word in ("-r", file)]
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
                        "--only-binary=:all:", *named], check=True)
        with open(whole, "w", encoding="utf-8"):
            pass
    return python
