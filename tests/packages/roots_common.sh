# shellcheck shell=bash
# Shared by the installation tests; sourced by bash after packaging/roots.sh. The script that sources
# this sets $suite, $dist and $roots; new_root sets $root.
: "${suite:?}" "${dist:?}" "${roots:?}"

say() { printf -- '-- %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
in_root() { inside "$root" PYTHONDONTWRITEBYTECODE=1 "$@"; }

# expect STATUS COMMAND...: runs the command in the root. Its output is then in $said.
expect() {
  local wanted=$1 status=0
  shift
  said=$(in_root "$@" 2>&1) || status=$?
  [ "$status" -eq "$wanted" ] || fail "status $status instead of $wanted: $*"$'\n'"$said"
}
# says TEXT: checks that the last command printed it.
says() { [[ $said == *"$1"* ]] || fail "'$1' is not in"$'\n'"$said"; }

# Every file that packages may add or leave behind: kind, mode, owner, target, and contents.
snapshot() {
  local kept=(-path ./proc -o -path ./dev -o -path ./tmp -o -path ./sys -o -path ./root -o -path ./run -o -path ./test
    -o -path ./var/cache -o -path ./var/lib/apt -o -path ./var/log -o -path './var/lib/dpkg/*-old'
    -o -path './var/lib/dpkg/lock*' -o -path ./var/lib/dpkg/triggers)
  (
    cd "$root" || exit
    find . -xdev \( "${kept[@]}" \) -prune -o -printf '%p %y %m %U:%G %l\n' | sort
    find . -xdev \( "${kept[@]}" \) -prune -o -type f -print0 | sort -z | xargs -0 sha256sum | sed 's/^\([^ ]*\)  \(.*\)/\2 \1/'
  )
}

# same BEFORE AFTER WHAT
same() { diff "$1" "$2" >&2 || fail "$3"; }

# What the loader finds without any settings.
default_libraries() { in_root ldconfig -p; in_root sh -c 'cat /etc/ld.so.conf /etc/ld.so.conf.d/*'; }

# deb PACKAGE: prints the path of the package's file in $dist.
deb() {
  local found
  found=$(find "$dist" -name "$1_*.deb")
  [ "$(echo "$found" | wc -w)" -eq 1 ] || fail "not one file $dist/$1_*.deb: $found"
  echo "$found"
}

# put FILE...: copies files to /test in the root.
put() {
  mkdir -p "$root/test"
  cp "$@" "$root/test"
}

# $kind names roots with other $packages.
new_root() {
  local made=$roots/$suite-${kind:-test}
  make_root "$made" "$suite" "${packages:-python3-minimal,libpython3-stdlib}"
  root=$(mktemp -d "${TMPDIR:-/tmp}/torchada-install.XXXXXX")
  trap 'unmount_root "$root"; rm -rf --one-file-system "$root"' EXIT
  cp -a --reflink=auto "$made/." "$root"
  mount_root "$root"
}
