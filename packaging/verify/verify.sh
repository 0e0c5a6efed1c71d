#!/bin/sh
# Compares MUSA on this machine with what torchada assumes of it. verify.sh --help says how.
# packaging/verify-archive.sh puts this file in the archive. It is for any POSIX shell.
set -u

program=verify.sh
limit=590 # Seconds. The command ends within this.

usage() {
  cat <<TEXT
usage: ./$program [options]

Compares the MUSA SDK on this machine, and a Moore Threads GPU if there is one, with what torchada
assumes of MUSA. It takes ten minutes at most, usually less than one. It needs no root and no
network. The report has version numbers, the GPU's model, and for each function, number and
layout of MUSA whether it is as assumed. It has no host name, no user, no path, no serial number, and
nothing of the SDK but names and numbers. You see it, and are asked, before it is written.

  --musa-root=DIR   the SDK's directory. Otherwise TORCHADA_MUSA_PATH, MUSA_HOME, MUSA_PATH,
                    MUSA_INSTALL_PATH, /usr/local/musa, the loader's path, /usr/local/musa-VERSION
  --files-only      read the SDK's files; do not load them, and use no GPU
  --output=FILE     the report's file (default: torchada-verify-TIME.json in the current folder)
  --yes             write the report without asking
  -h, --help        this text

exit status: 0 everything checked is as assumed, 1 something is not (please send the report), 2 bad
usage, 3 cannot be done here, 130 stopped; nothing is written for 2, 3 and 130
TEXT
}

say() { printf '%s\n' "$program: $*" >&2; }
refuse() { say "$*"; exit 3; }
misused() { say "$* (--help lists the options)"; exit 2; }

musa_root='' output='' yes=false device=auto
while [ $# -gt 0 ]; do
  option=$1
  shift
  case $option in
    -h | --help) usage; exit 0 ;;
    --yes) yes=true; continue ;;
    --files-only) device=none; continue ;;
    --musa-root=* | --output=*) value=${option#*=} option=${option%%=*} ;;
    --musa-root | --output) value=${1:-}; [ $# -eq 0 ] || shift ;;
    *) misused "unknown option '$option'" ;;
  esac
  [ -n "$value" ] || misused "$option needs a value"
  case $option in
    --musa-root) musa_root=$value ;;
    --output) output=$value ;;
  esac
done
if [ -n "$musa_root" ] && ! [ -d "$musa_root" ]; then
  misused "--musa-root=$musa_root: no such folder; expected the SDK's, for example /usr/local/musa"
fi

# The folder of this script, also if it was started through a link.
self=$0
if [ -L "$self" ]; then self=$(readlink -f "$self"); fi
case $self in */*) here=${self%/*} ;; *) here=. ;; esac
here=$(CDPATH='' cd -- "${here:-/}" && pwd -P) || refuse "cannot enter the folder of this script"
if ! [ -x "$here/bin/torchada" ] || ! [ -r "$here/share/glibc" ]; then
  refuse "$here: files are missing or may not be run; unpack the whole archive again, and keep $program in its folder"
fi

# ---- what this machine is
glibc=$(cat "$here/share/glibc")
needs="it needs Linux on x86-64 with glibc $glibc or later"
system=$(uname -s 2>/dev/null) machine=$(uname -m 2>/dev/null)
[ "$system" = Linux ] || refuse "this system is $system; $needs"
[ "$machine" = x86_64 ] || refuse "this processor is $machine; $needs"
found=$(getconf GNU_LIBC_VERSION 2>/dev/null) found=${found#glibc }
if [ -n "$found" ]; then
  older=$(printf '%s\n%s\n' "$found" "$glibc" | awk -F. 'NR == 1 { major = $1; minor = $2 }
    NR == 2 && (major < $1 || (major == $1 && minor < $2)) { print "older" }')
  [ -z "$older" ] || refuse "this system has glibc $found; $needs"
fi
version=$("$here/bin/torchada" --version 2>&1) ||
  refuse "cannot start here: $version; $needs, in a folder from which programs may be run"

# ---- where the report may go
ask=false
if [ -t 0 ] && [ -t 2 ] && ! $yes; then ask=true; fi
stem=torchada-verify-$(date -u +%Y%m%d-%H%M%S)
file=${output:-$stem.json}
case $file in */*) folder=${file%/*} ;; *) folder=. ;; esac
writable=true
exists() { misused "$file exists already; name another file with --output=FILE"; }
if [ -n "$output" ] && [ -e "$file" ]; then
  exists
elif ! [ -d "${folder:-/}" ] || ! [ -w "${folder:-/}" ]; then
  writable=false
  where="cannot write to $folder; name a file elsewhere with --output=FILE"
  if $yes || [ -n "$output" ]; then refuse "$where"; fi
  say "$where. Until then the report can only be shown"
fi

# ---- the check. Nothing is in a file until the user agrees: the report is in this shell.
part='' # What is being written, and the name that is kept for it.
# shellcheck disable=SC2317  # For trap.
stop() {
  trap '' HUP INT TERM
  [ -z "$part" ] || rm -f -- "$part" "$file"
  printf '\n' >&2
  say "stopped; nothing was written"
  exit 130
}
trap stop HUP INT TERM
say "$version compares MUSA on this machine with what it assumes; ten minutes at most, Ctrl-C stops it"
exec 4>&1
report=$("$here/bin/torchada" verify --device="$device" --limit="$limit" \
  ${musa_root:+"--musa-root=$musa_root"} --report=/dev/fd/3 3>&1 >&4)
status=$?
# A signal, or a refusal that the command has explained.
if [ $status -gt 1 ] || [ -z "$report" ]; then
  [ $status -ne 2 ] || exit 2
  [ $status -le 128 ] || say "the command was ended by signal $((status - 128)); nothing was written"
  [ -n "$musa_root" ] || [ $status -ne 3 ] || say "if the SDK is elsewhere, name it with --musa-root=DIR"
  exit 3
fi

# ---- the report
facts=$(printf '%s\n' "$report" | grep -c '^{"id"')
bytes=$(printf '%s\n' "$report" | wc -c)
show_all() {
  for pager in ${PAGER:+"$PAGER"} less more; do
    if [ -t 1 ] && command -v "$pager" >/dev/null 2>&1; then
      printf '%s\n' "$report" | "$pager"
      return
    fi
  done
  printf '%s\n' "$report"
}
printf '\n%s\n\n' "The report begins with what it says of this machine:"
printf '%s\n' "$report" | sed '/^"results"/,$d'
printf '\n%s\n' "Then come $facts facts about MUSA, each with what was found. It is $((bytes / 1000 + 1)) kB in all."
agreed=$yes
while $ask; do
  if $writable; then
    printf '%s' "Write it to $file? y: yes, n: no, s: show all of it first [n] " >&2
  else
    printf '%s' "s: show all of it, q: end [q] " >&2
  fi
  read -r answer || answer=''
  case $answer in
    s | S) show_all ;;
    y | Y | yes) if $writable; then agreed=true; ask=false; fi ;;
    *) ask=false ;;
  esac
done
if ! $agreed; then
  say "nothing was written (--yes writes the report without asking)"
  exit $status
fi

# Another one may have started in the same second: the name belongs to who makes the file.
number=1
until (umask 022 && set -C && : >"$file") 2>/dev/null; do
  if ! [ -e "$file" ] || [ $number -ge 100 ]; then
    refuse "cannot write $file; name another file with --output=FILE"
  fi
  [ -z "$output" ] || exists
  number=$((number + 1)) file=$stem-$number.json
done
part=$file.part
if (umask 022 && printf '%s\n' "$report" >"$part") 2>/dev/null && mv -f -- "$part" "$file"; then
  part=''
else
  rm -f -- "$part" "$file"
  refuse "cannot write $file: is the disk full? Name another file with --output=FILE"
fi
trap - HUP INT TERM
say "wrote $file"
cat "$here/share/send_to" >&2
exit $status
