#!/bin/sh
# Configures a user's project that has sluice as a part of itself. `cmake --install` of the project
# installs nothing of sluice, and the project builds no component that it does not link. Nothing is
# compiled.
set -eu
cmake=$1
compiler=$2
c_compiler=$3

. "$(dirname "$0")/scratch.sh"

# configure FOLDER OPTIONS...
configure() {
  folder=$1
  shift
  "$cmake" -G Ninja -S "$here/from_source" -B "$folder" -DWAY=add_subdirectory \
    -DSLUICE_SOURCE="$here/../.." -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_C_COMPILER="$c_compiler" "$@" >/dev/null
}

echo "by default"
configure "$scratch/part"
"$cmake" --install "$scratch/part" --prefix "$scratch/installed"
[ -z "$(find "$scratch/installed" -type f 2>/dev/null)" ]
"$cmake" --build "$scratch/part" -- -n -v >"$scratch/steps"
grep -q 'libsluice\.a' "$scratch/steps"
if grep -E 'libsluice_(codecs|zstd|lz4|gzip|xxh3)\.a' "$scratch/steps"; then exit 1; fi

echo "with SLUICE_INSTALL"
configure "$scratch/whole" -DSLUICE_INSTALL=ON
"$cmake" --build "$scratch/whole" -- -n -v >"$scratch/steps"
grep -q 'libsluice_codecs\.a' "$scratch/steps"
find "$scratch/whole/sluice" -name cmake_install.cmake -exec cat {} + | grep -q 'include/sluice'
