#!/bin/sh
# Completes the installed layout below ROOT, with MAJOR as the default: a directory for each CUDA
# major with hard links to the files of lib/ (copies would be loaded twice), unversioned names for
# the default major, and lib64.
set -eu
if [ $# -ne 2 ] || [ ! -d "$1/lib" ]; then
  echo "usage: link-layout.sh ROOT MAJOR   (ROOT/lib holds the libraries)" >&2
  exit 2
fi
default=$2
cd "$1/lib"
for file in lib*.so.*; do
  case "$file" in
    *.so.11.0 | *.so.11) majors=11 ;;
    *.so.12) majors=12 ;;
    *.so.13) majors=13 ;;
    *) majors="11 12 13" ;;  # cuRAND and NCCL have one SONAME for all majors
  esac
  plain=${file%%.so.*}.so
  for major in $majors; do
    mkdir -p "cu$major"
    ln -f "$file" "cu$major/$file"
    ln -sfn "$file" "cu$major/$plain"
    if [ "$major" = "$default" ]; then ln -sfn "$file" "$plain"; fi
  done
done
ln -sfn lib ../lib64
