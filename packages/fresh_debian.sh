#!/bin/sh
# Makes a minimal Debian in a folder, and runs commands in it. What is mounted for a command is
# mounted in a namespace that ends with the command, so nothing stays mounted. Needs root,
# debootstrap, Debian's packages and unshare.
#
# usage: fresh_debian.sh make SUITE FOLDER
#        fresh_debian.sh run FOLDER COMMAND [ARGUMENT]...
set -eu

make() {
  mkdir -p "$2"
  unshare --mount debootstrap --variant=minbase "$1" "$2" >"$2.log" 2>&1 ||
    { cat "$2.log" >&2; exit 1; }
  rm "$2.log"
}

# The command gets nothing of this environment but the proxies.
run() {
  system=$1
  shift
  # shellcheck disable=SC2016
  exec unshare --mount --pid --fork --kill-child sh -euc \
    'mount -t proc proc "$0/proc"; exec chroot "$0" env -i "$@"' "$system" \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} "$@"
}

case $1 in
  make | run) "$@" ;;
  *) echo "usage: fresh_debian.sh make SUITE FOLDER | run FOLDER COMMAND..." >&2; exit 2 ;;
esac
