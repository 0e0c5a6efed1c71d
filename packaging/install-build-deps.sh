#!/usr/bin/env bash
# Installs the Debian packages that building and testing need. Root, or sudo.
#   install-build-deps.sh          what the build and the tests need
#   install-build-deps.sh --full   also what `test.sh --full` needs
#   install-build-deps.sh --list, --list-deb [SUITE]   prints what the build, or that of the Debian packages, needs
#                                  in SUITE (default: this machine's)
set -euo pipefail

suite=${2:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
# libclang 13 or newer. That of Debian 11's libclang-dev is 11.
libclang=(libclang-dev)
if [ "$suite" = bullseye ]; then libclang=(libclang-13-dev); fi
# The compiler of device code. Debian 11 and Ubuntu 20.04 and 22.04 lack it: there the CPU stand-in is built without.
llvm=(clang-19 llvm-19-dev libclang-19-dev)
case $suite in bullseye | focal | jammy) llvm=() ;; esac

build=(g++ cmake ninja-build pkg-config libelf-dev libarchive-dev "${libclang[@]}" "${llvm[@]}" libyaml-dev nlohmann-json3-dev
       libgflags-dev libspdlog-dev libfmt-dev libffi-dev libunwind-13-dev nettle-dev libopenblas-dev
       libkissfft-dev libboost-context-dev binutils
       libbz2-dev liblzma-dev libzstd-dev zlib1g-dev)
test=(libgtest-dev environment-modules libbenchmark-dev libgloo-dev librandom123-dev libmpfr-dev python3 python3-pip python3-yaml python3-wheel python3-venv curl rpm rpmlint strace iproute2 spin
      clang-format clang-tidy cppcheck flake8 shellcheck g++-aarch64-linux-gnu
      groff-base mandoc zsh)
full=(openmpi-bin debootstrap lintian zstd valgrind unzip chromium libomp-19-dev)
deb=(build-essential debhelper dpkg-dev)

packages=("${build[@]}" "${test[@]}")
case "${1:-}" in
  "") ;;
  --full) packages+=("${full[@]}") ;;
  --list) echo "${build[@]}"; exit 0 ;;
  --list-deb) echo "${build[@]}" "${deb[@]}"; exit 0 ;;
  *) sed -n '2,6s/^# //p' "$0" >&2; exit 2 ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "All build packages are installed."
  exit 0
fi
run=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "not root and no sudo; install: ${missing[*]}" >&2; exit 1; }
  run=(sudo)
fi
echo "Installing: ${missing[*]}"
"${run[@]}" apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
