#!/usr/bin/env bash
# A reader of the README and the guide on a fresh Debian 12: makes one, follows both to the letter, compares what is
# printed.
# Needs root, debootstrap and a network; about as long as three builds. The commit is what the reader has checked out.
#   fresh_machine.sh ROOT     ROOT must not be there; it is removed afterwards unless something failed
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. "${ROOTS:-packaging/roots.sh}"
root=$(realpath -m "$1")
[ ! -e "$root" ] || { echo "fresh_machine.sh: $root is there already: not fresh" >&2; exit 2; }
trap 'unmount_root "$root"' EXIT
# The script that reads the README needs python3. A reader at this point has sudo and git.
make_root "$root" bookworm git,python3,sudo
mount_root "$root"
git clone --quiet --no-local . "$root/root/torchada"
for document in README.md "packaging/doc/guide.md --without pictures"; do
  inside "$root" sh -c "cd /root/torchada && exec python3 -B tests/documents/examples_test.py $document --source . \
    --build build --as-written"
done
unmount_root "$root"
rm -rf --one-file-system "$root"
