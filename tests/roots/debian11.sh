#!/usr/bin/env bash
# Loads every library in a Debian 11 root (glibc 2.31), which has neither MUSA nor our build tools,
# and checks the answers there: no driver without MUSA. Needs root and debootstrap.
#   debian11.sh STAGE ROOT     ROOT is made, and kept for the next time
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
stage=$1 root=$2
if [ ! -e "$root/.complete" ]; then
  # The mirror this machine installs from serves the older release as well.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  rm -rf "$root"
  debootstrap --variant=minbase --include=python3 bullseye "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail "$root.log"; exit 1; }
  touch "$root/.complete"
fi
rm -rf "$root/opt/torchada"
mkdir -p "$root/opt/torchada"
cp -a "$stage/lib" "$root/opt/torchada/lib"
cp "$(dirname "$0")/load_all.py" "$root/opt/torchada/load_all.py"
chroot "$root" env -i PATH=/usr/bin:/bin python3 /opt/torchada/load_all.py /opt/torchada/lib
