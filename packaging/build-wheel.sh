#!/usr/bin/env bash
# Makes wheels of an installed torchada.
set -euo pipefail
umask 022
export TZ=UTC LC_ALL=C.UTF-8
program=$(basename "$0")
source=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=packaging/tree.sh
. "$source/packaging/tree.sh"

usage() {
  cat <<TEXT
usage: $program [options]

Writes wheels for pip: torchada_native (libraries, command, tables, tracing) and, where the tree has
it, torchada_native_host (the newest SDK of the CPU stand-in). Their tags name the oldest glibc with
which their files run. Same tree, same bytes. Needs python3-wheel; for packages as a tree, zstd.

  --tree DIR   an installed torchada (default: what packaging/build-deb.sh left in dist)
  --out DIR    where they go (default: dist)
  -h, --help   this text

SOURCE_DATE_EPOCH is the time of the files (default: that of the last commit).
exit status: 0 written, 1 the tree does not fit, 2 bad usage
TEXT
}

start_package "$@"
# Debian's python3-wheel belongs to this one, whatever PATH says.
python=/usr/bin/python3
$python -c 'import wheel' 2>/dev/null || fail "python3-wheel is not installed (packaging/install-build-deps.sh)"

# links_of ROOT: a line "COPY FILE" for each name of a file beside the first. A wheel has no links.
links_of() {
  # Of a library's names, the longest in the first folder is the file: lib/libcudart.so.12.
  (cd "$1" && find -L . -type f -printf '%D:%i %d %f %P\n') |
    awk '{ print $1, $2, -length($3), length($4), $4 }' | LC_ALL=C sort -k1,1 -k2,2n -k3,3n -k4,4n -k5 |
    awk '$1 == last { print $5, file; next } { last = $1; file = $5 }' | LC_ALL=C sort
}

# pack NAME SUMMARY REQUIRES FOLDER_OF_ELF_FILES...: makes a wheel of $scratch/NAME.
pack() {
  local name=$1 summary=$2 requires=$3 root=$scratch/$1 info glibc tag
  shift 3
  mapfile -t files < <(for folder; do elf_files "$root/torchada_native/$folder"; done)
  glibc=$(needed_glibc "$root" "${files[@]}") || exit 1
  tag=py3-none-manylinux_${glibc/./_}_x86_64
  [ "$(printf '%s\n2.17\n' "$glibc" | sort -V | tail -n 1)" != 2.17 ] || tag=py3-none-manylinux2014_x86_64
  info=$root/$name-$version.dist-info
  mkdir -p "$info"
  cp "$source/LICENSE" "$info"
  cat >"$info/WHEEL" <<TEXT
Wheel-Version: 1.0
Generator: torchada $version
Root-Is-Purelib: false
Tag: $tag
TEXT
  {
    cat <<TEXT
Metadata-Version: 2.1
Name: ${name//_/-}
Version: $version
Summary: $summary
License: MIT
Requires-Python: >=3.8
TEXT
    printf '%sDescription-Content-Type: text/markdown\n\n' "$requires"
    cat "$source/packaging/python/README.md"
  } >"$info/METADATA"
  chmod -R u+w,go-w "$root"
  $python -m wheel pack --dest-dir "$out" "$root" >/dev/null
  echo "$out/$name-$version-$tag.whl"
}

root=$scratch/torchada_native/torchada_native
mkdir -p "$root" "$scratch/torchada_native/torchada_native-$version.dist-info"
copy_listed "$tree" "$source/packaging/debian/torchada.install" "$scratch/listed"
# Packages of distributions have debug symbols beside them, wheels have not.
strip_elf_files "$scratch/listed"
rm "$scratch/listed/lib64"
mkdir "$scratch/listed/lib64"
cp -al "$scratch"/listed/lib/lib*.so* "$scratch/listed/lib64"
links_of "$scratch/listed" >"$scratch/links.txt"
cp -rL "$scratch/listed/." "$root"
cp "$scratch/links.txt" "$root/share"
cp "$source"/packaging/python/torchada_native/*.py "$source/packaging/python/torchada_native/py.typed" "$root"
printf '[console_scripts]\ntorchada = torchada_native._command:main\n' \
  >"$scratch/torchada_native/torchada_native-$version.dist-info/entry_points.txt"
pack torchada_native "Unmodified CUDA programs on Moore Threads GPUs" "" bin lib libexec

if [ -d "$tree/host/current" ]; then
  root=$scratch/torchada_native_host/torchada_native/host
  mkdir -p "$root/current/lib" "$root/driver"
  sdk=$(readlink "$tree/host/current")
  cp "$tree/host/current/version.json" "$root/current"
  mkdir "$root/driver/$sdk"
  # pip removes the folders where files of the wheel lie, and no others.
  for file in "$root.txt" "$root/README.txt" "$root/driver/README.txt"; do
    echo "Of torchada_native_host: MUSA on the CPU." >"$file"
  done
  cp "$tree/host/driver/$sdk/mthreads-gmi" "$root/driver/$sdk"
  # Each library once, under the name by which it is loaded.
  for file in "$tree"/host/current/lib/lib*.so.* "$tree/host/driver/$sdk"/lib*.so.*; do
    [ "$(readelf -dW "$file" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" = "${file##*/}" ] || continue
    case $file in */current/*) cp -L "$file" "$root/current/lib" ;; *) cp -L "$file" "$root/driver/$sdk" ;; esac
  done
  # Built where LLVM 19 is missing, it has no compiler of device code.
  [ ! -d "$tree/host/kernels" ] || cp -r "$tree/host/kernels" "$root"
  strip_elf_files "$root/current"
  strip_elf_files "$root/driver"
  pack torchada_native_host "MUSA on the CPU, for torchada_native where there is no Moore Threads GPU" \
    "Requires-Dist: torchada-native==$version"$'\n' host/current host/driver
fi
