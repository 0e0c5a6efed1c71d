#!/usr/bin/env bash
# Makes an RPM package of an installed torchada.
set -euo pipefail
umask 022
export TZ=UTC LC_ALL=C.UTF-8
program=$(basename "$0")
source=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=packaging/tree.sh
. "$source/packaging/tree.sh"

usage() {
  cat <<TEXT
usage: $program [options]

Writes torchada-VERSION-1.x86_64.rpm: what the Debian package contains, for Kylin, openEuler, Fedora
and others with glibc 2.17 or later. Same tree, same bytes. Needs rpmbuild (Debian's rpm); for
packages as a tree, zstd. packaging/rpmlint.filters says what rpmlint finds on purpose.

  --tree DIR   an installed torchada (default: what packaging/build-deb.sh left in dist)
  --out DIR    where it goes (default: dist)
  -h, --help   this text

SOURCE_DATE_EPOCH is the time of the files (default: that of the last commit).
exit status: 0 written, 1 the tree does not fit, 2 bad usage
TEXT
}

start_package "$@"
command -v rpmbuild >/dev/null || fail "rpmbuild is not installed (apt-get install rpm)"

root=$scratch/root
copy_listed "$tree" "$source/packaging/debian/torchada.install" "$root/opt/torchada"
strip_elf_files "$root"
mapfile -t files < <(elf_files "$root")
glibc=$(needed_glibc "$root" "${files[@]}") || exit 1
# As the lists of the Debian package place them.
mkdir -p "$root"/usr/{bin,share/man/man1,share/licenses/torchada}
ln -s ../../opt/torchada/bin/torchada "$root/usr/bin/torchada"
cp "$tree"/share/man/man1/* "$root/usr/share/man/man1"
find "$root/usr/share/man" -name '*.1' -exec gzip -n9 {} +  # Those of archives are compressed.
while read -r from to; do
  to=${to/vendor-completions/site-functions}  # Debian alone calls them so.
  if [ -n "$to" ]; then
    # shellcheck disable=SC2086  # A word with wildcards.
    (cd "$tree" && mkdir -p "$root/$to" && cp -r ${from#opt/torchada/} "$root/$to")
    rm -rf "$root/opt/torchada/${from#opt/torchada/}"
  fi
done <"$source/packaging/debian/torchada.install"
rm -rf "$root"/opt/torchada/share/{bash-completion,zsh}
cp "$source/LICENSE" "$root/usr/share/licenses/torchada"
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f ! -perm -u+x -exec chmod 644 {} +
find "$root" -type f -name '*.so*' -exec chmod 755 {} +
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

# Nothing is made of the files: no debug package, no links of build ids, no search for dependencies.
cat >"$scratch/torchada.spec" <<TEXT
%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
Name: torchada
Version: $version
Release: 1
Summary: Unmodified CUDA programs on Moore Threads GPUs
License: MIT
Group: Development/Libraries
URL: https://github.com/MooreThreads/torchada
Packager: https://github.com/MooreThreads/torchada
AutoReqProv: no
Requires: libc.so.6(GLIBC_$glibc)(64bit)

%description
Libraries under the names of CUDA's that lead every call to Moore Threads'
MUSA, and the command that starts programs with them and tells what they may
expect. Nothing is recompiled.

All of it lies below /opt/torchada, outside the loader's path: it serves only
programs that are started with "torchada run" or pointed there. MUSA itself is
not part of it. It has not yet run on Moore Threads hardware.

%install
cp -a "$root/." "%{buildroot}"

%files
$(cd "$root" && find . ! -type d -printf '/%P\n' | LC_ALL=C sort | sed -e 's|^/usr/share/licenses/.*|%license &|')
$(cd "$root" && find opt -type d -path 'opt/*' -printf '%%dir /%p\n' | LC_ALL=C sort)

%changelog
* $(date -d "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y') https://github.com/MooreThreads/torchada - $version-1
- /opt/torchada/share/doc/CHANGELOG.md
TEXT
rpmbuild -bb --quiet --target x86_64-linux --define "_topdir $scratch/rpm" --define "_rpmdir $scratch/out" \
  --define '_buildhost localhost' --define 'use_source_date_epoch_as_buildtime 1' --define '_binary_payload w6.xzdio' \
  "$scratch/torchada.spec" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "rpmbuild failed"; }
mv "$scratch"/out/x86_64/*.rpm "$out"
echo "$out/torchada-$version-1.x86_64.rpm"
