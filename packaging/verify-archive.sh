#!/usr/bin/env bash
# Makes the archive with which anybody can compare a MUSA SDK with our tables.
set -euo pipefail
umask 022
export TZ=UTC LC_ALL=C.UTF-8
program=$(basename "$0")
source=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=packaging/tree.sh
. "$source/packaging/tree.sh"

usage() {
  cat <<TEXT
usage: $program [options] TREE OUT

Writes OUT/torchada-verify-VERSION-x86_64.tar.gz from TREE, an installed torchada: verify.sh, the
command, and the facts that it checks. Same tree and options, same bytes
(packaging/build-deb.sh calls this script).

  --send-to FILE   a text that says where to send a report (default: the issues of the repository)
  --glibc VERSION  the newest glibc that the command may need (default: 2.17)
  -h, --help       this text

SOURCE_DATE_EPOCH is the time of the files (default: that of the last commit).
exit status: 0 written, 1 the tree does not fit, 2 bad usage
TEXT
}

send_to=$source/packaging/verify/send_to.txt newest=2.17
words=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --send-to | --glibc) [ $# -ge 2 ] || fail "$1 needs a value" 2 ;;
    -*) fail "unknown option '$1' (--help lists them)" 2 ;;
    *) words+=("$1"); shift; continue ;;
  esac
  case $1 in
    --send-to) send_to=$2 ;;
    --glibc) newest=$2 ;;
  esac
  shift 2
done
[ ${#words[@]} -eq 2 ] || fail "expected TREE and OUT (--help)" 2
tree=${words[0]} out=${words[1]}
for file in bin/torchada libexec/torchada share/tables.bin; do
  [ -r "$tree/$file" ] || fail "$tree/$file: not found; TREE is an installed torchada, for example /opt/torchada" 2
done
[ -r "$send_to" ] || fail "--send-to $send_to: no such file" 2
start_work
mkdir -p "$out"

name=torchada-verify-$version-x86_64
root=$scratch/$name
mkdir -p "$root"/{bin,libexec,share}
cp "$source/packaging/verify/verify.sh" "$source/LICENSE" "$root"
for readme in README README_CN; do
  cat "$source/packaging/verify/$readme.txt" "$send_to" >"$root/$readme.txt"
done
cp "$send_to" "$root/share/send_to"
cp "$tree/share/tables.bin" "$root/share"
for file in bin/torchada libexec/torchada; do
  cp "$tree/$file" "$root/$file"
  strip "$root/$file"
done
# Licences of what is linked into the command.
if [ -d "$tree/share/doc/linked-in" ]; then cp -r "$tree/share/doc/linked-in" "$root/share/licences"; fi

needs=$(needed_glibc "$root" "$root/libexec/torchada") || exit 1
[ "$(printf '%s\n%s\n' "$needs" "$newest" | sort -V | tail -n 1)" = "$newest" ] ||
  fail "the command needs glibc $needs, newer than $newest"
echo "$needs" >"$root/share/glibc"

find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -exec chmod 644 {} +
chmod 755 "$root"/verify.sh "$root"/*/torchada
tar -C "$scratch" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
  gzip -n >"$scratch/archive"
mv "$scratch/archive" "$out/$name.tar.gz"
echo "$out/$name.tar.gz"
