#!/bin/sh
# Runs clang-tidy without an option of gcc that clang-tidy takes for an error.
for argument in "$@"; do
  shift
  [ "$argument" = -fno-gnu-unique ] || set -- "$@" "$argument"
done
exec clang-tidy "$@"
