#!/bin/sh
# Runs a program with an empty folder as its last argument, and removes the folder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
"$@" "$folder"
