#!/usr/bin/env bash
# The CPU stand-in and the generator under a sanitizer; part of packaging/test.sh --full.
#   sanitize.sh BUILD address,undefined|thread
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 sanitizer=$2
# Without -Werror, because with sanitizers gcc 12 warns about the standard library itself.
cmake -S . -B "$build" -G Ninja -DTORCHADA_SANITIZE="$sanitizer" -DTORCHADA_BUILD_BENCHMARKS=OFF \
  -DTORCHADA_WERROR=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1" >/dev/null
# Builds only what the tests of the stand-in need, and the generator.
cmake --build "$build" --target tests/host/all torchada-gen
ctest --test-dir "$build" -L host -j "$(nproc)" --output-on-failure
