#!/bin/sh
# Prints the newest glibc that each file needs. Fails if a file needs a newer glibc than VERSION, or
# a library that is no part of glibc.
#
# usage: needed_glibc.sh VERSION FILE...
set -eu
allowed=$1
shift
failed=0
for file in "$@"; do
  headers=$(LC_ALL=C objdump -p "$file")
  # GLIBC_ABI_* and GLIBC_PRIVATE stand for properties that an older glibc may lack.
  newest=$(echo "$headers" | grep -o ' GLIBC_[0-9A-Z_a-z.]*$' | sed 's/ GLIBC_//' | sort -Vu |
    tail -n 1)
  others=$(echo "$headers" | sed -n 's/^ *NEEDED *//p' |
    grep -vE '^(lib(c|dl|m|pthread)\.so\.[0-9]|ld-linux-x86-64\.so\.2)$' || true)
  echo "$(basename "$file") needs ${newest:+glibc }${newest:-no glibc}${others:+ and $others}"
  [ "$(printf '%s\n%s\n' "$newest" "$allowed" | sort -V | tail -n 1)" = "$allowed" ] || failed=1
  [ -z "$others" ] || failed=1
done
[ $failed = 0 ] || echo "FAILED: allowed is glibc $allowed" >&2
exit $failed
