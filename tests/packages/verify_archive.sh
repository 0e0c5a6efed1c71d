#!/usr/bin/env bash
# The archive of verify.sh in a fresh root of a distribution that has nothing else, as an ordinary user:
# without an SDK, and with one that lies as its Debian packages put it (the CPU stand-in poses).
#   verify_archive.sh SUITE DIST ROOTS BUILT   SUITE: bullseye, focal, jammy, noble, bookworm; DIST: of build-deb.sh;
#                                              ROOTS: keeps roots; BUILT: a stage built for Debian 11
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh
suite=$1 dist=$(realpath "$2") built=$(realpath "$4")
mkdir -p "$3"
roots=$(realpath "$3")
# shellcheck source=tests/packages/roots_common.sh
. tests/packages/roots_common.sh
new_root
archive=$(find "$dist" -name 'torchada-verify-*.tar.gz')
tar -xf "$archive" -C "$root/opt"
mkdir -m 777 "$root/reports"
script=/opt/$(basename "$archive" .tar.gz)/verify.sh

# verify STATUS OPTION...: as nobody, without a network, in an empty folder. The report is $root/reports/report.
verify() {
  local wanted=$1
  shift
  rm -f "$root/reports/report"
  expect "$wanted" unshare -n setpriv --reuid=65534 --regid=65534 --clear-groups \
    sh -c 'cd /reports && exec "$@"' sh "$script" --yes --output=report "$@"
}
# reports TEXT
reports() { grep -qF -- "$1" "$root/reports/report" || fail "'$1' is not in the report"; }

say "$suite: without an SDK"
verify 3
says "no MUSA found"
[ ! -e "$root/reports/report" ] || fail "a report was written"

say "$suite: the SDK's packages, no driver"
mkdir -p "$root/usr/local/musa-5.2"
cp -RP "$built/host/5.2/lib" "$root/usr/local/musa-5.2"
# It lists what the stand-in leaves out. The version is in the folder's name alone.
python3 -c 'import json, sys; told = json.load(sys.stdin); del told["musa_sdk"]["version"]; json.dump(told, sys.stdout)' \
  <"$built/host/5.2/version.json" >"$root/usr/local/musa-5.2/version.json"
verify 0
says "using the MUSA in /usr/local/musa-5.2"
says "only its files were checked"
reports '"devices": []'
reports '"sdk": "5.2.0"'

say "$suite: with the driver's package, and a device"
cp -P "$built"/host/driver/5.2/* "$root/usr/lib/x86_64-linux-gnu"
in_root ldconfig
start=$SECONDS
verify 0
reports '"name":"torchada host (CPU)"'
reports '"backend": "stand-in"'
say "$suite: $((SECONDS - start)) s, $(grep -c '"result":"confirmed"' "$root/reports/report") facts confirmed"
[ $((SECONDS - start)) -lt 600 ] || fail "longer than ten minutes"
if grep -nE '/usr/|/opt/|/reports|nobody' "$root/reports/report"; then fail "the report names a path or a user"; fi
