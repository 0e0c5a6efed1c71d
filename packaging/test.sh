#!/usr/bin/env bash
# Builds everything and runs all tests.
#   packaging/test.sh              about 16 minutes on 2 cores
#   packaging/test.sh --full       also static analysis, sanitizers, an old distribution, the facts of
#                                  every CUDA release and real clients: about 20 hours, downloads
#                                  of tens of GB; started again, it goes on where it stopped
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
    --build)
      [ -n "${2:-}" ] || { echo "test.sh: --build: expected a folder, for example --build build" >&2; exit 2; }
      build=$2
      shift
      ;;
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

# First, because it takes seconds, and a mistake it finds would otherwise show after a whole build.
step "lint"
packaging/lint.sh

step "build in $build"
packaging/configure.sh "$build"
cmake --build "$build"

# A build that lost its tests must not pass for want of failures.
found=$(ctest --test-dir "$build" -N | sed -n 's/^Total Tests: //p')
floor=$(cat tests/floor.txt)
if [ "${found:-0}" -lt "$floor" ]; then
  echo "test.sh: found ${found:-0} tests in $build, expected at least $floor (tests/floor.txt)" >&2
  exit 1
fi

step "tests"
# Two cores are what CI has; one test at a time would leave one idle.
status=0
# A test that hangs ends after 15 minutes: long enough for each, on a busy machine, too.
ctest --test-dir "$build" -j "$(nproc)" --timeout 900 --no-tests=error --output-on-failure || status=$?
if [ "$status" -ne 0 ]; then
  # Once more at the end: what shows a long log may show only that.
  logs=$build/Testing/Temporary
  head -n 10 "$logs/LastTestsFailed.log" | while IFS=: read -r _ name; do
    step "failed: $name"
    # Names of tests with parameters have spaces.
    name=$name awk '$2 == "Testing:" { on = substr($0, index($0, ": ") + 2) == ENVIRON["name"] } on' \
      "$logs/LastTest.log" | tail -n 30
  done
  exit "$status"
fi

if $full; then
  packaging/test-full.sh "$build"
fi
