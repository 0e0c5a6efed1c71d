#!/bin/sh
# Completes the installed layout below ROOT: a directory for each CUDA major with hard links to the
# files of lib/ (copies would be loaded twice), unversioned names for the default major, and lib64.
# ROOT/share/layout.txt, which the build writes, says "default MAJOR" and for each file "FILE MAJOR...".
set -eu
if [ $# -ne 1 ] || [ ! -d "$1/lib" ] || [ ! -f "$1/share/layout.txt" ]; then
  echo "usage: link-layout.sh ROOT   (with the libraries in ROOT/lib, and ROOT/share/layout.txt)" >&2
  exit 2
fi
cd "$1/lib"
while read -r file majors; do
  if [ "$file" = default ]; then
    default=$majors
    continue
  fi
  plain=${file%%.so.*}.so
  for major in $majors; do
    mkdir -p "cu$major"
    ln -f "$file" "cu$major/$file"
    ln -sfn "$file" "cu$major/$plain"
    if [ "$major" = "$default" ]; then ln -sfn "$file" "$plain"; fi
  done
done <../share/layout.txt
ln -sfn lib ../lib64
