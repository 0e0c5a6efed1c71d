"""Programs in places that lack something: no /proc, no /tmp, nothing that can be written."""
import sys

from support import SKIPPED, EveryLibrary, main, works

READ_ONLY = "no folder for temporary files: /tmp/.*Read-only file system; name one in TMPDIR"
# Its files stay: the sources may lie below it.
READ_ONLY_TMP = "mount --bind /tmp /tmp && mount -o remount,ro,bind /tmp"
# What is mounted, and for each library that does not work there, what is said.
PLACES = {
    "no /proc": ("umount -l /proc", {"kernel": "/proc"}),
    "a /tmp that cannot be written": (READ_ONLY_TMP, {"kernel": READ_ONLY}),
    "nothing that can be written": ("mount -t tmpfs -o ro none /dev/shm; " + READ_ONLY_TMP +
                                    "; mount -o remount,ro,bind /", {"kernel": READ_ONLY}),
}


class Places(EveryLibrary):

    def test_places(self):
        for place, (mounts, refused) in PLACES.items():
            with self.subTest(place):
                self.check(["unshare", "-m", "/bin/sh", "-c", mounts + ' && exec "$0" "$@"'], refused)


if __name__ == "__main__":
    if not works("unshare", "-m", "mount", "-t", "tmpfs", "none", "/tmp"):
        print("SKIPPED: no right to mount, so no such place was tried")
        sys.exit(SKIPPED)
    main()
