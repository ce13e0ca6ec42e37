# For `cmake -DCMAKE_PROJECT_INCLUDE=cmake/static_command.cmake`: the command needs no library at
# run time. Its parts and the preloaded objects need only glibc, 2.31 or newer.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PKG_CONFIG_ARGN --static)
set(SLUICE_FMT fmt::fmt-header-only CACHE STRING "")
set(SLUICE_OLD_GLIBC ON CACHE BOOL "")
set(SLUICE_BENCH_PEERS OFF CACHE BOOL "")
set(SLUICE_BUILD_TESTS OFF CACHE BOOL "")
