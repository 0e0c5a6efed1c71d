#!/usr/bin/env bash
# Builds everything and runs all tests.
#   packaging/test.sh              16 to 25 minutes on 2 cores
#   packaging/test.sh --full       also static analysis, sanitizers, an old distribution, and the
#                                  facts of every CUDA release (downloads about 3 GB)
#   --build DIR                    build there (default: build)
#   --no-install                   install no packages
# The exit status is 0 if every test passed. Skipped tests are listed at the end with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."

full=false install=true build=build
while [ $# -gt 0 ]; do
  case "$1" in
    --full) full=true ;;
    --no-install) install=false ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "test.sh: unknown option $1 (--help lists them)" >&2; exit 2 ;;
  esac
  shift
done

step() { printf '\n== %s\n' "$*"; }

if $install; then
  step "packages"
  if $full; then packaging/install-build-deps.sh --full; else packaging/install-build-deps.sh; fi
fi

# First, because it takes seconds and what it finds would otherwise cost a whole build.
step "format"
mapfile -t sources < <(git ls-files '*.cpp' '*.h' '*.c')
clang-format --dry-run -Werror "${sources[@]}"
echo "${#sources[@]} files"

step "build in $build"
# Lines for backtraces are all that is needed here of debug information, which else is a quarter of the build.
optimized="-O2 -g1 -DNDEBUG"
cmake -S . -B "$build" -G Ninja -DCMAKE_C_FLAGS_RELWITHDEBINFO="$optimized" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$optimized"
cmake --build "$build"

if $full; then
  packaging/test-full.sh "$build"
fi

step "tests"
# One test at a time would take longer than the tests themselves; two cores are what CI has.
ctest --test-dir "$build" -j "$(nproc)" --output-on-failure
