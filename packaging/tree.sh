# shellcheck shell=bash
# An installed torchada, for bash scripts that make packages of it.
#   newest_glibc DIR FILE...  prints the newest version of glibc that one of the files in DIR needs; fails,
#                             and says why, if a file needs a library that is neither glibc's nor in DIR
#   torchada_version          prints the version of the sources

newest_glibc() {
  local root=$1 file library
  shift
  for file; do
    for library in $(readelf -dW "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
      [[ $library =~ ^(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\.so\. ]] || [ -n "$(find "$root" -name "$library")" ] ||
        { echo "$file needs $library, which other systems may lack" >&2; return 1; }
    done
  done
  readelf -VW "$@" | grep -o 'GLIBC_[0-9.]*' | cut -d_ -f2 | sort -uV | tail -n 1
}

torchada_version() { sed -n 's/^project(torchada VERSION \([0-9.]*\).*/\1/p' "$(dirname "${BASH_SOURCE[0]}")/../CMakeLists.txt"; }
