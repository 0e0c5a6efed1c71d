#!/usr/bin/env bash
# Builds the Debian packages and the archives from a checkout.
set -euo pipefail
umask 022
export TZ=UTC LC_ALL=C.UTF-8
program=$(basename "$0")
cd "$(dirname "$0")/.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh

usage() {
  cat <<TEXT
usage: $program [options]

Builds torchada, torchada-dev and their debug symbols in Debian 11, so that they install wherever
glibc is 2.17 or later, torchada-host (the CPU stand-in) in the distribution where it is to be used,
an archive of torchada and torchada-dev that can be unpacked anywhere, and the archive of verify.sh
(packaging/verify-archive.sh). Same commit, same bytes, as long as the packages of the distributions
are the same. Needs root, debootstrap, zstd, a network.

  --out DIR            where they go (default: dist)
  --roots DIR          keeps the distributions' roots there for the next time; otherwise they are
                       made anew (about 2 GB each) and removed
  --distribution NAME  for torchada-host: bookworm (default) or bullseye
  --only WHICH         torchada or host
  -h, --help           this text

What git tracks is built, as it is in the working tree. DEBFULLNAME and DEBEMAIL name the maintainer
instead of the commit's author. Progress is in the logs that are named.
exit status: 0 all is in --out, 1 a build failed, 2 bad usage
TEXT
}
fail() { echo "$program: $1" >&2; exit "${2:-1}"; }

out=dist roots="" distribution=bookworm only=""
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --out | --roots | --distribution | --only) [ $# -ge 2 ] || fail "$1 needs a value" 2 ;;
    *) fail "unknown option '$1' (--help lists them)" 2 ;;
  esac
  case $1 in
    --out) out=$2 ;;
    --roots) roots=$2 ;;
    --distribution) distribution=$2 ;;
    --only) only=$2 ;;
  esac
  shift 2
done
case $distribution in
  bookworm) release=deb12 ;;
  bullseye) release=deb11 ;;
  *) fail "--distribution: bookworm or bullseye, not '$distribution'" 2 ;;
esac
case $only in "" | torchada | host) ;; *) fail "--only: torchada or host, not '$only'" 2 ;; esac
[ "$(id -u)" -eq 0 ] || fail "needs root, to make the roots of distributions" 2
for tool in debootstrap zstd; do
  command -v $tool >/dev/null || fail "$tool is not installed (packaging/install-build-deps.sh --full)" 2
done

commit=$(git rev-parse --short=12 HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
git diff --quiet HEAD || { commit+=+changes; echo "$program: the working tree differs from $(git rev-parse --short HEAD)" >&2; }
maintainer="${DEBFULLNAME:-$(git log -1 --format=%cn)} <${DEBEMAIL:-$(git log -1 --format=%ce)}>"
version=$(sed -n 's/^project(torchada VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fail "CMakeLists.txt names no version"
mkdir -p "$out"
out=$(realpath "$out")

scratch=$(mktemp -d "${TMPDIR:-/tmp}/torchada-deb.XXXXXX")
if [ -n "$roots" ]; then mkdir -p "$roots"; else roots=$scratch; fi
roots=$(realpath "$roots")
mounted=()
builds=()
clean_up() {
  for root in "${mounted[@]}"; do unmount_root "$root"; done
  [ "${#builds[@]}" -eq 0 ] || rm -rf "${builds[@]}"
  # Do not follow a mount that could not be removed.
  rm -rf --one-file-system "$scratch"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# fail_with_log WHAT LOG: keeps the log in $out if the roots will be removed.
fail_with_log() {
  local log=$2
  if [ "$roots" = "$(realpath "$scratch")" ]; then
    cp "$log" "$out"
    log=$out/${log##*/}
  fi
  fail "$1, see $log"
}

# write_template FILE VERSION: writes FILE from the template FILE.in in the build's debian/.
write_template() {
  sed -e "s|@VERSION@|$2|" -e "s|@COMMIT@|$commit|" -e "s|@DATE@|$(date -R -d "@$SOURCE_DATE_EPOCH")|" \
    -e "s|@MAINTAINER@|$maintainer|" -e "s|@BUILD_DEPENDS@|$dependencies|" "$1.in" >"$1"
  rm "$1.in"
}

# build SUITE PROFILE VERSION: writes the packages to $out.
build() {
  local suite=$1 profile=$2 full_version=$3 root=$roots/$1 build source packages dependencies
  rm -f "$out/$suite.log" "$out/$suite.build.log"  # left by an earlier failed run
  make_root "$root" "$suite"
  mounted+=("$root")
  mount_root "$root"
  read -ra packages < <(packaging/install-build-deps.sh --list-deb "$suite")
  dependencies=$(IFS=,; echo "${packages[*]}")
  dependencies=${dependencies//,/, }
  echo "-- packages of $suite"
  inside "$root" apt-get update -qq
  inside "$root" apt-get install -y -qq --no-install-recommends "${packages[@]}" >"$root.log" 2>&1 ||
    { tail "$root.log" >&2; fail_with_log "$suite: packages cannot be installed" "$root.log"; }
  # A new directory name each time, so that a dependence on the name would show.
  build=$(mktemp -d "$root/torchada-build.XXXXXX")
  chmod 755 "$build"
  builds+=("$build")
  source=$build/torchada-$version
  copy_sources "$source"
  # dpkg cuts later times to the commit's; earlier ones would be those of this checkout.
  find "$source" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  cp -r "$source/packaging/debian" "$source/debian"
  (
    write_template "$source/debian/control" "$full_version"
    write_template "$source/debian/changelog" "$full_version"
  )
  echo "-- building in $suite: tail -f $root.build.log"
  # shellcheck disable=SC2016  # The shell in the root expands them.
  inside "$root" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" DEB_BUILD_OPTIONS="parallel=$(nproc) nocheck" \
    sh -c 'cd "$1" && dpkg-buildpackage -b -us -uc -P"$2"' sh "${source#"$root"}" "$profile" >"$root.build.log" 2>&1 ||
    { tail -n 40 "$root.build.log" >&2; fail_with_log "$suite: the build failed" "$root.build.log"; }
  cp "$build"/*.deb "$out"
  unmount_root "$root"
}

# The archive contains the packages' files below /opt/torchada and those that they install into
# /usr/share.
archive() {
  local tree=$scratch/torchada-$version package
  for package in torchada torchada-dev; do
    dpkg-deb -x "$out/${package}_${version}_amd64.deb" "$scratch/unpacked"
  done
  mv "$scratch/unpacked/opt/torchada" "$tree"
  (cd "$scratch/unpacked/usr/share" && cp -r man bash-completion "$tree/share" &&
    mkdir -p "$tree/share/zsh/site-functions" && cp zsh/vendor-completions/* "$tree/share/zsh/site-functions" &&
    cp -r doc/torchada/. "$tree/share/doc")
  cp README.md LICENSE "$tree"
  # The archive has no update-alternatives, so names without a major lead to the default major.
  packaging/link-layout.sh "$tree"
  tar -C "$scratch" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    -cf - "torchada-$version" | zstd -q -19 -f -o "$out/torchada-$version-x86_64.tar.zst"
  packaging/verify-archive.sh "$tree" "$out"
}

if [ "$only" != host ]; then
  build bullseye pkg.torchada.nohost "$version"
  archive
fi
if [ "$only" != torchada ]; then build "$distribution" pkg.torchada.onlyhost "$version+$release"; fi
(shopt -s nullglob && cd "$out" && LC_ALL=C sha256sum -- *.deb *.tar.zst *.tar.gz >SHA256SUMS)
echo "-- in $out"
ls -l "$out"
