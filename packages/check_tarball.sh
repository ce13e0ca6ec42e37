#!/bin/sh
# Unpacks the tarball of the command elsewhere, looks at what its programs need, and runs them.
#
# usage: check_tarball.sh TARBALL
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
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

sluice=$scratch/bin/sluice
"$sluice" --version
"$sluice" bench --list >/dev/null
[ "$("$sluice" run --summary -- echo whole 2>"$scratch/summary")" = whole ]
grep "accelerated" "$scratch/summary"
[ "$("$sluice" trace -- echo whole 2>"$scratch/report")" = whole ]
grep -q "sluice trace: echo: " "$scratch/report"
echo whole | "$sluice" put --atomic "$scratch/whole"
[ "$(cat "$scratch/whole")" = whole ]
