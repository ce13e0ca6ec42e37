#!/bin/sh
# Builds a user's project that has sluice as a part of itself: by add_subdirectory, and by
# FetchContent from an archive. The project's C++ standard must reach sluice's own sources.
set -eu
cmake=$1
compiler=$2
c_compiler=$3

. "$(dirname "$0")/scratch.sh"
use_compiler_cache "$scratch"

mkdir "$scratch/sluice"
tar -C "$here/../.." -cf - CMakeLists.txt cmake include src | tar -C "$scratch/sluice" -xf -
tar -C "$scratch" -czf "$scratch/sluice.tar.gz" sluice
for way in add_subdirectory FetchContent; do
  echo "$way"
  source=$scratch/sluice
  [ $way = add_subdirectory ] || source=$scratch/sluice.tar.gz
  "$cmake" -G Ninja -S "$here/from_source" -B "$scratch/$way" -DWAY=$way \
    -DSLUICE_SOURCE="$source" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
  "$cmake" --build "$scratch/$way" --target consumer consumer_in_c >/dev/null
  for program in consumer consumer_in_c; do
    [ "$(cd "$scratch" && "$way/$program" lines.txt)" = "alpha beta gamma" ]
  done
  grep writer_core.cc "$scratch/$way/compile_commands.json" | grep -q 'std=\(c\|gnu\)++2[3b]'
done
