#!/bin/sh
# Builds the documentation site in FOLDER/html. A warning of Doxygen is a failure, and so is a
# public name without a comment. Needs no network.
#
# usage: build.sh FOLDER [INPUT...]   (by default the inputs of the Doxyfile)
set -eu
folder=$(realpath -m "$1")
shift
cd "$(dirname "$0")/../.."

for file in "$(command -v doxygen)" /usr/share/doxygen-awesome-css/doxygen-awesome.css; do
  [ -r "$file" ] && continue
  echo "doxygen and doxygen-awesome-css are needed: ./dev docs installs them" >&2
  exit 1
done
mkdir -p "$folder"
{
  cat docs/site/Doxyfile
  echo "OUTPUT_DIRECTORY = \"$folder\""
  echo "PROJECT_NUMBER = $(sed -n 's/^project(sluice VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)"
  [ $# = 0 ] || echo "INPUT = docs/site/namespaces.dox $*"
} | doxygen -
python3 -B docs/site/undocumented.py "$folder/xml"
rm -r "$folder/xml"
