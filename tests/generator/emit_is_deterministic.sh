#!/bin/sh
# Same tables, same bytes: emits into two folders and compares them; emitting again rewrites nothing.
# usage: emit_is_deterministic.sh TORCHADA_GEN MAPPINGS
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" emit --mappings "$2" --out "$folder/first"
"$1" emit --mappings "$2" --out "$folder/second"
diff -r "$folder/first" "$folder/second"
touch "$folder/mark"
"$1" emit --mappings "$2" --out "$folder/first"
rewritten=$(find "$folder/first" -type f -newer "$folder/mark")
if [ -n "$rewritten" ]; then
  echo "rewritten without a change: $rewritten"
  exit 1
fi
echo "$(find "$folder/first" -type f | wc -l) files, the same twice"
