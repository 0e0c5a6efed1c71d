#!/usr/bin/env bash
# Builds torchada and runs two unmodified CUDA programs on it: a ctypes script and a linked program.
# Shows which CUDA call went where. Without a MUSA installation they run on the CPU stand-in.
#   quickstart.sh [--build DIR] [--no-install] [--no-build]
# --no-install installs no packages. --no-build installs and builds nothing: it shows what is in DIR
# (default: build).
set -euo pipefail
cd "$(dirname "$0")/.."
install=true make=true build=build
while [ $# -gt 0 ]; do
  case "$1" in
    --build)
      [ -n "${2:-}" ] || { echo "quickstart.sh: --build: expected a folder, for example --build build" >&2; exit 2; }
      build=$2
      shift
      ;;
    --no-install) install=false ;;
    --no-build) install=false make=false ;;
    -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "quickstart.sh: unknown option $1 (--help lists them)" >&2; exit 2 ;;
  esac
  shift
done

if $install; then packaging/install-build-deps.sh; fi
if $make; then
  echo "== building in $build"
  packaging/configure.sh "$build" >/dev/null
  # Only what is shown: the libraries, the command, and MUSA's newest release on the CPU.
  cmake --build "$build" --target quickstart
fi
stage=$(realpath -m "$build")/stage
if [ ! -x "$stage/bin/torchada" ]; then
  echo "quickstart.sh: $stage/bin/torchada: not found; run it without --no-build to build it" >&2
  exit 2
fi

log=$(mktemp "${TMPDIR:-/tmp}/torchada-quickstart.XXXXXX")
trap 'rm -f "$log"' EXIT

# The program's output as it is, then, from the log, where each call went.
show() {
  local status=0
  TORCHADA_LOG=debug "$stage/bin/torchada" run -- "$@" 2>"$log" || status=$?
  if [ $status -ne 0 ]; then cat "$log" >&2; return $status; fi
  grep -E '^torchada: lib.* -> |no MUSA found|not supported' "$log" | sed 's/^/    /'
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
