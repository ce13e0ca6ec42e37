#!/bin/sh
# Installs the packages into a fresh Debian in FOLDER, builds programs there, and purges the
# packages. Needs root, debootstrap and Debian's packages.
#
# usage: check_debian.sh PACKAGES FOLDER [SUITE]
set -eu
packages=$(cd "$1" && pwd)
system=$2
here=$(cd "$(dirname "$0")/../tests/install" && pwd)
[ -e "$system/bin/sh" ] || debootstrap --variant=minbase "${3:-bookworm}" "$system" >/dev/null

# The command reads /proc, and what stays mounted cannot be removed.
mount -t proc proc "$system/proc"
trap 'umount "$system/proc"' EXIT
trap 'exit 1' HUP INT TERM

# within COMMAND...: runs it in the new system.
within() {
  chroot "$system" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
mkdir -p "$system/packages" "$system/programs"
cp "$packages"/*.deb "$system/packages"
cp "$here"/consumer/* "$system/programs"
awk '/^```cpp$/ { ++number; inside = 1; next } /^```$/ { inside = 0 } inside && number == 1' \
  "$here/../../README.md" >"$system/programs/readme.cc"
within find / -xdev -not -path '/proc/*' -not -path '/packages/*' -name '*sluice*' >"$system/before"
within apt-get install -y --no-install-recommends cmake g++ make pkg-config libfmt-dev \
  $(cd "$system" && echo ./packages/sluice_*.deb ./packages/libsluice0_*.deb \
    ./packages/libsluice-dev_*.deb) >"$system/log" 2>&1 || { cat "$system/log"; exit 1; }

echo "the command"
[ "$(within sluice run -- echo whole)" = whole ]
[ "$(within sluice trace -- echo whole 2>"$system/report")" = whole ]
within sluice bench --list >/dev/null
within test -s /usr/share/bash-completion/completions/sluice

echo "pkg-config"
within sh -euc 'cd /programs && g++ -std=c++20 readme.cc $(pkg-config --cflags --libs sluice) \
  -o readme && ./readme && test "$(stat -c %s halves.bin)" = 8000007 &&
  gcc -std=c11 consumer_in_c.c $(pkg-config --cflags --libs sluice) -o in_c && ./in_c lines'

echo "find_package: the shared library, and the static one"
for kind in shared static; do
  within sh -euc "cmake -S /programs -B /programs/$kind -DEXPECTED_FMT=with_fmt \
    -DEXPECTED_KIND=$kind >/dev/null && cmake --build /programs/$kind >/dev/null &&
    cd /programs && $kind/consumer lines && $kind/consumer_in_c lines"
done
within ldd /programs/shared/consumer | grep -q 'libsluice\.so\.0'
if within ldd /programs/static/consumer | grep libsluice; then exit 1; fi

echo "purge"
within apt-get purge -y sluice libsluice0 libsluice-dev >"$system/log" 2>&1
rm -r "$system/packages" "$system/programs"
within find / -xdev -not -path '/proc/*' -name '*sluice*' -not -path '/var/log/*' >"$system/after"
diff "$system/before" "$system/after"
