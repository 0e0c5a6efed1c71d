#!/bin/sh
# Repeats the extraction of mappings/cuda from the exact packages that releases.yaml names.
set -eu

program=$(basename "$0")
repository=$(cd "$(dirname "$0")/.." && pwd)

usage() {
  cat <<TEXT
usage: $program [options]

Downloads the packages that mappings/cuda/releases.yaml names from the Python package index (about
4 GB), unpacks them, and writes mappings/cuda/*.yaml with 'torchada-gen extract'. The same packages
give the same bytes.

  --generator FILE   torchada-gen (default: build/generator/torchada-gen, then PATH)
  --mappings DIR     folder of the tables (default: $repository/mappings)
  --work DIR         keep packages there, and use those already there (default: a temporary folder,
                     removed at the end)
  --compare          write nothing; print the differences to the tables
  --releases LIST    with --compare: only these, as 11.8,12.9
  -h, --help         this text

exit status: 0 done, 1 differences (--compare), 2 bad usage, missing tools or failed downloads
TEXT
}

fail() {
  echo "$program: $*" >&2
  exit 2
}

generator=
mappings=$repository/mappings
work=
compare=
releases=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --compare) compare=--compare; shift; continue ;;
    --generator | --mappings | --work | --releases) ;;
    *) usage >&2; fail "unknown option '$1'" ;;
  esac
  [ $# -ge 2 ] || fail "$1 needs a value"
  case $1 in
    --generator) generator=$2 ;;
    --mappings) mappings=$2 ;;
    --work) work=$2 ;;
    --releases) releases=$(echo "$2" | tr ',' ' ') ;;
  esac
  shift 2
done

[ -z "$releases" ] || [ -n "$compare" ] || fail "--releases needs --compare: tables are written as a whole"
[ "$(uname -m)" = x86_64 ] || fail "the facts are those of the x86_64 packages; this machine is $(uname -m)"
python3 -m pip --version >/dev/null 2>&1 || fail "python3 with pip is needed (Debian: python3-pip)"
if [ -z "$generator" ]; then
  generator=$repository/build/generator/torchada-gen
  [ -x "$generator" ] || generator=$(command -v torchada-gen || true)
fi
[ -x "$generator" ] || fail "no torchada-gen: build it, or give --generator"
facts=$mappings/cuda/releases.yaml
[ -f "$facts" ] || fail "$facts: no such file"

# Prints a line "RELEASE PACKAGE==VERSION" for each package.
packages() {
  awk '/^libraries:/ { exit }
       /^  "[^"]*":/ { split($0, part, "\""); release = part[2] }
       /^    - /     { print release, $2 }' "$facts"
}
[ -n "$(packages)" ] || fail "$facts names no packages"
if [ -z "$releases" ]; then
  releases=$(packages | awk '!seen[$1]++ { print $1 }')
fi
for release in $releases; do
  packages | grep -q "^$release " || fail "release '$release' is not in $facts"
done

if [ -z "$work" ]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/torchada-cuda-facts.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 2' HUP INT TERM
fi
mkdir -p "$work/packages"
work=$(cd "$work" && pwd)

roots=
for release in $releases; do
  folder=$work/$release
  rm -rf "$folder"
  mkdir -p "$folder"
  for package in $(packages | awk -v release="$release" '$1 == release { print $2 }'); do
    name=$(echo "${package%%==*}" | tr '-' '_')
    set -- "$work/packages/$name-${package##*==}"-*.whl
    if [ ! -f "$1" ]; then
      echo "$program: $release: downloading $package"
      python3 -m pip download --quiet --disable-pip-version-check --no-deps \
        --only-binary=:all: --dest "$work/packages" "$package" ||
        fail "$package: cannot be downloaded"
      set -- "$work/packages/$name-${package##*==}"-*.whl
    fi
    [ -f "$1" ] || fail "$package: the download is not a wheel for this machine"
    python3 -m zipfile -e "$1" "$folder" || fail "$1: cannot be unpacked; delete it and try again"
  done
  roots=${roots:+$roots,}$release=$folder
done

status=0
"$generator" extract --mappings="$mappings" --cuda-root="$roots" $compare || status=$?
[ "$status" -le 1 ] || exit "$status"

# The answers without a device. Each release has its own process, because two libraries with the
# same SONAME cannot be loaded together.
answers=$work/answers.yaml
rm -f "$answers"
for release in $releases; do
  "$generator" record --mappings="$mappings" --out="$answers" --cuda-root="$release=$work/$release" || exit 2
done
if [ -z "$compare" ]; then
  cp "$answers" "$mappings/cuda/answers.yaml"
elif [ "$(packages | awk '!seen[$1]++' | wc -l)" -eq "$(echo "$releases" | wc -w)" ]; then
  diff -u "$mappings/cuda/answers.yaml" "$answers" || status=1
fi
exit "$status"
