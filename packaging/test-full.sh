#!/usr/bin/env bash
# The long part of packaging/test.sh --full: about 20 hours on 2 cores, and tens of GB of downloads.
#   test-full.sh BUILD [STEP...]   runs all steps, or those named
#   test-full.sh --list            names the steps
# BUILD is a folder in which everything was built. BUILD/full has what each step printed. A step that has passed for
# the commit checked out is not run again (packaging/steps.sh). Needs root, and install-build-deps.sh --full.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=packaging/steps.sh
. packaging/steps.sh

step_clang_tidy() {
  # Of what becomes a part of images, CMake writes no compile command.
  mapfile -t sources < <(git ls-files 'generator/*.cpp' 'src/*.cpp' 'stubs/*.cpp' ':!src/host/kernels/device')
  # It reads the sources one by one, without the precompiled headers, which are gcc's.
  cmake -S . -B "$full/tidy" -G Ninja -DTORCHADA_QUICK_COMPILE=OFF -DTORCHADA_CCACHE=OFF >/dev/null
  ln -sfn "$(realpath "$build/generated")" "$full/tidy/generated"
  packaging/run_clang_tidy.py "$full/tidy" "${sources[@]}"
}

step_cppcheck() {
  cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c++20 --enable=warning,performance,portability \
    --suppress=missingIncludeSystem --suppress=useInitializationList -I . generator src stubs
}

# The CPU stand-in, and the generator, under AddressSanitizer and UndefinedBehaviorSanitizer.
step_address() {
  packaging/sanitize.sh "$full/address" asan
  tests/host/sanitizers/through_libraries.sh "$full/address" asan "$build"
  python3 tests/generator/malformed_tables.py "$full/address/generator/torchada-gen" mappings
}

# The CPU stand-in under ThreadSanitizer.
step_thread() {
  packaging/sanitize.sh "$full/thread" tsan
  tests/host/sanitizers/through_libraries.sh "$full/thread" tsan "$build"
}

# Every interleaving of opening and publishing, also of the scenarios that are too large for each build.
step_model() { python3 -B tests/model/run_model.py scenarios --all; }

# BLAS under every set of OpenBLAS's kernels for this CPU.
step_blas_cores() {
  local status=0
  tests/host/mublas/every_core.py --test "$build/tests/host/mublas/host_mublas_test" \
    --test "$build/tests/host/mublasLt/host_mublasLt_test" || status=$?
  [ "$status" -ne 77 ] || echo "SKIPPED: there is one set only on this CPU"
  [ "$status" -eq 0 ] || [ "$status" -eq 77 ]
}

# Readers of files, fuzzed for longer.
step_fuzzing() {
  cmake -S . -B "$build" -DTORCHADA_BUILD_FUZZERS=ON >/dev/null
  cmake --build "$build"
  CHECK_FUZZ_SECONDS=300 ctest --test-dir "$build" -R '^check\.fuzz_' -j "$(nproc)" --no-tests=error --output-on-failure
}

step_debian11() { tests/roots/debian11.sh "$build/stage" "$build/debian11"; }

step_packages() {
  packaging/build-deb.sh --out "$build/dist" --roots "$build/roots"
  lintian --fail-on error,warning,info,pedantic --display-info --pedantic --allow-root "$build"/dist/*.deb
  python3 -B tests/packages/contents_test.py "$build/dist"
}

step_distributions() {
  for suite in bookworm bullseye jammy focal noble; do
    tests/packages/install.sh "$suite" "$build/dist" "$build/roots"
    tests/packages/verify_archive.sh "$suite" "$build/dist" "$build/roots" "$build/debian11/build/stage"
  done
}

# wheel_of PACKAGE CLIENT OPTION...: the wheel of a client's package, in $full/PACKAGE.
wheel_of() {
  mkdir -p "$full/$1"
  grep "^$1==" "tests/clients/programs/$2/requirements.txt" >"$full/$1/requirements.txt"
  python3 -m pip download -q --no-deps --require-hashes -r "$full/$1/requirements.txt" -d "$full/$1" "${@:3}"
}

# Wheels with every Python from 3.8 on that is here, beside the Python torchada; and in fresh roots of distributions,
# made of the packages, with PyTorch and SGLang's wrappers. The step debian11 has built the stand-in for an older glibc.
# At last SGLang and vLLM whole, as the clients of that name, with what pip installed.
step_wheels() {
  local python version suite older=$build/debian11/build/stage
  wheel_of torchada torchada-python
  wheel_of sglang sglang --python-version 3.11 --platform manylinux_2_34_x86_64
  for python in /usr/bin/python3 "$HOME"/.pyenv/versions/3.{8,9,1}*/bin/python; do
    [ ! -x "$python" ] ||
      PACKAGES_BUILD=$build WHEEL_PYTHON=$python WHEEL_TORCHADA=$full/torchada python3 -B tests/packages/wheel_test.py
  done
  rm -rf "$full/wheels"
  (. packaging/tree.sh && unpack_dist "$build/dist" "$full/wheels/tree")
  packaging/build-wheel.sh --tree "$full/wheels/tree" --out "$full/wheels"
  packaging/build-wheel.sh --tree "$older" --out "$full/wheels/older"
  mv "$full"/wheels/older/torchada_native_host-*.whl "$full/wheels"
  for version in 3.9 3.10 3.11; do
    python3 -m pip download -q --only-binary=:all: --python-version "$version" --platform manylinux1_x86_64 \
      --platform manylinux2014_x86_64 --platform manylinux_2_31_x86_64 -d "$full/torch" torch==2.6.0
  done
  unzip -q -o -j -d "$full/torch/sglang" "$full"/sglang/*.whl '*/device_communicators/*_wrapper.py'
  for suite in bookworm bullseye jammy bionic xenial; do
    tests/packages/wheels.sh "$suite" "$full/wheels" "$build/roots" "$full/torch"
  done
  python3 -m venv "$full/wheels/venv"
  "$full/wheels/venv/bin/pip" install -q --no-index --find-links "$full/wheels" torchada-native-host
  tests/clients/run.py --stage "$(echo "$full"/wheels/venv/lib/python3*/site-packages/torchada_native)" \
    --results "$full/wheels/clients" --gigabytes 20 sglang vllm
}

# The image recipe and the CDI specification, by podman and buildah.
step_containers() { tests/packages/containers.sh "$build/stage" "$build/dist" "$build/roots"; }

# Everything built in a Debian 12 that has no network.
step_offline() { tests/packages/offline.sh "$build/roots"; }

# From release 0.2, which is built from its commit, and back. Its stand-in is left out: a source of it lacks an include
# where each is compiled alone, as for packages.
step_upgrade() {
  local release=3df06055
  if [ ! -e "$build/dist-0.2/SHA256SUMS" ]; then
    rm -rf "$build/release-0.2"
    git clone -q --shared . "$build/release-0.2"
    git -C "$build/release-0.2" checkout -q "$release"
    "$build/release-0.2/packaging/build-deb.sh" --out "$build/dist-0.2" --roots "$build/roots" --only torchada
    rm -rf "$build/release-0.2"
  fi
  for suite in bookworm focal noble; do
    tests/packages/upgrade.sh "$suite" "$build/dist-0.2" "$build/dist" "$build/roots"
  done
}

step_reproducible() { tests/packages/reproducible.sh "$build/dist" "$build/roots"; }

# quickstart.sh and test.sh on a fresh Debian 12, in any order.
step_two_commands() {
  rm -rf "$build/two-commands"
  tests/roots/two_commands.sh "$build/two-commands"
}

# A reader of the README on a fresh Debian 12.
step_readme() {
  rm -rf "$build/fresh"
  tests/documents/fresh_machine.sh "$build/fresh"
}

# The facts of every CUDA release against the tables.
step_cuda_facts() { packaging/cuda-facts.sh --compare --generator "$build/generator/torchada-gen" --work "$packages"; }

step_every_release() {
  tests/entry_points/every_release.py "$build/stage" "$packages"
  tests/kernels/every_release.py "$build/stage" "$packages"
}

# Ten sources of PyTorch, compiled for the CPU stand-in. TORCHADA_PYTORCH: a folder that keeps what is downloaded.
step_pytorch_sources() { tests/kernels/pytorch_sources.py "$build/stage" "${TORCHADA_PYTORCH:-$full/pytorch}"; }

# 200 of PyTorch's own tests. TORCHADA_PYTORCH_TESTS: a folder that keeps what is downloaded and compiled.
step_pytorch_tests() {
  tests/kernels/pytorch_tests.py "$build/stage" "${TORCHADA_PYTORCH_TESTS:-$full/pytorch-tests}" --chosen --again
}

# Suites of others, compared with tables of what is not expected to pass. TORCHADA_SUITES: a folder that has clones of
# them, instead of GitHub. TORCHADA_SUITES_WORK: a folder that keeps what is downloaded and built.
suites=${TORCHADA_SUITES_WORK:-}
step_nccl_tests() { tests/suites/nccl_tests.py "$build/stage" "${suites:-$full/suites}"; }
step_cuda_samples() { tests/suites/cuda_samples.py "$build/stage" "${suites:-$full/suites}"; }
step_numba_tests() { tests/suites/numba_tests.py "$build/stage" "${suites:-$full/suites}"; }
step_tinygrad_tests() { tests/suites/tinygrad_tests.py "$build/stage" "${suites:-$full/suites}"; }

# A thousand broken or hostile sources, given to the compiler of device code, and some 100 to NVRTC.
step_hostile_sources() {
  local hostile=(python3 -B tests/kernels/hostile_sources.py)
  "${hostile[@]}" "$build/stage/host/kernels/torchada-kernels" tests/kernels/programs --count=1000 --seconds=60 \
    --jobs="$(nproc)"
  TORCHADA_MUSA_PATH="$build/stage/host/current" "${hostile[@]}" "$build/stage/lib/libnvrtc.so.12" \
    tests/kernels/programs --count=100 --seconds=20 --jobs="$(nproc)"
}

# Packages beside a CUDA toolkit and a MUSA SDK.
step_neighbours() {
  local cudarts=("$packages"/*/nvidia/cuda_runtime/lib/libcudart.so.12)
  tests/packages/neighbours.sh "$build/dist" "$build/roots" "${cudarts[0]}"
}

# Enumerators, sizes and offsets made wrong, one after the other: the headers of some release must object.
step_mutate_cuda() {
  local sources=()
  for folder in "$packages"/[0-9]*.[0-9]*; do
    sources+=("$(basename "$folder")=$folder")
  done
  "$build/tests/mutation/mutate_tables" cuda mappings "${sources[@]}"
}

# Every function of the CPU stand-in made to do nothing.
step_mutate_functions() {
  MUTATION_EVERY=1 ctest --test-dir "$build" -R '^mutation\.functions$' --no-tests=error --output-on-failure
}

# Every size and type, 50 deaths, a minute of waiting.
step_collectives() {
  local run=(env COLLECTIVES_STAGE="$build/stage" COLLECTIVES_PROGRAMS="$build/tests/collectives/programs" python3 -B)
  "${run[@]}" tests/collectives/processes_test.py 8 full
  "${run[@]}" tests/collectives/deaths_test.py 50
  "${run[@]}" tests/collectives/straggler_test.py 60
}

# A service-like program with all libraries, a process that trains with PyTorch and its profiler, and deaths of ranks
# beside them. TORCHADA_LONG_RUN_SECONDS: another duration than an hour. It leaves half of a core to others.
# TORCHADA_PYTORCH_TESTS: as above.
step_long_run() {
  local run=(env LONG_RUN_STAGE="$build/stage" LONG_RUN_PROGRAM="$build/tests/long_run/long_run"
    LONG_RUN_IMAGE="$build/tests/long_run/device_code.image" LONG_RUN_COLLECTIVES="$build/tests/collectives/programs"
    LONG_RUN_PYTORCH="${TORCHADA_PYTORCH_TESTS:-$full/pytorch-tests}" python3 -B tests/long_run/long_run_test.py)
  "${run[@]}" --leaks
  "${run[@]}" "${TORCHADA_LONG_RUN_SECONDS:-3600}" 1
}

# Real clients: what they do, and what check and doctor had said. One client is installed at a time; the largest takes
# 6 GB. TORCHADA_CLIENTS: a directory that keeps the results. A second run with the same build tries only what is
# missing.
step_clients() {
  tests/clients/run.py --stage "$build/stage" --results "${TORCHADA_CLIENTS:-$build/clients}" --gigabytes 20
}

mapfile -t steps < <(sed -n 's/^step_\([a-z0-9_]*\)() .*/\1/p' "$0")
case ${1:-} in
  "" | -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; [ -n "${1:-}" ] && exit 0 || exit 2 ;;
  --list) printf '%s\n' "${steps[@]}"; exit 0 ;;
  -*) echo "test-full.sh: unknown option $1 (--help lists them)" >&2; exit 2 ;;
esac
build=$1
shift
for step; do
  [[ " ${steps[*]} " == *" $step "* ]] || { echo "test-full.sh: no step is named $step (--list names them)" >&2; exit 2; }
done
[ -d "$build/stage" ] || { echo "test-full.sh: $build has no build; packaging/configure.sh $build and cmake --build $build make one" >&2; exit 2; }
# What is called from here may change its folder first.
build=$(realpath "$build")
full=$build/full
# TORCHADA_CUDA_PACKAGES: a folder that keeps the CUDA releases from PyPI for other builds, too.
packages=${TORCHADA_CUDA_PACKAGES:-$full/cuda}
[ $# -gt 0 ] || set -- "${steps[@]}"
run_steps "$full" "$@"
