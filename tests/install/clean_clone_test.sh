#!/bin/sh
# Does what README.md says to somebody who has just cloned the repository: `./dev build`, and then
# `cmake --install`. The other tests cannot tell what `./dev build` leaves out, because in their
# build everything is built.
set -eu
cmake=$1
. "$(dirname "$0")/scratch.sh"

mkdir "$scratch/clone" "$scratch/programs"
tar -C "$here/../.." --exclude=./build --exclude=./.git -cf - . | tar -C "$scratch/clone" -xf -

# The test installs no packages and fetches no uPlot.
printf '#!/bin/sh\necho installed\n' >"$scratch/programs/dpkg-query"
printf '#!/bin/sh\nexit 1\n' | tee "$scratch/programs/npm" >"$scratch/programs/curl"
chmod +x "$scratch/programs"/*
PATH=$scratch/programs:$PATH
export PATH
use_compiler_cache "$scratch/clone"

cd "$scratch/clone"
./dev build
"$cmake" --install build/release --prefix "$scratch/installed" >/dev/null
[ "$("$scratch/installed/bin/sluice" run -- echo whole)" = whole ]
