#!/usr/bin/env bash
# Checks the style of every file that git tracks, and looks for defects in scripts. Changes nothing.
#   packaging/lint.sh              everything: cpp, python and shell
#   packaging/lint.sh cpp          the format of C and C++ (clang-format, .clang-format)
#   packaging/lint.sh python       Python (flake8, .flake8)
#   packaging/lint.sh shell        shell scripts (shellcheck, .shellcheckrc)
# Exit status: 0 if all files are clean, 1 if one is not, 2 for bad usage or a missing tool.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }
fail() { echo "lint.sh: $*" >&2; exit 2; }

kinds=()
for word in "$@"; do
  case $word in
    cpp | python | shell) kinds+=("$word") ;;
    -h | --help) usage; exit 0 ;;
    *) fail "unknown argument '$word' (--help lists them)" ;;
  esac
done
[ ${#kinds[@]} -gt 0 ] || kinds=(cpp python shell)

# -z and mapfile -d: names may contain anything.
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || fail "$PWD: expected a git clone or worktree"
mapfile -d '' -t tracked < <(git ls-files -z)

# Scripts without an extension, such as .ci/run, are known by their first line.
cpp=() python=() shell=()
for file in "${tracked[@]}"; do
  if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
  case $file in
    *.cpp | *.h | *.c) cpp+=("$file"); continue ;;
    *.py) python+=("$file"); continue ;;
    *.sh) shell+=("$file"); continue ;;
  esac
  IFS= read -r first <"$file" || true
  case $first in
    '#!'*python*) python+=("$file") ;;
    '#!'*/sh | '#!'*/sh\ * | '#!'*bash*) shell+=("$file") ;;
  esac
done

# check KIND TOOL COMMAND...: runs COMMAND on the files of KIND, some on each core.
clean=true
check() {
  local kind=$1 tool=$2
  local -n files=$1
  shift 2
  command -v "$tool" >/dev/null || fail "$tool is not installed (packaging/install-build-deps.sh installs it)"
  [ ${#files[@]} -gt 0 ] || fail "git tracks no file of the kind '$kind' in $PWD"
  echo "$kind: $tool, ${#files[@]} files"
  printf '%s\0' "${files[@]}" | xargs -0 -n 64 -P "$(nproc)" "$@" || clean=false
}

for kind in "${kinds[@]}"; do
  case $kind in
    cpp) check cpp clang-format clang-format --dry-run -Werror ;;
    python) check python flake8 flake8 ;;
    shell) check shell shellcheck shellcheck ;;
  esac
done
$clean || { echo "lint.sh: the files above are not clean" >&2; exit 1; }
