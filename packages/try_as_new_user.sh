#!/bin/sh
# Installs Debian's packages into a fresh Debian in FOLDER as a new user does, builds programs there
# with them, first of all the one in README.md, and runs these. Then Conan builds its package there
# and a program with it. Needs what fresh_debian.sh needs, and a pip that finds Conan.
#
# usage: try_as_new_user.sh PACKAGES FOLDER [SUITE]
set -eu
packages=$(cd "$1" && pwd)
system=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
[ -e "$system/bin/sh" ] || "$here/fresh_debian.sh" make "${3:-bookworm}" "$system"
within() { "$here/fresh_debian.sh" run "$system" "$@"; }
quietly() { within "$@" >"$system/log" 2>&1 || { cat "$system/log" >&2; exit 1; }; }

mine=$system/root/mine
mkdir -p "$mine"
cp "$packages"/libsluice0_*.deb "$packages"/libsluice-dev_*.deb "$packages"/sluice_*.deb "$mine"
cp -r "$root/tests/install/consumer" "$mine"
awk '/^```cpp$/ { ++number; inside = 1; next } /^```$/ { inside = 0 } inside && number == 1' \
  "$root/README.md" >"$mine/mine.cc"
cat >"$mine/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES CXX)
find_package(sluice REQUIRED)
add_executable(mine mine.cc)
target_link_libraries(mine PRIVATE sluice::sluice)
END

echo "Debian $(cat "$system/etc/debian_version"): apt-get install"
quietly apt-get update
quietly sh -c \
  'apt-get install -y --no-install-recommends g++ cmake make pkg-config /root/mine/*.deb'

# runs PROGRAM: the program in README.md writes this file.
runs() {
  within sh -euc 'cd /root/mine && rm -f halves.bin && "$0"' "$1"
  [ "$(stat -c %s "$mine/halves.bin")" = 8000007 ]
}
echo "the program in README.md: pkg-config"
# shellcheck disable=SC2016
quietly sh -euc 'cd /root/mine &&
  g++ -std=c++20 mine.cc $(pkg-config --cflags --libs sluice) -o by_pkg_config'
runs ./by_pkg_config
# With the shared library a program needs no other library.
[ -z "$(within pkg-config --print-requires sluice)" ]
echo "the program in README.md: find_package"
quietly sh -euc 'cd /root/mine && cmake -B build && cmake --build build'
runs ./build/mine
echo "C, by pkg-config"
# shellcheck disable=SC2016
quietly sh -euc 'cd /root/mine && gcc -std=c11 consumer/consumer_in_c.c \
  $(pkg-config --cflags --libs sluice) -o in_c && test "$(./in_c lines)" = "alpha beta gamma"'
quietly apt-get install -y --no-install-recommends libfmt-dev liblz4-dev libzstd-dev zlib1g-dev
for kind in shared static; do
  echo "find_package: the $kind library, from C++, C and with {fmt}"
  quietly sh -euc "cd /root/mine && cmake -S consumer -B $kind -DEXPECTED_FMT=with_fmt \
    -DEXPECTED_KIND=$kind && cmake --build $kind
    for program in consumer consumer_in_c consumer_codecs consumer_fmt; do
      test \"\$($kind/\$program lines)\" = 'alpha beta gamma'
    done"
done
within ldd /root/mine/shared/consumer | grep -q 'libsluice\.so\.0'
if within ldd /root/mine/static/consumer | grep libsluice; then exit 1; fi

echo "Conan's package, and a program that uses it"
# This machine's pip fetches Conan, because it has the machine's settings. Some wheels are for the
# Python of this machine, which must be the Python of the fresh Debian: 3.11 for Debian 12.
python3 -m venv "$mine/pip"
"$mine/pip/bin/pip" wheel --quiet --wheel-dir "$mine/wheels" "conan>=2,<3"
mkdir "$mine/source"
tar -C "$root" --exclude=./build --exclude=./.git -cf - . | tar -C "$mine/source" -xf -
quietly apt-get install -y --no-install-recommends python3-venv
quietly sh -euc 'python3 -m venv /root/mine/conan
  cd /root/mine/source
  /root/mine/conan/bin/pip install --quiet --no-index --find-links /root/mine/wheels conan
  /root/mine/conan/bin/conan profile detect
  /root/mine/conan/bin/conan create packages/conan --no-remote -s compiler.cppstd=20'
rm -r "$mine" "$system/log" "$system/root/.conan2"
echo "a new user's programs are built and run"
