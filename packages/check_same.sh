#!/bin/sh
# Builds the packages for Debian and the tarball again: in another folder, and without a cache of
# the compiler. Each file must be the same as the one that build.sh made in FOLDER, byte for byte.
#
# usage: check_same.sh FOLDER
set -eu
folder=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d "$folder/again.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

mkdir -p "$scratch/source/build"
tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$scratch/source" -xf -
[ ! -e "$root/build/uplot" ] || cp -r "$root/build/uplot" "$scratch/source/build"
CCACHE_DISABLE=1 "$scratch/source/packages/build.sh" "$scratch/other" debian tarball \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }

failed=""
count=0
for file in "$folder"/debian/*.deb "$folder"/debian/*.dsc "$folder"/debian/*.tar.* \
  "$folder"/*.tar.gz; do
  count=$((count + 1))
  cmp "$file" "$scratch/other/${file#"$folder"/}" || failed="$failed ${file##*/}"
done
[ -z "$failed" ] || { echo "FAILED: two builds differ:$failed" >&2; exit 1; }
echo "$count files are the same in two builds"
