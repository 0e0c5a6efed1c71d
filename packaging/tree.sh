# shellcheck shell=bash
# An installed torchada, for bash scripts that make packages of it.
#   unpack_dist DIST TO       unpacks what build-deb.sh left in DIST into the folder TO
#   copy_listed TREE LIST TO  copies what a list of the Debian packages names below /opt/torchada
#   elf_files DIR             prints the ELF files in DIR
#   fail TEXT [STATUS]        ends the script named in program with a line and the status (1)
#   needed_glibc DIR FILE...  prints the oldest glibc with which all of the files in DIR run; fails, and says
#                             why, if a file needs a library that is neither glibc's nor in DIR
#   start_package OPTION...   reads --tree, --out and --help of a script that has usage(); sets tree and out,
#                             and does what start_work does
#   start_work                sets version, SOURCE_DATE_EPOCH (of the last commit, unless it is set) and scratch, a
#                             folder that is removed at the end
#   strip_elf_files DIR       strips the ELF files in DIR
#   torchada_version          prints the version of the sources

unpack_dist() {
  local archives=("$1"/torchada-[0-9]*-x86_64.tar.zst) hosts=("$1"/torchada-host_*_amd64.deb)
  [ -e "${archives[0]}" ] || { echo "no torchada-VERSION-x86_64.tar.zst in $1: packaging/build-deb.sh makes it" >&2; return 1; }
  mkdir -p "$2"
  tar -C "$2" --strip-components=1 --zstd -xf "${archives[-1]}"
  [ ! -e "${hosts[0]}" ] || dpkg-deb --fsys-tarfile "${hosts[-1]}" | tar -C "$2" --strip-components=3 -xf - ./opt/torchada
}

copy_listed() {
  local patterns
  mkdir -p "$3"
  patterns=$(sed 's|^opt/torchada/||; s| .*||' "$2")
  # All at once: hard links stay links.
  # shellcheck disable=SC2086  # Words with wildcards.
  (cd "$1" && shopt -s nullglob && { ls -d $patterns 2>/dev/null || true; } | xargs -d '\n' cp -a --parents -t "$3")
}

# Each once, whatever its number of names.
elf_files() {
  find "$1" -type f \( -name '*.so*' -o -perm -u+x \) -printf '%i %p\n' | LC_ALL=C sort -u -k1,1 | cut -d' ' -f2- |
    while read -r file; do ! readelf -h "$file" >/dev/null 2>&1 || echo "$file"; done
}

needed_glibc() {
  local root=$1 file library
  shift
  for file; do
    for library in $(readelf -dW "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
      [[ $library =~ ^(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\.so\. ]] || [ -n "$(find "$root" -name "$library")" ] ||
        { echo "$file needs $library, which other systems may lack" >&2; return 1; }
    done
  done
  {
    readelf -VW "$@" | grep -o 'GLIBC_[0-9.]*'
    # Built with glibc 2.34 or later, stubs/system/glibc_compat.h: Ubuntu 16.04's 2.23 refuses such a reference, and
    # 2.27 is the oldest that was seen to take it.
    readelf --dyn-syms -W "$@" | sed -n 's/.* WEAK .* UND dlopen@GLIBC.*/GLIBC_2.27/p'
  } | cut -d_ -f2 | sort -uV | tail -n 1
}

strip_elf_files() { elf_files "$1" | xargs -r strip; }

# shellcheck disable=SC2154  # The script that called has set it.
fail() { echo "$program: $1" >&2; exit "${2:-1}"; }

start_work() {
  # shellcheck disable=SC2034  # For the script that called.
  version=$(torchada_version)
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$(dirname "${BASH_SOURCE[0]}")" log -1 --format=%ct)}
  export SOURCE_DATE_EPOCH
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/torchada-package.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 1' HUP INT TERM
}

start_package() {
  local source
  source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  tree="" out=$source/dist
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) usage; exit 0 ;;
      --tree | --out) [ $# -ge 2 ] || fail "$1 needs a value" 2 ;;
      *) fail "unknown option '$1' (--help lists them)" 2 ;;
    esac
    case $1 in
      --tree) tree=$2 ;;
      --out) out=$2 ;;
    esac
    shift 2
  done
  start_work
  if [ -z "$tree" ]; then
    tree=$scratch/tree
    unpack_dist "$source/dist" "$tree" || exit 1
  fi
  [ -r "$tree/share/layout.txt" ] || fail "--tree $tree: not an installed torchada" 2
  tree=$(realpath "$tree")
  mkdir -p "$out"
  out=$(realpath "$out")
}

torchada_version() { sed -n 's/^project(torchada VERSION \([0-9.]*\).*/\1/p' "$(dirname "${BASH_SOURCE[0]}")/../CMakeLists.txt"; }
