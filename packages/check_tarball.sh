#!/bin/sh
# Unpacks the tarball of the command elsewhere, looks at what its programs need, and runs them here.
# With FOLDER it also runs them in a Debian 11 there, whose glibc is 2.31; this needs root,
# debootstrap and Debian's packages.
#
# usage: check_tarball.sh TARBALL [FOLDER]
set -eu
scratch=$(mktemp -d)
old_system=${2:-}
# The command reads /proc, and what stays mounted cannot be removed.
clean_up() {
  if mountpoint -q "$old_system/proc"; then umount "$old_system/proc"; fi
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM
tar -xzf "$1" -C "$scratch" --strip-components=1

for program in "$scratch/bin/sluice" "$scratch/lib/sluice/sluice-bench" \
  "$scratch/lib/sluice/sluice-trace"; do
  if readelf -ld "$program" | grep -E 'NEEDED|INTERP'; then
    echo "FAILED: $program needs a library" >&2
    exit 1
  fi
done
# The objects are loaded into programs of the machine, so they need its glibc.
for object in "$scratch"/lib/sluice/libsluice_*.so; do
  newest=$(objdump -T "$object" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
  echo "$(basename "$object") needs $newest"
  [ "$(printf '%s\nGLIBC_2.31\n' "$newest" | sort -V | tail -n 1)" = GLIBC_2.31 ]
done

# use_command SLUICE RUN...: each RUN is a word of the command that starts it.
use_command() {
  sluice=$1
  shift
  "$@" "$sluice" --version
  "$@" "$sluice" bench --list >/dev/null
  [ "$("$@" "$sluice" run --summary -- echo whole 2>"$scratch/summary")" = whole ]
  cat "$scratch/summary"
  if grep -i "not accelerated" "$scratch/summary"; then exit 1; fi
  [ "$("$@" "$sluice" run --coalesce -- echo whole)" = whole ]
  [ "$("$@" "$sluice" trace -- echo whole 2>"$scratch/report")" = whole ]
  grep -q "sluice trace: echo: " "$scratch/report"
  [ "$(echo whole | "$@" "$sluice" put --atomic /tmp/sluice-whole 2>&1)" = "" ]
  [ "$("$@" cat /tmp/sluice-whole)" = whole ]
  "$@" rm /tmp/sluice-whole
}

echo "here"
use_command "$scratch/bin/sluice" env

[ -n "$old_system" ] || exit 0
echo "Debian 11"
[ -e "$old_system/bin/sh" ] || debootstrap --variant=minbase bullseye "$old_system" >/dev/null
mountpoint -q "$old_system/proc" || mount -t proc proc "$old_system/proc"
mkdir -p "$old_system/opt/sluice"
cp -a "$scratch/bin" "$scratch/lib" "$old_system/opt/sluice"
chroot "$old_system" ldd --version | head -n 1
use_command /opt/sluice/bin/sluice chroot "$old_system"
