#!/usr/bin/env bash
# Builds the packages once more, of another clone, in folders of other names, at another time and in another
# environment, and compares every byte with those of a folder.
#   reproducible.sh DIST ROOTS [OPTION...]     options are build-deb.sh's
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
dist=$(realpath "$1")
again=$(mktemp -d "${TMPDIR:-/tmp}/torchada-again.XXXXXX")
trap 'rm -rf "$again"' EXIT
[ -z "$(git status --porcelain)" ] || { echo "reproducible.sh: expected no uncommitted changes: a clone has none" >&2; exit 1; }
roots=$(realpath "$2")
git clone -q --shared . "$again/sources"
(umask 077 && TZ=Asia/Shanghai LC_ALL=C "$again/sources/packaging/build-deb.sh" --out "$again/dist" --roots "$roots" \
  "${@:3}")
diff "$dist/SHA256SUMS" "$again/dist/SHA256SUMS" || {
  echo "FAILED: not the same bytes (diffoscope tells what differs)" >&2
  keep=$dist/../dist.again
  rm -rf "$keep"
  cp -r "$again/dist" "$keep"
  echo "the second build is in $keep" >&2
  exit 1
}
echo "$(wc -l <"$again/dist/SHA256SUMS") files, built twice: the same bytes"
