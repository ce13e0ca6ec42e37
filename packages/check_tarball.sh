#!/bin/sh
# Unpacks the tarball of the command elsewhere, looks at what its programs need, and uses them here.
# With FOLDER it also uses them in a Debian 11 there, whose glibc is 2.31. This needs what
# fresh_debian.sh needs.
#
# usage: check_tarball.sh TARBALL [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
tar -xzf "$1" -C "$scratch" --strip-components=1

echo "what the files need"
"$here/needed_glibc.sh" 2.31 "$scratch/bin/sluice" "$scratch"/lib/sluice/*
if readelf -ld "$scratch/bin/sluice" | grep -E 'NEEDED|INTERP'; then
  echo "FAILED: the command is not static" >&2
  exit 1
fi
for file in "$scratch/bin/sluice" "$scratch"/lib/sluice/*; do
  if readelf -SW "$file" | grep -E '\.(symtab|debug_info)'; then
    echo "FAILED: $file is not stripped" >&2
    exit 1
  fi
done

echo "here, with $(getconf GNU_LIBC_VERSION)"
"$here/try_command.sh" "$scratch/bin/sluice"
for library in fmt::output_file Boost.Iostreams APR; do
  "$scratch/bin/sluice" bench --list bytes | grep -q "no rows of them: .*$library"
done

[ $# -gt 1 ] || exit 0
system=$2
[ -e "$system/bin/sh" ] || "$here/fresh_debian.sh" make bullseye "$system"
within() { "$here/fresh_debian.sh" run "$system" "$@"; }
mkdir -p "$system/opt/sluice"
cp -a "$scratch/bin" "$scratch/lib" "$here/try_command.sh" "$system/opt/sluice"
echo "Debian $(cat "$system/etc/debian_version"), with $(within getconf GNU_LIBC_VERSION)"
[ "$(within getconf GNU_LIBC_VERSION)" = "glibc 2.31" ]
within /opt/sluice/try_command.sh /opt/sluice/bin/sluice
