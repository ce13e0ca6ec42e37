#!/bin/sh
# Does what README.md says to somebody who has just cloned the repository: `./dev build`, and then
# `cmake --install`. The other tests cannot tell what `./dev build` leaves out, because in their
# build everything is built.
set -eu
cmake=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$scratch/clone" "$scratch/programs"
tar -C "$here/../.." --exclude=./build --exclude=./.git -cf - . | tar -C "$scratch/clone" -xf -

# The test installs no packages and fetches no uPlot.
printf '#!/bin/sh\necho installed\n' >"$scratch/programs/dpkg-query"
printf '#!/bin/sh\nexit 1\n' | tee "$scratch/programs/npm" >"$scratch/programs/curl"
chmod +x "$scratch/programs"/*
PATH=$scratch/programs:$PATH
export PATH
# What the tests' own build has compiled is not compiled again where there is a compiler cache.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR="$scratch/clone" CCACHE_NOHASHDIR=1
fi

cd "$scratch/clone"
./dev build
"$cmake" --install build/release --prefix "$scratch/installed" >/dev/null
[ "$("$scratch/installed/bin/sluice" run -- echo whole)" = whole ]
