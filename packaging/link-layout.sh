#!/bin/sh
# Completes the installed layout below ROOT: hard links to the files of lib/ (copies would be loaded
# twice) in a directory for each CUDA major and in one for each library of each major (lib/only, for
# torchada run --only), unversioned names for the default major, and lib64.
# ROOT/share/layout.txt, which the build writes, says "default MAJOR", for each file of lib/
# "FILE NAME[,NAME...] MAJOR...", where NAMEs are the library and those that need it, and
# "FOLDER/FILE - MAJOR..." for one that lies in a folder of its own and in no other.
set -eu
if [ $# -ne 1 ] || [ ! -d "$1/lib" ] || [ ! -f "$1/share/layout.txt" ]; then
  echo "usage: link-layout.sh ROOT   (with the libraries in ROOT/lib, and ROOT/share/layout.txt)" >&2
  exit 2
fi
cd "$1/lib"
while read -r file names majors; do
  if [ "$file" = default ]; then
    default=$names
    continue
  fi
  name=${file##*/}
  plain=${file%%.so.*}.so
  # An older tree may have it where every program finds it.
  if [ "$names" = - ]; then rm -f "$name" "${plain##*/}" cu*/"$name" cu*/"${plain##*/}"; fi
  for major in $majors; do
    if [ "$major" = "$default" ]; then ln -sfn "$name" "$plain"; fi
    if [ "$names" = - ]; then continue; fi
    for folder in "cu$major" $(echo "$names" | sed "s:\([^,]*\),*:only/\1-$major :g"); do
      mkdir -p "$folder"
      ln -f "$file" "$folder/$file"
      ln -sfn "$file" "$folder/$plain"
    done
  done
done <../share/layout.txt
ln -sfn lib ../lib64
