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

if [ ! -e "$root/.complete" ]; then
  # The mirror this machine installs from serves the older release as well.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
  debootstrap --variant=minbase --include=python3 bullseye "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail "$root.log"; exit 1; }
  touch "$root/.complete"
fi
unmount() { umount -q "$root/dev/shm" "$root/dev" "$root/proc" 2>/dev/null || true; }
trap unmount EXIT
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
mountpoint -q "$root/dev/shm" || mount --bind /dev/shm "$root/dev/shm"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

echo "-- libraries built here"
rm -rf "$root/opt/torchada"
mkdir -p "$root/opt/torchada"
cp -a "$stage/lib" "$root/opt/torchada/lib"
cp tests/roots/load_all.py "$root/opt/torchada/load_all.py"
inside python3 /opt/torchada/load_all.py /opt/torchada/lib

echo "-- built there"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends binutils cmake g++ libclang-dev libelf-dev libarchive-dev \
  libffi-dev libfmt-dev libgflags-dev libgloo-dev libgtest-dev libopenblas-dev librandom123-dev libspdlog-dev libunwind-13-dev \
  libyaml-cpp-dev ninja-build nlohmann-json3-dev pkg-config strace >/dev/null
mkdir -p "$root/src"
# What git tracks, as it is in the working tree; unchanged files keep their times.
git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$root/src" --skip-old-files
git ls-files -z | xargs -0 sh -c 'for file do cmp -s "$file" "$0/$file" || cp -p "$file" "$0/$file"; done' \
  "$root/src"
# What is there from an earlier time and is tracked no more would be built as well.
(cd "$root/src" && find . -type f -printf '%P\n' | sort) | comm -23 - <(git ls-files | sort) |
  (cd "$root/src" && xargs -r -d '\n' rm -f)
# gcc 10 warns where 12 does not.
inside cmake -S /src -B /build -G Ninja -DTORCHADA_BUILD_BENCHMARKS=OFF -DTORCHADA_WERROR=OFF >/dev/null
inside ninja -C /build torchada_layout src/command/all src/audit/all src/host/all tests/loader/all \
  tests/process/all tests/programs/all tests/stubs/all >"$root/build.log" 2>&1 ||
  { tail -n 40 "$root/build.log"; exit 1; }
inside sh -c "cd /build && ctest -L 'loader|process|programs|stubs' -j $(nproc) --output-on-failure"
