#!/usr/bin/env bash
# Installs the wheels by pip in a fresh root of a distribution, without a network: the two lines, a ctypes script and
# PyTorch, in less than a minute. pip takes the stand-in's wheel that fits the distribution's glibc. Where Python is
# older than 3.8, the first wheel is unpacked, and its files run.
#   wheels.sh SUITE WHEELS ROOTS [TORCH]   SUITE: bookworm, bullseye, jammy, bionic, xenial; WHEELS: of build-wheel.sh;
#                                          ROOTS: keeps the roots for the next time; TORCH: a folder with wheels of
#                                          torch and of what it needs, and two files of SGLang's in sglang. Needs
#                                          root, debootstrap, unzip.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh
suite=$1 dist=$(realpath "$2") torch=${4:+$(realpath "$4")}
mkdir -p "$3"
roots=$(realpath "$3")
# shellcheck source=tests/packages/roots_common.sh
. tests/packages/roots_common.sh
kind=wheel
case $suite in xenial | bionic) old_python=true packages=python3 ;; *) old_python=false packages=python3-venv ;; esac
new_root
put "$dist"/*.whl tests/roots/load_all.py tests/packages/programs/*.py
# Not as copy.py beside the others: torch imports a module of that name.
cp packaging/quickstart/copy.py "$root/test/there_and_back.py"

# loads ROOT: each library there, and the command.
loads() {
  expect 0 "$1/bin/torchada" --version
  expect 0 python3 /test/load_all.py "$1/lib" "$1/lib/driver" "$1/lib/nvml"
  say "$suite: ${said##*$'\n'}"
  expect 0 "$1/bin/torchada" run -- python3 /test/which_cudart.py
  says "$1/lib/libcudart.so.12"
  expect 0 "$1/bin/torchada" trace -- python3 /test/waiting.py </dev/null
  says 'cudaGetDeviceCount('
}

if $old_python; then
  unzip -q "$dist/torchada_native-*.whl" -d "$root/unpacked"
  loads /unpacked/torchada_native
  exit 0
fi

python=/venv/bin/python
pip=("$python" -m pip install -q --no-index --disable-pip-version-check --find-links)
expect 0 python3 -m venv /venv
if [ -n "$torch" ]; then
  say "$suite: torch"
  mkdir "$root/torch"
  mount --bind "$torch" "$root/torch"
  trap 'umount "$root/torch"; unmount_root "$root"; rm -rf --one-file-system "$root"' EXIT
  expect 0 "${pip[@]}" /torch torch
fi

started=$SECONDS
expect 0 "${pip[@]}" /test torchada-native
answer="CUDA driver version is insufficient for CUDA runtime version" status=1 devices=0
if in_root "${pip[@]}" /test torchada-native-host 2>"$root/tmp/said"; then
  answer=equal status=0 devices=1
else
  say "$suite: no wheel of the stand-in fits: $(tail -n 1 "$root/tmp/said")"
fi
expect $status $python /test/activated.py /test/there_and_back.py
says "$answer"
if [ -n "$torch" ]; then
  expect 0 $python /test/activated.py /test/torch_product.py
  says "has $devices devices"
  if [ $devices -eq 1 ]; then
    says "is equal"
    expect 0 $python /test/activated.py /test/sglang_wrappers.py /torch/sglang
    says "[1.0, 2.0, 3.0, 4.0]"
  fi
fi
seconds=$((SECONDS - started))
say "$suite: ${said##*$'\n'}; in $seconds seconds"
[ $seconds -lt 60 ] || fail "it took $seconds seconds"

expect 0 $python -c 'import torchada_native; print(torchada_native.CUDA_HOME)'
loads "$said"
