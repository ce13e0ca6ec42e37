#!/bin/sh
# soak_test.sh PROGRAM: it runs for a moment, and is interrupted; neither leaves anything behind.
set -eu
parent=/dev/shm
[ -w $parent ] || parent=/var/tmp
folder=$(mktemp -d $parent/sluice-soak.XXXXXX)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "$*"
  exit 1
}

"$1" 2 "$folder" || fail "it fails"
[ -z "$(ls "$folder")" ] || fail "it leaves $(ls "$folder")"

"$1" 60 "$folder" &
soak=$!
while [ -z "$(ls "$folder"/*/ 2>/dev/null)" ]; do  # until it writes
  kill -0 $soak 2>/dev/null || fail "it ended before it wrote anything"
done
kill -INT $soak
code=0
wait $soak || code=$?
[ $code = 130 ] || fail "interrupted, it ends with $code"
[ -z "$(ls "$folder")" ] || fail "interrupted, it leaves $(ls "$folder")"
