# The scripts of this folder and of tests/packages begin with this file. It sets `here`, the folder
# of the script, and `scratch`, an empty folder that is removed at the end.
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# use_compiler_cache FOLDER: what the tests' own build has compiled is not compiled again where
# there is a compiler's cache. FOLDER has what is built.
use_compiler_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR="$1" CCACHE_NOHASHDIR=1
}
