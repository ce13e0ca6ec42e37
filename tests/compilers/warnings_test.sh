#!/bin/sh
# The launcher of the preset `check` fails for a warning and for an error, each time, and not else.
set -eu
compiler=$1
launcher=$(cd "$(dirname "$0")/../.." && pwd)/cmake/without_warnings.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

echo 'int main() { return 0; }' >clean.cc
echo 'int main() { int unused; return 0; }' >warning.cc
echo 'int main() { return unknown; }' >error.cc
"$launcher" "$compiler" -Wall -c clean.cc
for source in warning error warning; do
  if "$launcher" "$compiler" -Wall -c $source.cc 2>printed; then
    echo "$source.cc was accepted"
    exit 1
  fi
  grep -q "$source.cc" printed
done
