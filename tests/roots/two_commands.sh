#!/usr/bin/env bash
# The README's two commands on a new Debian 12, each twice in one build folder: in one order as root, in the other as a
# user with sudo. Prints how long each took. Needs root, debootstrap and a network; takes 80 minutes on two cores.
#   two_commands.sh ROOT     ROOT must not exist. It is kept if something fails, and removed otherwise.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. "${ROOTS:-packaging/roots.sh}"
root=$(realpath -m "$1")
[ ! -e "$root" ] || { echo "two_commands.sh: $root exists already, so it would not be fresh" >&2; exit 2; }
trap 'unmount_root "$root"' EXIT
make_root "$root" bookworm git,sudo
mount_root "$root"
git clone --quiet --no-local . "$root/root/torchada"

# command_of USER FOLDER NAME BUILD: runs packaging/NAME.sh and checks the end of what it prints.
command_of() {
  local user=$1 folder=$2 name=$3 build=$4 begun=$SECONDS log
  log=$root/var/log/torchada-$user-$name-$build.log
  # shellcheck disable=SC2016  # The inner shell expands them.
  inside "$root" su "$user" -s /bin/bash -c 'cd "$0" && exec packaging/"$1".sh --build "$2"' \
    "$folder" "$name" "$build" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }
  case $name in
    quickstart) grep -q 'bytes to the device and back: equal' "$log" && grep -q '^devices: CUDA' "$log" ;;
    test) grep -q '^100% tests passed' "$log" ;;
  esac || { echo "two_commands.sh: $log does not end as expected" >&2; exit 1; }
  echo "$user: packaging/$name.sh --build $build: $((SECONDS - begun)) s"
}

for name in quickstart test quickstart test; do command_of root /root/torchada $name build; done

inside "$root" useradd --create-home newcomer
echo 'newcomer ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/newcomer"
git clone --quiet --no-local . "$root/home/newcomer/torchada"
inside "$root" chown -R newcomer: /home/newcomer/torchada
for name in test quickstart test quickstart; do command_of newcomer /home/newcomer/torchada $name build; done

unmount_root "$root"
rm -rf --one-file-system "$root"
