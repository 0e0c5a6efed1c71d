#!/usr/bin/env bash
# Builds torchada and runs two unmodified CUDA programs on it: a ctypes script and a linked program.
# Shows which CUDA call went where. Without a MUSA installation they run on the CPU stand-in.
#   quickstart.sh [--build DIR] [--no-install] [--no-build]
# --no-install installs no packages; --no-build neither, and takes what is built in DIR (default: build).
set -euo pipefail
cd "$(dirname "$0")/.."
install=true make=true build=build
while [ $# -gt 0 ]; do
  case "$1" in
    --build) build=${2:?--build needs a folder}; shift ;;
    --no-install) install=false ;;
    --no-build) install=false make=false ;;
    -h | --help) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "quickstart.sh: unknown option $1 (--help lists them)" >&2; exit 2 ;;
  esac
  shift
done

if $install; then packaging/install-build-deps.sh; fi
if $make; then
  echo "== building in $build"
  cmake -S . -B "$build" -G Ninja -DTORCHADA_BUILD_TESTS=OFF -DTORCHADA_BUILD_BENCHMARKS=OFF >/dev/null
  cmake --build "$build"
fi
stage=$PWD/$build/stage
case $build in /*) stage=$build/stage ;; esac

log=$(mktemp "${TMPDIR:-/tmp}/torchada-quickstart.XXXXXX")
trap 'rm -f "$log"' EXIT

# The program's output as it is, then of the log where each call went.
show() {
  local status=0
  TORCHADA_LOG=debug "$stage/bin/torchada" run -- "$@" 2>"$log" || status=$?
  if [ $status -ne 0 ]; then cat "$log" >&2; return $status; fi
  grep -E ' -> |no MUSA found|not supported' "$log" | sed 's/^/    /'
}

echo
echo "== a ctypes script: packaging/quickstart/copy.py"
show python3 packaging/quickstart/copy.py
echo
echo "== a linked program: packaging/quickstart/devices.c"
cc packaging/quickstart/devices.c -o "$build/devices" -L"$stage/lib" -lcudart
show "$build/devices"
echo
echo "Run your own:  $stage/bin/torchada run -- PROGRAM ARGUMENTS"
