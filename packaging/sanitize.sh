#!/usr/bin/env bash
# The CPU stand-in and the generator under a sanitizer; part of packaging/test.sh --full.
#   sanitize.sh BUILD asan|tsan     the preset of CMakePresets.json, built in BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 2 ] || { sed -n '2,3s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1 preset=$2
# The build folder is named here because the preset names another one.
cmake --preset "$preset" -B "$build" >/dev/null
# Builds only what the tests of the stand-in need, every tree of it, and the generator.
cmake --build "$build" --target tests/host/all tests/kernels/all tests/conformance/all host_trees torchada-gen
ctest --test-dir "$build" -L host -j "$(nproc)" --no-tests=error --output-on-failure
