# shellcheck shell=bash
# Root file systems of distributions, for bash scripts that source this. Needs root and debootstrap.
#   make_root ROOT SUITE [PACKAGE,...]   makes ROOT unless it is complete
#   mount_root ROOT, unmount_root ROOT   mount and unmount /proc and /dev
#   inside ROOT COMMAND...               runs COMMAND in ROOT with a clean environment
#   copy_sources TO                      copies the tracked files of the working tree

# The mirror from which this machine installs also serves the older Debian releases.
mirror_of() {
  case $1 in
    xenial | bionic | focal | jammy | noble) echo "${TORCHADA_UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}" ;;
    *)
      # shellcheck disable=SC2016  # apt-get expands it.
      apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1
      ;;
  esac
}

make_root() {
  local root=$1 suite=$2 components=main script=
  [ ! -e "$root/.complete" ] || return 0
  case $suite in
    xenial | bionic | focal | jammy | noble)
      components=main,universe
      # An older debootstrap does not know newer releases. The script of all since 7.10 is the same.
      script=gutsy
      ;;
  esac
  echo "-- making a root of $suite in $root"
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase --components="$components" ${3:+--include="$3"} "$suite" "$root" "$(mirror_of "$suite")" \
    $script >"$root.log" 2>&1 || { tail "$root.log" >&2; return 1; }
  touch "$root/.complete"
}

mount_root() {
  mountpoint -q "$1/proc" || mount -t proc proc "$1/proc"
  mountpoint -q "$1/dev" || mount --bind /dev "$1/dev"
  mountpoint -q "$1/dev/pts" || mount --bind /dev/pts "$1/dev/pts"
  mountpoint -q "$1/dev/shm" || mount --bind /dev/shm "$1/dev/shm"
}

# What a process still uses stays mounted: umount says so, and a caller that removes ROOT fails then.
unmount_root() {
  local folder
  for folder in dev/shm dev/pts dev proc; do
    ! mountpoint -q "$1/$folder" || umount "$1/$folder" || true
  done
}

inside() {
  local root=$1
  shift
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

copy_sources() {
  mkdir -p "$1"
  git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$1" --skip-old-files
  # Unchanged files keep their times, so that the next build is short.
  # shellcheck disable=SC2016  # The inner shell expands them.
  git ls-files -z | xargs -0 sh -c 'for file do cmp -s "$file" "$0/$file" || cp -p "$file" "$0/$file"; done' "$1"
  # Remove files that are no longer tracked: otherwise they would be built too.
  (cd "$1" && find . -type f -printf '%P\n' | sort) | comm -23 - <(git ls-files | sort) |
    (cd "$1" && xargs -r -d '\n' rm -f)
}
