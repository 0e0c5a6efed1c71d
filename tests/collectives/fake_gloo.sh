#!/usr/bin/env bash
# fake_gloo.sh LIBRARY OUT.S: writes assembly with every symbol that LIBRARY exports. Functions
# trap, data is zero.
set -euo pipefail
nm -D --defined-only "$1" | awk '
  BEGIN { print "\t.text" }
  $3 ~ /@/ { next }
  { kind = $2 ~ /[TtWwi]/ ? "function" : "object"
    printf "\t.weak %s\n\t.type %s, @%s\n", $3, $3, kind
    if (kind == "function") printf "\t.text\n%s:\tud2\n", $3
    else printf "\t.data\n\t.balign 16\n%s:\t.zero 512\n", $3 }
  END { print "\t.section .note.GNU-stack,\"\",@progbits" }' > "$2"
