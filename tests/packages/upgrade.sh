#!/usr/bin/env bash
# Upgrades from an older release in place, while programs run that have called some of their functions and not yet
# called others; goes back to it, upgrades again, removes under a running program, and purges.
#   upgrade.sh SUITE OLD NEW ROOTS   SUITE: bookworm, bullseye, jammy, focal, noble; OLD, NEW: folders of build-deb.sh;
#                                    ROOTS: keeps the roots for the next time. Needs root, debootstrap, a network.
# torchada-host is upgraded too where both folders have one for SUITE.
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh
suite=$1 old=$(realpath "$2") new=$(realpath "$3")
mkdir -p "$4"
roots=$(realpath "$4")
dist=$new
# shellcheck source=tests/packages/roots_common.sh
. tests/packages/roots_common.sh
new_root
scratch=$root.scratch
mkdir "$scratch"
trap 'unmount_root "$root"; rm -rf --one-file-system "$root" "$scratch"' EXIT

put tests/roots/load_all.py tests/packages/programs/*.py packaging/quickstart/copy.py
# packages_of FOLDER: copies its packages into the root and puts their paths there in $files.
packages_of() {
  local name
  dist=$1
  files=()
  for name in torchada torchada-dev; do files+=("$(deb $name)"); done
  if [ -n "$with_host" ]; then files+=("$dist"/torchada-host_*"$with_host"_*.deb); fi
  mkdir -p "$root/test/$2"
  cp "${files[@]}" "$root/test/$2"
  files=("${files[@]##*/}")
  files=("${files[@]/#//test/$2/}")
}
case $suite in bookworm) with_host=+deb12 ;; bullseye) with_host=+deb11 ;; *) with_host="" ;; esac
for folder in "$old" "$new"; do
  compgen -G "$folder/torchada-host_*${with_host:-none}_*.deb" >/dev/null || with_host=""
done
[ -n "$with_host" ] || say "$suite: no torchada-host of this distribution in both folders: NOT TESTED here"
packages_of "$old" old
old_files=("${files[@]}") old_version=$(dpkg-deb -f "$(deb torchada)" Version)
packages_of "$new" new
new_files=("${files[@]}") new_version=$(dpkg-deb -f "$(deb torchada)" Version)
dpkg --compare-versions "$old_version" lt "$new_version" || fail "$old_version is not older than $new_version"

# What the packages depend on is there before, so that afterwards the file system must be as it was.
in_root apt-get update -qq
if [ -n "$with_host" ]; then
  for host in "${old_files[2]}" "${new_files[2]}"; do
    expect 0 apt-get install -y -qq --no-install-recommends "$host"
    expect 0 dpkg --purge torchada-host
  done
fi
# No package owns /opt: dpkg removes it when it is empty after any package that used it.
mkdir -p "$root/opt"
snapshot >"$scratch/before"

# is_version VERSION: the command is of this version, and no link in our folders leads nowhere. Programs start with
# --via=path, here and below: audit of release 0.1 finds only the major that update-alternatives chose.
is_version() {
  expect 0 torchada --version
  says "$1"
  expect 0 torchada run --via=path -- python3 /test/which_cudart.py
  says /opt/torchada/lib/libcudart.so
  # An older release does not have all libraries that load_all.py demands.
  if [ "$1" = "$new_version" ]; then expect 0 python3 /test/load_all.py /opt/torchada/lib /opt/torchada/lib/driver /opt/torchada/lib/nvml; fi
  broken=$(in_root find /opt/torchada /etc/alternatives -xtype l -path '*torchada*')
  [ -z "$broken" ] || fail "links that lead nowhere: $broken"
  expect 0 dpkg --audit
  [ -z "$said" ] || fail "$said"
  if [ -n "$with_host" ]; then
    expect 0 torchada run --via=path -- python3 /test/copy.py
    says equal
  fi
}
default() { expect 0 readlink -f "/opt/torchada/lib/$1.so"; says "/opt/torchada/lib/$1.so.$2"; }

# start: a program without MUSA, and one that computes with the stand-in. finish WHEN: both go on and end.
start() {
  coproc without { in_root env LD_LIBRARY_PATH=/opt/torchada/lib python3 /test/keeps_running.py 2>"$scratch/stderr"; }
  # Bash has one coproc at a time, so the second has pipes of its own.
  without_pid=$! without_in=${without[1]} without_out=${without[0]}
  exec {kept_in}>&"$without_in" {kept_out}<&"$without_out"
  hears "$kept_out" ready
  if [ -n "$with_host" ]; then
    rm -f "$scratch/go"
    mkfifo "$scratch/go"
    in_root torchada run --via=path -- python3 /test/keeps_running.py cublas <"$scratch/go" >"$scratch/said" 2>&1 &
    with_pid=$!
    exec {go}>"$scratch/go"
    for _ in $(seq 300); do grep -q ready "$scratch/said" && break; sleep 0.1; done
    grep -q ready "$scratch/said" || fail "the program is not ready:"$'\n'"$(cat "$scratch/said")"
  fi
}
hears() {
  local line
  read -r -t 60 line <&"$1" || fail "a program ended or waits instead of saying '$2'"
  [[ $line == *"$2"* ]] || fail "a program says '$line' instead of '$2'"
}
finish() {
  echo >&"$kept_in"
  hears "$kept_out" "ended well"
  wait "$without_pid" || fail "$1: the program without MUSA ended with status $?"
  exec {kept_in}>&- {kept_out}<&-
  if [ -n "$with_host" ]; then
    echo >&"$go"
    exec {go}>&-
    wait "$with_pid" || fail "$1: the program that computes ended with status $?:"$'\n'"$(cat "$scratch/said")"
    grep -q "ended well after many rounds" "$scratch/said" || fail "$1: $(cat "$scratch/said")"
  fi
}

say "$suite: $old_version"
expect 0 dpkg -i "${old_files[@]}"
is_version "$old_version"
expect 0 update-alternatives --set torchada-cuda /opt/torchada/lib/libcudart.so.13

say "$suite: upgrade to $new_version while programs run"
start
expect 0 dpkg -i "${new_files[@]}"
is_version "$new_version"
default libcudart 13  # the administrator's choice stays, also for libraries that are new
default libcublas 13
default libcufft 12
finish "upgrade"

say "$suite: back to $old_version while programs run"
start
expect 0 dpkg -i "${old_files[@]}"
is_version "$old_version"
default libcudart 13
finish "downgrade"

say "$suite: upgrade again, removal under running programs, purge"
expect 0 dpkg -i "${new_files[@]}"
is_version "$new_version"
start
expect 0 dpkg --remove torchada-dev torchada ${with_host:+torchada-host}
finish "removal"
expect 0 dpkg --purge torchada torchada-dev ${with_host:+torchada-host}
mkdir -p "$root/opt"
snapshot >"$scratch/after"
same "$scratch/before" "$scratch/after" "purged, but the file system is not as it was"
say "$suite: the file system is as it was ($(wc -l <"$scratch/after") files)"
