"""Folders of tests whose programs start others, which outlive them for a moment."""
import os
import shutil
import tempfile
import time


def temporary_folder(test):
    """A folder that the test removes at its end."""
    folder = tempfile.mkdtemp(prefix="torchada-test-")
    test.addCleanup(remove_folder, folder)
    return folder


def remove_folder(folder):
    """Compilers of device code that were just told to end may still remove or write files in it."""
    deadline = time.monotonic() + 60
    while os.path.exists(folder):
        try:
            shutil.rmtree(folder)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
