#!/usr/bin/env bash
# The tests that reach the CPU stand-in through our libraries, with a sanitizer in the stand-in only.
#   through_libraries.sh SANITIZED asan|tsan PLAIN
# SANITIZED: a build folder of that preset. PLAIN: a build folder without one, with every test built.
set -euo pipefail
cd "$(dirname "$0")/../../.."
[ $# -eq 3 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
trees=$(realpath "$1")/stage/host plain=$(realpath "$3")

case $2 in
  asan) names=(libasan.so libubsan.so) ;;
  tsan) names=(libtsan.so) ;;
  *) echo "through_libraries.sh: expected asan or tsan, got '$2'" >&2; exit 2 ;;
esac
runtime=
for name in "${names[@]}"; do runtime+=${runtime:+:}$(c++ -print-file-name="$name"); done

# Leaks are looked for where the whole program is ours (packaging/sanitize.sh): these also run Python,
# which keeps its memory. Some ranks end without destroying their communicator, on purpose: its thread
# counts as leaked.
options=(ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0 suppressions=$PWD/tests/host/sanitizers/through_libraries.supp")

conformance() { # TREE PROGRAM FILTER
  echo "$2 on $1"
  # The sanitizer calls dlopen for the program, whose RUNPATH does not count then.
  env "${options[@]}" LD_PRELOAD="$runtime" LD_LIBRARY_PATH="$plain/stage/lib/driver" \
    TORCHADA_MUSA_PATH="$trees/$1" TORCHADA_HOST_ACCOUNT=none \
    "$plain/tests/conformance/$2" --gtest_brief=1 --gtest_filter="$3"
}
for tree in 5.2 4.3 3.1; do conformance "$tree" conformance_driver '*'; done
for major in 11 12 13; do conformance 5.2 "conformance_$major" '*'; done

collectives() { # SCRIPT ARGUMENT...
  echo "$*"
  env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 "${options[@]}" \
    COLLECTIVES_STAGE="$plain/stage" COLLECTIVES_PROGRAMS="$plain/tests/collectives/programs" \
    COLLECTIVES_TREES="$trees" COLLECTIVES_SANITIZER="$runtime" python3 -B "tests/collectives/$1" "${@:2}"
}
# All of them, each as short as its arguments make it.
declare -A arguments=([processes_test.py]="4 2" [deaths_test.py]=4 [leaving_test.py]="8 2" [straggler_test.py]=2
  [races_test.py]=20)
collectives processes_test.py 4 1
for script in tests/collectives/*_test.py; do
  read -ra words <<<"${arguments[${script##*/}]-}"
  collectives "${script##*/}" "${words[@]}"
done
