#!/bin/sh
# Runs PROGRAM ARGUMENT FOLDER in an empty folder that goes away afterwards.
#
# usage: run.sh PROGRAM ARGUMENT [verify]
#
# With `verify` the program runs a second time to check the files of the first run.
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/sluice-process.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$1" "$2" "$folder"
if [ "${3:-}" = verify ]; then "$1" verify "$folder"; fi
