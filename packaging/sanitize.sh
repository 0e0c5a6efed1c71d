#!/usr/bin/env bash
# The CPU stand-in and the generator under a sanitizer; part of packaging/test.sh --full.
#   sanitize.sh BUILD asan|tsan     the preset of CMakePresets.json, built in BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 2 ] || { sed -n '2,3s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1 preset=$2
# By directory and not by preset from here on, because a preset names a directory of its own.
cmake --preset "$preset" -B "$build" >/dev/null
# What the tests of the stand-in need, and the generator: the rest is not built with sanitizers.
cmake --build "$build" --target tests/host/all torchada-gen
ctest --test-dir "$build" -L host -j "$(nproc)" --no-tests=error --output-on-failure
