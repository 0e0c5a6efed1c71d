#!/usr/bin/env bash
# torchada beside others' libraries, in a root of Debian 12: a CUDA toolkit whose folder is in the
# loader's path, and a MUSA SDK in /usr/local/musa with a process that has MUSA loaded already.
#   neighbours.sh DIST ROOTS CUDART   CUDART: NVIDIA's libcudart.so.12. Needs root, debootstrap, a network.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh
suite=bookworm dist=$(realpath "$1") cudart=$(realpath "$3")
mkdir -p "$2"
roots=$(realpath "$2")
# shellcheck source=tests/packages/roots_common.sh
. tests/packages/roots_common.sh
new_root
package=$(deb torchada)
put "$package" tests/packages/programs/*.py
which_cudart() { expect 0 "$@" python3 /test/which_cudart.py; }

say "a CUDA toolkit in the loader's path"
toolkit=/usr/local/cuda-12/lib64
mkdir -p "$root$toolkit"
cp "$cudart" "$root$toolkit/libcudart.so.12"
echo "$toolkit" >"$root/etc/ld.so.conf.d/cuda.conf"
in_root ldconfig
which_cudart env
says "$toolkit/libcudart.so.12"
default_libraries >"$root/test/loader"
expect 0 dpkg -i "/test/$(basename "$package")"
in_root ldconfig
default_libraries | diff "$root/test/loader" - || fail "the loader's cache is another one"
which_cudart env
[ "$said" = "$toolkit/libcudart.so.12" ] || fail "the toolkit's own is no longer found: $said"
which_cudart torchada run --
[ "$said" = /opt/torchada/lib/libcudart.so.12 ] || [[ $said == *no\ MUSA*/opt/torchada/lib/libcudart.so.12 ]] ||
  fail "under torchada run: $said"
# By its path, which audit redirects to ours.
expect 0 torchada run --via=audit -- python3 /test/which_cudart.py "$toolkit/libcudart.so.12"
says /opt/torchada/lib/libcudart.so.12
expect 1 torchada doctor
expect 0 dpkg --purge torchada
which_cudart env
[ "$said" = "$toolkit/libcudart.so.12" ] || fail "after the removal: $said"
rm -r "${root:?}/usr/local/cuda-12" "$root/etc/ld.so.conf.d/cuda.conf"
in_root ldconfig

say "a MUSA SDK (here the CPU stand-in's tree) in /usr/local/musa"
cp "$(deb torchada-host)" "$root/test/host.deb"
in_root apt-get update -qq
expect 0 apt-get install -y -qq --no-install-recommends /test/host.deb
# Installs MUSA as SDKs do. The package itself is removed, but its dependencies stay.
cp -r "$root/opt/torchada/host/5.2" "$root/usr/local/musa-5.2.0"
cp -r "$root/opt/torchada/host/driver/5.2/." "$root/usr/local/musa-5.2.0/lib"
ln -s musa-5.2.0 "$root/usr/local/musa"
expect 0 dpkg --purge torchada-host
expect 0 dpkg -i "/test/$(basename "$package")"
expect 0 torchada info --platform
expect 0 env LD_LIBRARY_PATH=/opt/torchada/lib python3 /test/beside_musa.py /usr/local/musa
[ "$(echo "$said" | wc -w)" -eq 1 ] || fail "more than one MUSA runtime: $said"
says /usr/local/musa-5.2.0/lib/libmusart
expect 0 torchada run -- python3 /test/beside_musa.py /usr/local/musa
expect 0 torchada coverage --format=json
says /usr/local/musa
expect 0 env LD_LIBRARY_PATH=/opt/torchada/lib python3 /test/which_cudart.py
says /opt/torchada/lib/libcudart.so.12
say "done"
