#!/bin/sh
# Completes the installed layout below ROOT: a directory for each CUDA major with hard links to the
# files of lib/ (copies would be loaded twice), unversioned names for the default major, and lib64.
# ROOT/share/layout.txt, which the build writes, says "default MAJOR", for each file of lib/
# "FILE MAJOR...", and "FOLDER/FILE" for a library that serves all majors from a folder of its own.
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
  if [ -z "$majors" ]; then
    name=${file##*/}
    ln -sfn "$name" "$plain"
    # An older tree may have it where every program finds it.
    rm -f "$name" "${plain##*/}" cu*/"$name" cu*/"${plain##*/}"
  fi
  for major in $majors; do
    mkdir -p "cu$major"
    ln -f "$file" "cu$major/$file"
    ln -sfn "$file" "cu$major/$plain"
    if [ "$major" = "$default" ]; then ln -sfn "$file" "$plain"; fi
  done
done <../share/layout.txt
ln -sfn lib ../lib64
