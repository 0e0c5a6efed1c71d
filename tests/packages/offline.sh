#!/usr/bin/env bash
# Building without a network, by the commands of packaging/clusters/README.md: the first block of the section is run in
# a new Debian 12, the second in another one that has no network.
#   offline.sh ROOTS     ROOTS: keeps a root for the next time. Needs root, debootstrap; about as long as a build.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh
mkdir -p "$1"
roots=$(realpath "$1")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/torchada-offline.XXXXXX")
trap 'unmount_root "$scratch/with"; unmount_root "$scratch/without"; rm -rf --one-file-system "$scratch"' EXIT

# block N: the Nth block of commands of the section. In the roots everybody is root.
block() {
  sed -n '/^## Building without a network$/,/^## What was tested$/p' packaging/clusters/README.md |
    awk -v wanted="$1" '/^```sh$/ { inside = ++found == wanted; next } /^```$/ { inside = 0 } inside' | sed 's/^sudo //'
}
if [ -z "$(block 2)" ] || [ -n "$(block 3)" ]; then
  echo "offline.sh: expected two blocks of commands in that section of packaging/clusters/README.md" >&2
  exit 1
fi

make_root "$roots/bookworm-minimal" bookworm
for root in with without; do
  cp -a --reflink=auto "$roots/bookworm-minimal" "$scratch/$root"
  mount_root "$scratch/$root"
done

echo "-- collecting packages and sources"
inside "$scratch/with" apt-get update -qq
inside "$scratch/with" apt-get install -y -qq --no-install-recommends git >/dev/null
git clone --quiet --no-local . "$scratch/with/root/torchada"
inside "$scratch/with" bash -euc "cd /root/torchada; $(block 1)" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log" >&2; exit 1; }
mv "$scratch/with/root/torchada/offline" "$scratch/without/root"
du -sh "$scratch/without/root/offline/debs"

echo "-- building without a network"
unshare --net chroot "$scratch/without" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive bash -euc "cd /root; $(block 2)" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log" >&2; exit 1; }
tail -n 1 "$scratch/log"
version=$(sed -n 's/^project(torchada VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ "$(tail -n 1 "$scratch/log")" = "torchada $version" ] || { echo "offline.sh: expected torchada $version" >&2; exit 1; }
inside "$scratch/without" /opt/torchada/bin/torchada run --backend=host -- sh -c true
