#!/bin/sh
# When a program ends by exit(), the bytes that standard output still holds are written, and a
# failure is reported.
set -eu
program=$1
[ "$("$program")" = "$(printf 'freed\nnot closed')" ]

reported=$("$program" 2>&1 >/dev/full)
[ "$(echo "$reported" | grep -c 'sluice: lost error: write standard output')" = 2 ]

reported=$("$program" again 2>&1 >/dev/null)
[ "$reported" = 'sluice: lost error: write standard output at byte 11: the Writer is closed' ]
