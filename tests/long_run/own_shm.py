"""A /dev/shm of one's own: what others put there must not count."""
import os
import subprocess
import sys

INSIDE = "LONG_RUN_INSIDE"


def enter():
    """Restarts the script there. Ends with 77 if the system does not allow that."""
    if os.environ.get(INSIDE):
        return
    prefix = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    prefix += ["sh", "-c", 'mount -t tmpfs tmpfs /dev/shm && exec "$@"', "sh"]
    tried = subprocess.run([*prefix, "true"], stderr=subprocess.PIPE, text=True, check=False)
    if tried.returncode != 0:
        print("skipped: no mount namespace: " + tried.stderr.strip())
        sys.exit(77)
    os.execvpe(prefix[0], [*prefix, sys.executable, "-B", *sys.argv], {**os.environ, INSIDE: "1"})
