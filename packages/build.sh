#!/bin/sh
# Makes every package of this tree in FOLDER: packages for Debian, the tarball of the command, and
# Conan's package in Conan's cache.
#
# usage: build.sh FOLDER [debian|tarball|conan]...
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
version=$(sed -n 's/^project(sluice VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
# The time of everything that is packed, so that two builds give the same bytes.
released=$(sed -n 's/^ -- .*>  //p' "$root/debian/changelog" | head -n 1)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -ud "$released" +%s)}
export SOURCE_DATE_EPOCH

# A copy of the tree without what was built in it. dpkg-buildpackage writes beside its tree. These
# settings of ccache would change the paths in the debug information, and so the build ID of each
# program.
debian() {
  unset CCACHE_BASEDIR CCACHE_NOHASHDIR
  rm -rf "$folder/debian"
  mkdir -p "$folder/debian/sluice-$version"
  tar -C "$root" --exclude=./build --exclude=./.git -cf - . |
    tar -C "$folder/debian/sluice-$version" -xf -
  (cd "$folder/debian/sluice-$version" && dpkg-buildpackage -us -uc -F "-j$(nproc)")
}

tarball() {
  [ "$(uname -m)" = x86_64 ] || { echo "the tarball is for x86-64, not $(uname -m)" >&2; exit 1; }
  name=sluice-$version-x86_64-linux
  cmake -G Ninja -S "$root" -B "$folder/static" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PROJECT_INCLUDE="$root/cmake/static_command.cmake" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_DISABLE_FIND_PACKAGE_ISAL=ON -DCMAKE_DISABLE_FIND_PACKAGE_ArrowFileSystem=ON
  cmake --build "$folder/static" --target sluice_installed
  rm -rf "${folder:?}/$name"
  DESTDIR=$folder/staged cmake --install "$folder/static" --strip --prefix "/$name"
  mv "$folder/staged/$name" "$folder/$name"
  rm -r "$folder/staged" "$folder/$name/include" "$folder/$name/lib/cmake" \
    "$folder/$name/lib/pkgconfig" "$folder/$name/share/man/man3" "$folder/$name"/lib/*.a
  cp "$root/LICENSE" "$folder/$name"
  tar -C "$folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX -cf - "$name" | gzip -9n >"$folder/$name.tar.gz"
}

conan() {
  [ -x "$folder/conan/bin/conan" ] ||
    { python3 -m venv "$folder/conan" && "$folder/conan/bin/pip" install --quiet "conan>=2,<3"; }
  CONAN_HOME=$folder/conan/home
  export CONAN_HOME
  "$folder/conan/bin/conan" profile detect --force
  for shared in False True; do
    "$folder/conan/bin/conan" create "$root/packages/conan" --no-remote -s compiler.cppstd=20 \
      -o "sluice/*:shared=$shared"
  done
  # Conan builds the program of the test package beside its recipe.
  rm -r "$root/packages/conan/test_package/build" \
    "$root/packages/conan/test_package/CMakeUserPresets.json"
}

[ $# != 0 ] || set -- debian tarball conan
for package in "$@"; do "$package"; done
