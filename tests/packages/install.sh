#!/usr/bin/env bash
# Installs the packages in a fresh root of a distribution with nothing but what they declare, runs
# programs, upgrades under a running one, removes and purges, and compares the file system.
#   install.sh SUITE DIST ROOTS     SUITE: bookworm, bullseye, jammy, focal, noble; DIST: of build-deb.sh;
#                                   ROOTS: keeps the roots for the next time. Needs root, debootstrap.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh
suite=$1 dist=$(realpath "$2")
mkdir -p "$3"
roots=$(realpath "$3")
# shellcheck source=tests/packages/roots_common.sh
. tests/packages/roots_common.sh
new_root
scratch=$root.scratch
mkdir "$scratch"
trap 'unmount_root "$root"; rm -rf --one-file-system "$root" "$scratch"' EXIT

package=$(deb torchada)
put "$package" "$(deb torchada-dev)" tests/roots/load_all.py tests/packages/programs/*.py packaging/quickstart/copy.py
snapshot >"$scratch/before"
default_libraries >"$scratch/loader"

say "$suite: install with what is declared, without a network"
expect 0 dpkg -i "/test/$(basename "$package")"
snapshot >"$scratch/installed"
foreign=$(diff "$scratch/before" "$scratch/installed" | sed -n 's/^[<>] \([^ ]*\).*/\1/p' | sort -u | grep -vE \
  '^\./(opt(/torchada(/.*)?)?|usr/bin(/torchada)?|usr/share/(doc|man/man1|lintian/overrides)(/torchada.*)?|usr/share/(doc|lintian|man).*|usr/share/(bash-completion|zsh)(/.*)?|etc/alternatives(/torchada-.*)?|var/lib/dpkg/.*)$') || true
[ -z "$foreign" ] || fail "files elsewhere: $foreign"
in_root ldconfig
default_libraries >"$scratch/loader.installed"
same "$scratch/loader" "$scratch/loader.installed" "the loader finds something of ours"
expect 0 sh -c 'cat /var/lib/dpkg/info/torchada.list /var/lib/dpkg/info/torchada.shlibs 2>/dev/null | grep -E "ld\.so\.conf|shlibs" || true'
[ -z "$said" ] || fail "$said"
# shellcheck disable=SC2016  # The shell in the root expands it, here and below.
expect 1 sh -c 'for file in /opt/torchada/bin/* /opt/torchada/lib/*.so* /opt/torchada/lib/driver/*.so* /opt/torchada/lib/nvml/*.so* /opt/torchada/libexec/*; do ldd "$file"; done | grep "not found"'

say "$suite: the command"
expect 0 torchada --version
expect 0 torchada coverage --format=json
expect 0 torchada explain cublasSgemm_v2
expect 0 torchada check /bin/sh
expect 1 torchada info --platform
says none
expect 1 torchada doctor
expect 0 torchada activate --print
expect 1 torchada activate --system
expect 0 torchada activate --system --yes
# shellcheck disable=SC2016
expect 0 sh -lc 'echo "$LD_LIBRARY_PATH"'
says /opt/torchada/lib
expect 0 torchada deactivate --system

say "$suite: programs"
expect 0 python3 /test/load_all.py /opt/torchada/lib /opt/torchada/lib/driver /opt/torchada/lib/nvml
expect 0 env LD_LIBRARY_PATH=/opt/torchada/lib python3 /test/which_cudart.py
says /opt/torchada/lib/libcudart.so.12
expect 0 torchada run -- python3 /test/which_cudart.py
says /opt/torchada/lib/libcudart.so.12

say "$suite: the companion beside this distribution's own libraries"
count='import ctypes; print(ctypes.CDLL("libcudart.so.12").cudaGetDeviceCount(ctypes.byref(ctypes.c_int())))'
expect 0 torchada trace -- python3 -c "$count"
says 'cudaGetDeviceCount(count='
says 'cudaErrorInsufficientDriver'
expect 0 torchada run --log-file=/tmp/torchada.log -- python3 -c "$count"
expect 0 cat /tmp/torchada.log
says 'libcudart.so.12: no MUSA found'
expect 3 torchada verify
expect 3 torchada bench

say "$suite: the default major"
default() { expect 0 readlink -f "/opt/torchada/lib/$1.so"; says "/opt/torchada/lib/$1.so.$2"; }
default libcudart 12; default libcublas 12; default libcublasLt 12
expect 0 update-alternatives --set torchada-cuda /opt/torchada/lib/libcudart.so.13
default libcudart 13; default libcublas 13; default libcublasLt 13
expect 0 torchada run -- python3 /test/which_cudart.py libcudart.so
says libcudart.so.13

say "$suite: upgrade under a running process"
dpkg-deb -R "$package" "$scratch/next"
sed -i 's/^Version: .*/&+next/' "$scratch/next/DEBIAN/control"
# New files under the same names, as after an upgrade.
cp --remove-destination "$scratch/next/opt/torchada/lib/libcudart.so.12" "$scratch/next/opt/torchada/lib/cu12/libcudart.so.12"
ln -f "$scratch/next/opt/torchada/lib/cu12/libcudart.so.12" "$scratch/next/opt/torchada/lib/libcudart.so.12"
dpkg-deb --root-owner-group -b "$scratch/next" "$root/test/next.deb" >/dev/null
coproc running { in_root env LD_LIBRARY_PATH=/opt/torchada/lib python3 /test/waiting.py 2>"$scratch/stderr"; }
running_pid=$!
read -r line <&"${running[0]}"
[ "$line" = "before 35" ] || fail "the process says '$line'"
expect 0 dpkg -i /test/next.deb
default libcudart 13  # the administrator's choice stays
exec 3<&"${running[0]}"
echo >&"${running[1]}"
read -r line <&3
[ "$line" = "after 0 12 True True 35" ] || fail "after the upgrade it says '$line'"
wait "$running_pid"
expect 0 update-alternatives --auto torchada-cuda
default libcudart 12

say "$suite: remove under a running process, and purge"
expect 0 dpkg -i "/test/$(basename "$(deb torchada-dev)")" "/test/$(basename "$package")"
coproc running { in_root env LD_LIBRARY_PATH=/opt/torchada/lib python3 /test/waiting.py 2>"$scratch/stderr"; }
running_pid=$!
read -r line <&"${running[0]}"
expect 0 dpkg --remove torchada-dev torchada
exec 3<&"${running[0]}"
echo >&"${running[1]}"
read -r line <&3
[ "$line" = "after 0 12 True True 35" ] || fail "after the removal it says '$line'"
wait "$running_pid"
expect 0 dpkg --purge torchada torchada-dev
in_root ldconfig
# No package owns /opt: dpkg removes it when it is empty after any package that used it.
mkdir -p "$root/opt"
snapshot >"$scratch/after"
same "$scratch/before" "$scratch/after" "purged, but the file system is not as it was"
say "$suite: the file system is as it was ($(wc -l <"$scratch/after") files)"

host=$(find "$dist" -name "torchada-host_*+$(case $suite in bookworm) echo deb12 ;; bullseye) echo deb11 ;; *) echo none ;; esac)_*.deb")
if [ -n "$host" ]; then
  say "$suite: the CPU stand-in, with the packages it declares"
  cp "$host" "$root/test/host.deb"
  expect 0 dpkg -i "/test/$(basename "$package")"
  in_root apt-get update -qq
  expect 0 apt-get install -y -qq --no-install-recommends /test/host.deb
  expect 0 torchada run -- python3 /test/copy.py
  says equal
  expect 0 torchada info --platform
  says host
  expect 0 torchada run -- python3 -c 'import ctypes
for name in ("libcublas.so.12", "libcurand.so.10", "libnccl.so.2"): ctypes.CDLL(name)
handle = ctypes.c_void_p()
raise SystemExit(ctypes.CDLL("libcublas.so.12").cublasCreate_v2(ctypes.byref(handle)))'
  program='import ctypes
def connect():
  ctypes.CDLL("libcudart.so.12").cudaEGLStreamConsumerConnect(None, None)
connect()'
  # shellcheck disable=SC2016
  expect 134 sh -c 'torchada run --strict -- python3 -c "$1"' sh "$program"
  says 'cudaEGLStreamConsumerConnect is not supported'
  says 'line 3, in connect'

  say "$suite: device code, with what torchada-host recommends for it"
  put packaging/quickstart/compile.py packaging/quickstart/saxpy/saxpy.cu
  # shellcheck disable=SC2016
  recommended=$(in_root dpkg-query -W -f '${Recommends}' torchada-host | tr -d ,)
  expect 1 torchada run -- python3 /test/compile.py
  if [ "$suite" = bookworm ]; then says 'install libllvm19 and clang-19'; else says 'that has clang-19'; fi
  # That the compiler is missing contradicts nothing.
  expect 0 torchada verify --musa-root=/opt/torchada/host/current
  # shellcheck disable=SC2086  # Several words.
  expect 0 apt-get install -y -qq --no-install-recommends $recommended
  if [ "$suite" = bookworm ]; then
    expect 0 torchada run -- python3 /test/compile.py
    says 'right'
    expect 0 torchada kernels build --backend=host /test/saxpy.cu -o /test/saxpy.image
    expect 0 test -s /test/saxpy.image
  else  # There is no LLVM 19.
    expect 3 torchada kernels build --backend=host /test/saxpy.cu -o /test/saxpy.image
    says 'that has clang-19'
  fi
  expect 0 torchada verify --musa-root=/opt/torchada/host/current
  expect 0 torchada bench
  # Files left by the distribution's own packages do not count.
  expect 0 dpkg --purge torchada-host torchada
  left=$(find "$root" -xdev -mindepth 1 -path "$root/test" -prune -o -path "$root/tmp" -prune -o -name '*torchada*' -print)
  [ -z "$left" ] || fail "purged, but there are $left"
else
  say "$suite: no torchada-host of this distribution in $dist: NOT TESTED here"
fi
