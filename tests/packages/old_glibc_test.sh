#!/bin/sh
# Builds the objects that `sluice run` and `sluice trace` preload as the tarball has them: they must
# load where glibc is 2.31. The check of this must also find a program that needs a newer glibc.
set -eu
cmake=$1
compiler=$2
c_compiler=$3

. "$(dirname "$0")/../install/scratch.sh"
root=$(cd "$here/../.." && pwd)
use_compiler_cache /

"$cmake" -G Ninja -S "$root" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PROJECT_INCLUDE="$root/cmake/static_command.cmake" -DCMAKE_INSTALL_LIBDIR=lib \
  -DCMAKE_DISABLE_FIND_PACKAGE_ISAL=ON \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="$c_compiler" >/dev/null
"$cmake" --build "$scratch/build" --target sluice_run sluice_coalesce sluice_trace >/dev/null
"$root/packages/needed_glibc.sh" 2.31 "$scratch"/build/lib/sluice/libsluice_*.so

echo "the check finds what an old system lacks"
expect_refusal() {
  if "$root/packages/needed_glibc.sh" "$1" "$2" >"$scratch/output" 2>&1; then
    echo "FAILED: not refused: $(cat "$scratch/output")" >&2
    exit 1
  fi
  grep -q "$3" "$scratch/output"
}
expect_refusal 2.2.4 "$scratch/build/lib/sluice/libsluice_run.so" "libsluice_run.so needs glibc 2"
echo 'int main() { throw 1; }' | "$compiler" -x c++ - -o "$scratch/other"
expect_refusal 9.0 "$scratch/other" 'and libstdc++\.so\.6'
