#!/bin/sh
# Installs a build into a prefix of its own, moves the prefix, then builds and runs a program with
# it: by CMake's find_package, and by the compiler alone with the options of pkg-config.
set -eu
cmake=$1
compiler=$2
build=$3
c_compiler=$4
fmt=$5 # with_fmt or without_fmt: whether the build found {fmt}

. "$(dirname "$0")/scratch.sh"
use_compiler_cache "$scratch"

# expect_output PROGRAM: it writes three lines with sluice, reads them back and prints them.
expect_output() {
  actual=$(cd "$scratch" && "$1" "$scratch/lines.txt")
  [ "$actual" = "alpha beta gamma" ] && return
  echo "FAILED: $1 printed '$actual'" >&2
  exit 1
}

"$cmake" --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/installed"

command=$scratch/installed/bin/sluice
if [ -x "$command" ]; then
  echo "the command and its parts"
  [ "$("$command" run -- echo whole)" = whole ]
  [ "$("$command" trace -- echo whole 2>"$scratch/report")" = whole ]
  grep -q "sluice trace: echo: " "$scratch/report"
  "$command" bench --list >/dev/null
  [ "$(echo whole | "$command" cat)" = whole ]
fi

echo "find_package"
"$cmake" -G Ninja -S "$here/consumer" -B "$scratch/consumer" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_C_COMPILER="$c_compiler" \
  -DCMAKE_PREFIX_PATH="$scratch/installed" -DCMAKE_BUILD_TYPE=Release -DEXPECTED_FMT="$fmt"
"$cmake" --build "$scratch/consumer"
expect_output "$scratch/consumer/consumer"
expect_output "$scratch/consumer/consumer_in_c"
[ "$fmt" = without_fmt ] || expect_output "$scratch/consumer/consumer_fmt"

codecs=$(find "$scratch/installed" -name 'libsluice_zstd.*' -o -name 'libsluice_lz4.*' | wc -l)
[ "$codecs" -lt 2 ] || expect_output "$scratch/consumer/consumer_codecs"

if command -v mpicxx >/dev/null && command -v mpirun >/dev/null; then
  echo "find_package: sluice::mpi is compiled with the MPI of this machine"
  # Without a build type the compiler needs two thirds of the time.
  "$cmake" -S "$here/consumer" -B "$scratch/consumer" -DWITH_MPI=ON -DCMAKE_BUILD_TYPE=
  "$cmake" --build "$scratch/consumer" --target consumer_mpi
  printf '#!/bin/sh\nexec mpirun -n 3 "%s" "$1"\n' "$scratch/consumer/consumer_mpi" \
    >"$scratch/ranks"
  chmod +x "$scratch/ranks"
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
  expect_output "$scratch/ranks"
fi

if [ -n "$(find "$scratch/installed" -name 'libsluice_object.*')" ]; then
  echo "the installed command finds Arrow"
  "$scratch/installed/bin/sluice" get --help >"$scratch/help"
  grep -q 'URI' "$scratch/help"
  echo "find_package: sluice::object finds Arrow"
  pyarrow=$(find "$here/../../build/object/" -type d -path '*/site-packages/pyarrow' \
    2>/dev/null || true)
  "$cmake" -S "$here/consumer" -B "$scratch/consumer" -DWITH_OBJECT=ON -DSLUICE_PYARROW="$pyarrow"
  "$cmake" --build "$scratch/consumer" --target consumer_object
  expect_output "$scratch/consumer/consumer_object"
fi

echo "find_package, by a project in C alone"
"$cmake" -G Ninja -S "$here/consumer" -B "$scratch/c_alone" -DC_ALONE=ON \
  -DCMAKE_C_COMPILER="$c_compiler" -DCMAKE_PREFIX_PATH="$scratch/installed"
"$cmake" --build "$scratch/c_alone"
expect_output "$scratch/c_alone/consumer_in_c"

echo "find_package: a component chooses the library, and one that is not installed is refused"
for kind in static shared; do
  result=found
  "$cmake" -G Ninja -S "$here/consumer" -B "$scratch/kinds" -DEXPECTED_KIND=$kind \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="$c_compiler" \
    -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null 2>"$scratch/refusal" || result=refused
  installed=refused
  [ -z "$(find "$scratch/installed" -name "sluice-$kind-targets.cmake")" ] || installed=found
  [ $result = $installed ]
  [ $result = found ] || grep -q "$kind" "$scratch/refusal"
done
if "$cmake" -G Ninja -S "$here/consumer" -B "$scratch/kinds" -DEXPECTED_KIND=zst \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="$c_compiler" \
  -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null 2>"$scratch/refusal"; then exit 1; fi
tr -s ' \n' ' ' <"$scratch/refusal" |
  grep -q "no component zst here. The components are static, shared"

pc=$(find "$scratch/installed" -name sluice.pc)
[ "$(grep -c "^Libs:" "$pc")" = 1 ]  # pkg-config refuses a second line
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
for flags in "" "-fno-exceptions -fno-rtti"; do
  echo "pkg-config, flags: '$flags'"
  # shellcheck disable=SC2046,SC2086
  "$compiler" -std=c++20 -Wall -Wextra -Werror $flags "$here/consumer/consumer.cc" \
    -o "$scratch/by_hand" $(pkg-config --cflags --libs sluice)
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) expect_output "$scratch/by_hand"
done

if [ "$codecs" -ge 2 ]; then
  echo "pkg-config, the components for compressed files"
  # shellcheck disable=SC2046
  "$compiler" -std=c++20 -Wall -Wextra -Werror "$here/consumer/consumer_codecs.cc" \
    -o "$scratch/by_hand" $(pkg-config --cflags --libs sluice-codecs)
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) expect_output "$scratch/by_hand"
  for codec in zstd lz4 gzip; do pkg-config --exists --print-errors sluice-$codec; done
fi

echo "pkg-config, by the C compiler"
# shellcheck disable=SC2046
"$c_compiler" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror \
  "$here/consumer/consumer_in_c.c" -o "$scratch/by_hand" $(pkg-config --cflags --libs sluice)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) expect_output "$scratch/by_hand"

echo "the programs in README.md"
cache=$(command -v ccache) || cache=
# programs FIRST LAST: prints the blocks of code with these numbers.
programs() {
  awk -v first="$1" -v last="$2" '/^```cpp$/ { ++number; inside = 1; next }
    /^```$/ { inside = 0 }
    inside && number >= first && number <= last' "$here/../../README.md"
}
programs 1 1 >"$scratch/readme.cc"
{
  programs 2 99
  cat "$here/readme_programs.cc"
} >"$scratch/readme_programs.cc"
for number in $(seq 1 "$(grep -c '^```cpp$' "$here/../../README.md")"); do
  programs "$number" "$number" >"$scratch/alone.cc" # has every header that it needs
  # shellcheck disable=SC2046,SC2086
  $cache "$compiler" -std=c++20 -c "$scratch/alone.cc" -o "$scratch/alone.o" \
    $(pkg-config --cflags sluice)
done
for program in readme readme_programs; do
  # shellcheck disable=SC2046
  "$compiler" -std=c++20 -Wall -Wextra -Werror "$scratch/$program.cc" -o "$scratch/$program" \
    $(pkg-config --cflags --libs sluice)
  (cd "$scratch" && LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) "./$program")
done
[ "$(stat -c %s "$scratch/halves.bin")" = 8000007 ]
filtered=$(printf 'error: one\nfine\nan error' |
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) "$scratch/readme_programs" filter)
[ "$filtered" = "$(printf 'error: one\nan error')" ]
first=$({
  yes error | LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) \
    "$scratch/readme_programs" filter || touch "$scratch/failed"
} | head -n 1)
[ "$first" = error ]
[ ! -e "$scratch/failed" ] # enough was read: that is no failure

echo "the program in C in README.md"
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$here/../../README.md" \
  >"$scratch/readme.c"
# shellcheck disable=SC2046
"$c_compiler" -std=c11 -Wall -Wextra -Wconversion -Werror "$scratch/readme.c" -o "$scratch/readme" \
  $(pkg-config --cflags --libs sluice)
(cd "$scratch" && LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) ./readme)
[ "$(tail -n 1 "$scratch/halves.txt")" = 499.5 ]

echo "the program in README.md, against the build as README.md says"
library=$build/src/libsluice.a
[ -e "$library" ] || exit 0  # a shared one
"$compiler" -std=c++20 -O2 -I"$here/../../include" "$scratch/readme.cc" "$library" -pthread \
  -o "$scratch/readme"
(cd "$scratch" && rm halves.bin && ./readme)
[ "$(stat -c %s "$scratch/halves.bin")" = 8000007 ]
