# For `cmake -DCMAKE_PROJECT_INCLUDE=cmake/static_command.cmake`: the command and its parts need no
# library at run time, and the preloaded objects only glibc 2.31 or newer.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(PKG_CONFIG_ARGN --static)
set(SLUICE_FMT fmt::fmt-header-only CACHE STRING "")
set(SLUICE_OLD_GLIBC ON CACHE BOOL "")
set(SLUICE_BENCH_PEERS OFF CACHE BOOL "")
set(SLUICE_BUILD_TESTS OFF CACHE BOOL "")
set(CMAKE_EXE_LINKER_FLAGS "-static ${CMAKE_EXE_LINKER_FLAGS}")
