#!/usr/bin/env bash
# The long part of packaging/test.sh --full; not meant to be called by itself.
#   test-full.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1

step() { printf '\n== %s\n' "$*"; }

step "clang-tidy"
mapfile -t sources < <(git ls-files 'generator/*.cpp' 'src/*.cpp' 'stubs/*.cpp')
# It reads the sources one by one, without the precompiled headers, which are gcc's.
cmake -S . -B "$build-tidy" -G Ninja -DTORCHADA_QUICK_COMPILE=OFF -DTORCHADA_CCACHE=OFF >/dev/null
ln -sfn "$(realpath "$build/generated")" "$build-tidy/generated"
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p "$build-tidy" --warnings-as-errors='*'
echo "${#sources[@]} files"

step "cppcheck"
cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c++20 --enable=warning,performance,portability \
  --suppress=missingIncludeSystem --suppress=useInitializationList -I . generator src stubs

step "CPU stand-in under AddressSanitizer and UndefinedBehaviorSanitizer"
packaging/sanitize.sh "$build-address" asan
tests/host/sanitizers/through_shims.sh "$build-address" asan "$build"

step "CPU stand-in under ThreadSanitizer"
packaging/sanitize.sh "$build-thread" tsan
tests/host/sanitizers/through_shims.sh "$build-thread" tsan "$build"

step "BLAS under every set of OpenBLAS's kernels for this CPU"
tests/host/mublas/every_core.py --test "$build/tests/host/mublas/host_mublas_test" \
  --test "$build/tests/host/mublasLt/host_mublasLt_test" || [ $? -eq 77 ]  # there is one set only

step "generator under AddressSanitizer"
python3 tests/generator/malformed_tables.py "$build-address/generator/torchada-gen" mappings

step "readers of files, fuzzed for longer"
cmake -S . -B "$build" -DTORCHADA_BUILD_FUZZERS=ON >/dev/null
cmake --build "$build"
CHECK_FUZZ_SECONDS=300 ctest --test-dir "$build" -R '^check\.fuzz_' -j "$(nproc)" --output-on-failure

step "Debian 11"
tests/roots/debian11.sh "$build/stage" "$build/debian11"

step "Debian packages and archive"
packaging/build-deb.sh --out "$build/dist" --roots "$build/roots"
lintian --fail-on error,warning,info,pedantic --display-info --pedantic --allow-root "$build"/dist/*.deb
python3 -B tests/packages/contents_test.py "$build/dist"
for suite in bookworm bullseye jammy focal; do
  tests/packages/install.sh "$suite" "$build/dist" "$build/roots"
  tests/packages/verify_archive.sh "$suite" "$build/dist" "$build/roots" "$build/debian11/build/stage"
done
tests/packages/reproducible.sh "$build/dist" "$build/roots"

step "quickstart.sh and test.sh on a fresh Debian 12, in any order"
rm -rf "$build/two-commands"
tests/roots/two_commands.sh "$build/two-commands"

step "a reader of the README on a fresh Debian 12"
rm -rf "$build/fresh"
tests/documents/fresh_machine.sh "$build/fresh"

step "facts of every CUDA release"
# TORCHADA_CUDA_PACKAGES: a folder that keeps the downloads for the next time.
packages=${TORCHADA_CUDA_PACKAGES:-}
if [ -z "$packages" ]; then
  packages=$(mktemp -d "${TMPDIR:-/tmp}/torchada-cuda-facts.XXXXXX")
  trap 'rm -rf "$packages"' EXIT
fi
packaging/cuda-facts.sh --compare --generator "$build/generator/torchada-gen" --work "$packages"

step "entry points and static runtime of every CUDA release"
tests/entry_points/every_release.py "$build/stage" "$packages"

step "packages beside a CUDA toolkit and a MUSA SDK"
cudarts=("$packages"/*/nvidia/cuda_runtime/lib/libcudart.so.12)
tests/packages/neighbours.sh "$build/dist" "$build/roots" "${cudarts[0]}"

step "every number of mappings/cuda made wrong"
# Enumerators, sizes and offsets, one after the other: the headers of some release must object.
sources=()
for folder in "$packages"/[0-9]*.[0-9]*; do
  sources+=("$(basename "$folder")=$folder")
done
"$build/tests/mutation/mutate_tables" cuda mappings "${sources[@]}"

step "every function of the CPU stand-in made to do nothing"
MUTATION_EVERY=1 ctest --test-dir "$build" -R '^mutation\.functions$' --output-on-failure

step "every number of mappings/musa made wrong"
"$build/tests/mutation/mutate_tables" musa mappings --known tests/mutation/known_survivors.txt \
  "$build"/stage/host/3.1 "$build"/stage/host/4.3 "$build"/stage/host/5.1

step "collectives: every size and type, 50 deaths, a minute of waiting"
run() { env COLLECTIVES_STAGE="$build/stage" COLLECTIVES_PROGRAMS="$build/tests/collectives/programs" \
  python3 -B "tests/collectives/$1" "${@:2}"; }
run processes_test.py 8 1 full
run processes_test.py 8 2 full
run deaths_test.py 50
run straggler_test.py 60

step "real clients: what they do, and what check and doctor had said"
# Downloads about 8 GB from PyPI. One client is installed at a time; the largest takes 6 GB.
# TORCHADA_CLIENTS: a directory that keeps the results. A second run with the same build tries only what is missing.
tests/clients/run.py --stage "$build/stage" --results "${TORCHADA_CLIENTS:-$build/clients}" --gigabytes 20
