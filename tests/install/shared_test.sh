#!/bin/sh
# Builds and installs the shared library, and looks at what it shows: its name, the versions of its
# symbols, and no inner part. Then a C++ program and a C program meet the library of another minor
# release. BUILD is a release build, whose objects of the examples are linked with the library.
set -eu
cmake=$1
compiler=$2
c_compiler=$3
build=$4

. "$(dirname "$0")/scratch.sh"

# The compiler's cache finds the objects of the release build if the sources, and Arrow, have the
# same paths relative to the build.
source=$scratch/source
mkdir -p "$source/build"
tar -C "$here/../.." -cf - CMakeLists.txt cmake include src | tar -C "$source" -xf -
[ ! -e "$here/../../build/object" ] ||
  ln -s "$(cd "$here/../../build/object" && pwd)" "$source/build/object"
use_compiler_cache "$source"
"$cmake" -G Ninja -S "$source" -B "$source/build/shared" -DCMAKE_BUILD_TYPE=Release \
  -DBUILD_SHARED_LIBS=ON -DSLUICE_BUILD_TESTS=OFF -DSLUICE_BUILD_TOOLS=OFF \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="$c_compiler" >/dev/null
"$cmake" --build "$source/build/shared" --target sluice_installed
"$cmake" --install "$source/build/shared" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/installed"
library=$(find "$scratch/installed" -name libsluice.so)

echo "the name"
readelf -d "$library" | grep -q 'SONAME.*\[libsluice\.so\.0\]'

echo "the symbols: each has a version, and none is an inner part of the library"
nm -D --defined-only -C "$library" | sed 's/^[0-9a-f]* . //' >"$scratch/symbols"
if grep -vE '@@SLUICE_(C_0|CXX_0\.1|STDIO_0\.1)$|^SLUICE_(C_0|CXX_0\.1|STDIO_0\.1)' \
  "$scratch/symbols"; then exit 1; fi
if grep -E '^sluice_stdio_.*@@SLUICE_C_0|^sluice_[^s].*@@SLUICE_STDIO' "$scratch/symbols"; then
  exit 1
fi
grep -q '^sluice_stdio_fclose@@SLUICE_STDIO_0\.1$' "$scratch/symbols"
if grep -E '^sluice_.*@@SLUICE_CXX|sluice::os::|::Core::|^sluice::.*@@SLUICE_C_0' \
  "$scratch/symbols"; then exit 1; fi
grep -q '^sluice_printf@@SLUICE_C_0$' "$scratch/symbols"

echo "find_package: a component that is not installed is refused"
if "$cmake" -G Ninja -S "$here/consumer" -B "$scratch/refused" -DEXPECTED_KIND=static \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="$c_compiler" \
  -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null 2>"$scratch/refusal"; then exit 1; fi
grep -q "static" "$scratch/refusal"

echo "find_package"
"$cmake" -G Ninja -S "$here/consumer" -B "$scratch/consumer" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_C_COMPILER="$c_compiler" \
  -DCMAKE_PREFIX_PATH="$scratch/installed" >/dev/null
"$cmake" --build "$scratch/consumer"

echo "pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/installed" -name sluice.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
"$c_compiler" -std=c11 "$here/consumer/consumer_in_c.c" -o "$scratch/in_c" \
  $(pkg-config --cflags --libs sluice)
# shellcheck disable=SC2046
"$compiler" -std=c++20 "$here/consumer/consumer.cc" -o "$scratch/in_cpp" \
  $(pkg-config --cflags --libs sluice)

printf '%s\n' '#include <stdio.h>' 'int main(void) { puts("switched"); return fclose(stdout); }' \
  >"$scratch/switched.c"
# shellcheck disable=SC2046
"$c_compiler" -std=gnu11 $(pkg-config --cflags sluice) -include sluice/stdio.h \
  "$scratch/switched.c" -o "$scratch/switched" $(pkg-config --libs sluice)
[ "$(LD_LIBRARY_PATH=$(dirname "$library") "$scratch/switched")" = switched ]

echo "the public calls: each program of examples/ finds its symbols"
for example in "$here"/../../examples/*.cc; do
  name=$(basename "$example" .cc)
  [ "$name" != print_table ] || continue # needs {fmt}
  # shellcheck disable=SC2046
  "$compiler" "$build/examples/CMakeFiles/example_$name.dir/$name.cc.o" -o "$scratch/example" \
    $(pkg-config --libs sluice)
done

# run FOLDER PROGRAM: runs it with the library in this folder.
run() { LD_LIBRARY_PATH=$1 "$2" "$scratch/lines.txt"; }
folder=$(dirname "$library")
for program in "$scratch/in_c" "$scratch/in_cpp" "$scratch/consumer/consumer" \
  "$scratch/consumer/consumer_in_c"; do
  [ "$(run "$folder" "$program")" = "alpha beta gamma" ]
done

echo "the library of the next minor release: C programs run; C++ programs and switched programs are"
echo "refused in one line"
mkdir "$scratch/next"
sed -E 's/SLUICE_(CXX|STDIO)_0\.1/SLUICE_\1_0.2/' "$source/build/shared/libsluice.map" \
  >"$scratch/next.map"
objects=$(find "$source/build/shared/src/CMakeFiles" -name '*.o' \
  ! -path '*sluice_xxh3*' ! -path '*sluice_zstd*' ! -path '*sluice_lz4*' ! -path '*sluice_gzip*' \
  ! -path '*sluice_codecs*' ! -path '*sluice_object*')
isal=$(readelf -d "$library" | grep -q libisal && echo -lisal || true)
# shellcheck disable=SC2086
"$compiler" -shared -Wl,-soname,libsluice.so.0 -Wl,--version-script="$scratch/next.map" $objects \
  $isal -o "$scratch/next/libsluice.so.0"
[ "$(run "$scratch/next" "$scratch/in_c")" = "alpha beta gamma" ]
# expect_refused PROGRAM VERSION: the loader refuses it, because the library lacks this version.
expect_refused() {
  if run "$scratch/next" "$1" 2>"$scratch/refusal"; then exit 1; fi
  cat "$scratch/refusal"
  grep -q "version .$2. not found" "$scratch/refusal"
  [ "$(wc -l <"$scratch/refusal")" = 1 ]
}
expect_refused "$scratch/in_cpp" SLUICE_CXX_0.1
expect_refused "$scratch/switched" SLUICE_STDIO_0.1
