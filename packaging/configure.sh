#!/usr/bin/env bash
# Prepares a build folder as quickstart.sh and test.sh want it, whatever state it is in.
#   configure.sh DIR     DIR: the build folder; made if it is missing
# Every option is set explicitly: one that an earlier run left in the cache (tests turned off, a
# sanitizer) must not decide what is built now. Compiled files stay where they still fit.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1

fail() { printf 'configure.sh: %s\n' "$*" >&2; exit 2; }

if [ -e "$build" ] && [ ! -d "$build" ]; then
  fail "$build is not a directory; name another build folder with --build DIR"
fi
mkdir -p "$build" 2>/dev/null || fail "cannot make $build; name a folder you can write to with --build DIR"
if [ ! -w "$build" ] || { [ -e "$build/CMakeCache.txt" ] && [ ! -w "$build/CMakeCache.txt" ]; }; then
  fail "$build belongs to $(stat -c %U "$build"): remove it as that user, or name another folder with --build DIR"
fi
if [ "$(realpath "$build")" = "$PWD" ]; then
  fail "$build is the source folder; name another build folder with --build DIR"
fi

# What CMake refuses to change: the generator, and where the sources and the build folder lie.
cache=$build/CMakeCache.txt
if [ -e "$cache" ]; then
  cached() { sed -n "s|^$1:[A-Z]*=||p" "$cache"; }
  if [ "$(cached CMAKE_GENERATOR)" != Ninja ] || [ "$(cached CMAKE_HOME_DIRECTORY)" != "$PWD" ] ||
    [ "$(cached CMAKE_CACHEFILE_DIR)" != "$(realpath "$build")" ]; then
    echo "$build was made by another generator or in another place: configuring it afresh"
    rm -rf "$cache" "$build/CMakeFiles"
  fi
fi

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_C_FLAGS= -DCMAKE_CXX_FLAGS= -DCMAKE_ASM_FLAGS= -DCMAKE_EXE_LINKER_FLAGS= \
  -UCMAKE_C_FLAGS_RELWITHDEBINFO -UCMAKE_CXX_FLAGS_RELWITHDEBINFO \
  -DTORCHADA_QUICK_COMPILE=ON -DTORCHADA_CCACHE=ON -UCMAKE_DISABLE_PRECOMPILE_HEADERS \
  -DTORCHADA_BUILD_HOST=ON -DTORCHADA_BUILD_TESTS=ON -DTORCHADA_BUILD_BENCHMARKS=ON -DTORCHADA_BUILD_FUZZERS=OFF \
  -DTORCHADA_SANITIZE= -DTORCHADA_GENERATOR= -DTORCHADA_WERROR=ON
