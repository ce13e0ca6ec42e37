#!/bin/sh
# Reads Debian's packages with lintian, installs them into a fresh Debian in FOLDER, uses them
# there, and purges them. Needs lintian and what fresh_debian.sh needs.
#
# usage: check_debian.sh PACKAGES FOLDER [SUITE]
set -eu
packages=$(cd "$1" && pwd)
system=$2
here=$(cd "$(dirname "$0")" && pwd)

echo "lintian $(dpkg-query -W -f '${Version}' lintian)"
# By chance the machine code of a build has bytes that read as a misspelled word.
lintian --pedantic --display-info --fail-on error,warning,info,pedantic \
  --suppress-tags spelling-error-in-binary "$packages"/*.changes

[ -e "$system/bin/sh" ] || "$here/fresh_debian.sh" make "${3:-bookworm}" "$system"
within() { "$here/fresh_debian.sh" run "$system" "$@"; }
quietly() { within "$@" >"$system/log" 2>&1 || { cat "$system/log" >&2; exit 1; }; }
# The files of the system, without the records of apt and dpkg.
files() {
  within find / -xdev \( -path /proc -o -path /packages -o -path /var/cache -o -path /var/log \
    -o -path /var/lib/apt -o -path /var/lib/dpkg \) -prune -o -print | grep -vx /log | sort
}
quietly apt-get update
mkdir -p "$system/packages"
rm -f "$system"/packages/*
for package in sluice libsluice0 libsluice-dev; do
  cp "$packages/${package}"_[0-9]*_*.deb "$system/packages"
done
before=$(files)

echo "Debian $(cat "$system/etc/debian_version"): install"
quietly sh -c 'apt-get install -y --no-install-recommends /packages/*.deb'
cp "$here/try_command.sh" "$system/packages"
within /packages/try_command.sh /usr/bin/sluice
within sh -euc 'test -s /usr/share/bash-completion/completions/sluice
  test -s /usr/share/zsh/vendor-completions/_sluice
  test -s /usr/share/fish/vendor_completions.d/sluice.fish
  dpkg --verify sluice libsluice0 libsluice-dev'

echo "purge"
quietly apt-get purge -y sluice libsluice0 libsluice-dev
quietly apt-get autoremove -y --purge
if within sh -c 'dpkg-query -W -f "\${Package}\n" | grep sluice'; then exit 1; fi
after=$(files)
[ "$after" = "$before" ] || {
  echo "FAILED: the purge left or removed files:" >&2
  printf '%s\n%s\n' "$before" "$after" | sort | uniq -u >&2
  exit 1
}
rm -r "$system/packages" "$system/log"
echo "the packages install, work, and leave nothing"
