"""How long torchada check takes for a tree of shared libraries, against find and nm: reported.

The tree is the system's own libraries; a ratio far below the usual one is a defect.
"""
import os
import subprocess
import sys
import time

import support_path  # noqa: F401  pylint: disable=unused-import
import support

LEAST = 5  # 48 was measured for all of /usr/lib/x86_64-linux-gnu.
MOST_FILES = 400


def tree(folder):
    """Links to some hundred libraries; check and find -L follow them."""
    source = "/usr/lib/x86_64-linux-gnu"
    names = [name for name in sorted(os.listdir(source)) if ".so" in name
             and os.path.isfile(os.path.join(source, name))
             and not os.path.islink(os.path.join(source, name))]
    for name in names[:MOST_FILES]:
        os.symlink(os.path.join(source, name), os.path.join(folder, name))
    return len(names[:MOST_FILES])


def seconds(*command):
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - start


class Speed(support.CommandTest):

    def test_tree(self):
        folder = self.folder()
        count = tree(folder)
        if count < 50:
            print("SKIPPED: fewer than 50 libraries on this system")
            sys.exit(support.SKIPPED)
        checking = min(seconds(support.TORCHADA, "check", folder) for _ in range(3))
        pipeline = min(seconds("find", "-L", folder, "-type", "f", "-exec", "nm", "-D", "{}", ";")
                       for _ in range(2))
        print("%d libraries: check %.3f s, find and nm %.3f s, ratio %.1f" % (
            count, checking, pipeline, pipeline / checking))
        self.assertGreater(pipeline / checking, LEAST)


if __name__ == "__main__":
    support.main()
