#!/usr/bin/env bash
# The long part of packaging/test.sh --full; not meant to be called by itself.
#   test-full.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1

step() { printf '\n== %s\n' "$*"; }

step "clang-tidy"
mapfile -t sources < <(git ls-files 'generator/*.cpp' 'src/*.cpp' 'stubs/*.cpp')
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p "$build" --warnings-as-errors='*'
echo "${#sources[@]} files"

step "cppcheck"
cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c++20 --enable=warning,performance,portability \
  --suppress=missingIncludeSystem --suppress=useInitializationList -I stubs -I generator -I src generator src stubs

step "CPU stand-in under AddressSanitizer and UndefinedBehaviorSanitizer"
packaging/sanitize.sh "$build-address" address,undefined

step "CPU stand-in under ThreadSanitizer"
packaging/sanitize.sh "$build-thread" thread

step "generator under AddressSanitizer"
python3 tests/generator/malformed_tables.py "$build-address/generator/torchada-gen" mappings

step "readers of files, fuzzed for longer"
CHECK_FUZZ_SECONDS=300 ctest --test-dir "$build" -R '^check\.fuzz_' -j "$(nproc)" --output-on-failure

step "Debian 11"
tests/roots/debian11.sh "$build/stage" "$build/debian11"

step "facts of every CUDA release"
# TORCHADA_CUDA_PACKAGES: a folder that keeps the downloads for the next time.
packaging/cuda-facts.sh --compare --generator "$build/generator/torchada-gen" \
  ${TORCHADA_CUDA_PACKAGES:+--work "$TORCHADA_CUDA_PACKAGES"}
