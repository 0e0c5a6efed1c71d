#!/bin/sh
# Reads the facts of a MUSA SDK: from a container image or from an installation.
set -eu

program=$(basename "$0")
repository=$(cd "$(dirname "$0")/.." && pwd)

usage() {
  cat <<TEXT
usage: $program [options] IMAGE
       $program [options] --root DIR

Reads exports, prototypes, enum values and struct layouts of the MUSA libraries with
'torchada-gen extract' and compares them with mappings/musa. No GPU is needed: nothing of MUSA is
run. From an image, only headers and the libraries in question are copied out of a container
without network, with docker or podman.

  --root DIR         a MUSA installation, as /usr/local/musa
  --image-root DIR   where the image has it (default: /usr/local/musa)
  --sdk-version V    as 5.1.0, where version.json and the headers do not tell
  --out DIR          the report's folder (default: musa-facts): report.txt and one table per
                     library in the form of mappings/musa, with tier sdk
  --generator FILE   torchada-gen (default: build/generator/torchada-gen, then PATH)
  --mappings DIR     folder of the tables (default: $repository/mappings)
  -h, --help         this text

exit status: 0 the tables agree, 1 there are differences, 2 bad usage or unreadable input
TEXT
}

fail() {
  echo "$program: $*" >&2
  exit 2
}

root=
image=
image_root=/usr/local/musa
sdk_version=
out=musa-facts
generator=
mappings=$repository/mappings
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --root | --image-root | --sdk-version | --out | --generator | --mappings)
      [ $# -ge 2 ] || fail "$1 needs a value" ;;
    -*) usage >&2; fail "unknown option '$1'" ;;
    *)
      [ -z "$image" ] || fail "one image only: '$image' or '$1'"
      image=$1; shift; continue ;;
  esac
  case $1 in
    --root) root=$2 ;;
    --image-root) image_root=$2 ;;
    --sdk-version) sdk_version=$2 ;;
    --out) out=$2 ;;
    --generator) generator=$2 ;;
    --mappings) mappings=$2 ;;
  esac
  shift 2
done

if [ -n "$image" ] && [ -n "$root" ]; then fail "give an image or --root, not both"; fi
if [ -z "$image" ] && [ -z "$root" ]; then usage >&2; fail "give an image or --root"; fi
if [ -z "$generator" ]; then
  generator=$repository/build/generator/torchada-gen
  [ -x "$generator" ] || generator=$(command -v torchada-gen || true)
fi
[ -x "$generator" ] || fail "no torchada-gen: build it, or give --generator"
[ -d "$mappings/musa" ] || fail "$mappings/musa: no such folder"

if [ -n "$image" ]; then
  engine=$(command -v docker || command -v podman || true)
  [ -n "$engine" ] || fail "docker or podman is needed to read an image; or give --root"
  root=$(mktemp -d "${TMPDIR:-/tmp}/torchada-musa-facts.XXXXXX")
  trap 'rm -rf "$root"' EXIT
  trap 'exit 2' HUP INT TERM
  stems=$(sed -n '/^backends:/,$s/^    stem: //p' "$mappings/libraries.yaml" | tr '\n' ' ')
  # The image needs only a shell and tar, not torchada-gen's dependencies. tar follows links,
  # because /usr/local/musa is a link and its target is not copied.
  # shellcheck disable=SC2016  # Expanded by the shell of the container.
  "$engine" run --rm --network none --entrypoint /bin/sh "$image" -c '
    cd "$1" || exit 1
    stems=$2
    set --
    for path in version.json include mccl/include; do
      [ -e "$path" ] && set -- "$@" "$path"
    done
    for stem in $stems; do
      for path in "lib/$stem".so* "mccl/lib/$stem".so*; do
        [ -e "$path" ] && set -- "$@" "$path"
      done
    done
    [ $# -gt 0 ] || exit 1
    exec tar -chf - "$@"' sh "$image_root" "$stems" >"$root/sdk.tar" ||
    fail "$image: no MUSA installation can be read at $image_root"
  tar -xf "$root/sdk.tar" -C "$root" || fail "$image: what was read is damaged"
  rm "$root/sdk.tar"
fi
[ -d "$root" ] || fail "$root: no such folder"

mkdir -p "$out" || fail "$out: cannot be created"
status=0
"$generator" extract --mappings="$mappings" --musa_root="$root" --out="$out" \
  ${sdk_version:+--sdk_version="$sdk_version"} --compare >"$out/report.txt" || status=$?
[ "$status" -le 1 ] || fail "the installation cannot be read (see above)"
tail -n 8 "$out/report.txt"
echo "$program: report and tables are in $out"
exit "$status"
