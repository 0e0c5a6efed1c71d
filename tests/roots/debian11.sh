#!/usr/bin/env bash
# Debian 11 (glibc 2.31, gcc 10), twice: the libraries as built here load there and answer without
# MUSA; and what is built there from the same sources passes the tests that depend on the loader.
# Needs root and debootstrap.
#   debian11.sh STAGE ROOT     ROOT is made, and kept for the next time
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
stage=$(realpath "$1")
mkdir -p "$2"
root=$(realpath "$2")
# shellcheck source=packaging/roots.sh
. packaging/roots.sh

make_root "$root" bullseye python3
trap 'unmount_root "$root"' EXIT
mount_root "$root"

echo "-- libraries built here"
rm -rf "$root/opt/torchada"
mkdir -p "$root/opt/torchada"
cp -a "$stage/lib" "$root/opt/torchada/lib"
cp tests/roots/load_all.py "$root/opt/torchada/load_all.py"
inside "$root" python3 /opt/torchada/load_all.py /opt/torchada/lib /opt/torchada/lib/driver /opt/torchada/lib/nvml /opt/torchada/lib/profiler

echo "-- built there"
inside "$root" apt-get update -qq
# shellcheck disable=SC2046  # A list.
inside "$root" apt-get install -y -qq --no-install-recommends \
  $(packaging/install-build-deps.sh --list bullseye) libgtest-dev librandom123-dev python3-yaml spin strace >/dev/null
copy_sources "$root/src"
# gcc 10 warns in cases where gcc 12 does not.
inside "$root" cmake -S /src -B /build -G Ninja -DTORCHADA_BUILD_BENCHMARKS=OFF -DTORCHADA_WERROR=OFF >/dev/null
inside "$root" ninja -C /build torchada_layout src/command/all src/audit/all src/host/all tests/loader/all \
  tests/process/all tests/programs/all tests/stubs/all >"$root/build.log" 2>&1 ||
  { tail -n 40 "$root/build.log"; exit 1; }
inside "$root" sh -c "cd /build && ctest -L 'loader|process|programs|stubs' -j $(nproc) --output-on-failure"
