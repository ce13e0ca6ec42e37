#!/bin/sh
# Builds the library and its tests by one compiler in one standard, with each warning as an error,
# and runs the tests.
#
# usage: library_test.sh CMAKE COMPILER-STANDARD, such as clang-23
set -eu
cmake=$1
compiler=${2%-*}
standard=${2#*-}

root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

case $compiler in
  gcc) c_compiler=gcc cxx_compiler=g++ ;;
  clang) c_compiler=clang cxx_compiler=clang++ ;;
esac
if ! command -v $cxx_compiler >/dev/null; then
  echo "SKIPPED: $cxx_compiler is not installed"
  exit 77
fi
$cxx_compiler --version | head -n 1
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=/ CCACHE_NOHASHDIR=1
fi
"$cmake" -G Ninja -S "$root" -B "$scratch" -DCMAKE_BUILD_TYPE=Release -DSLUICE_BUILD_TOOLS=OFF \
  -DSLUICE_WARNINGS_AS_ERRORS=ON -DCMAKE_CXX_STANDARD="$standard" \
  -DCMAKE_CXX_COMPILER=$cxx_compiler -DCMAKE_C_COMPILER=$c_compiler >/dev/null
"$cmake" --build "$scratch" --target all >"$scratch/build.log" 2>&1 || {
  cat "$scratch/build.log"
  exit 1
}
cd "$scratch"
# These tests look at the source tree, or build the library themselves.
of_the_tree='^(tidy|mutations|install|compilers|packages)\.'
ctest -j "$(nproc)" --output-on-failure -LE "long|crash" -E "$of_the_tree" >test.log ||
  { cat test.log; exit 1; }
grep "tests passed" test.log
