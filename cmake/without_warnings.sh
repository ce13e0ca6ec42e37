#!/bin/sh
# Runs a compiler and fails if it prints a warning. With -Werror the compiler's cache would take an
# object of the preset `check` for something else than the same object of the preset `release`, and
# each file would be compiled twice.
cache=$(command -v ccache) || cache=
# shellcheck disable=SC2086
printed=$($cache "$@" 2>&1)
code=$?
[ -z "$printed" ] || printf '%s\n' "$printed" >&2
case $printed in *warning:* | *'[-W'*) exit 1 ;; esac  # the second also in other languages
exit $code
