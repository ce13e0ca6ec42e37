# sluice_warnings: an interface target that carries the warnings every target of ours is built with.
add_library(sluice_warnings INTERFACE)
target_compile_options(sluice_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wimplicit-fallthrough
  $<$<BOOL:${SLUICE_WARNINGS_AS_ERRORS}>:-Werror>)

# The warnings of our C sources.
add_library(sluice_c_warnings INTERFACE)
target_compile_options(sluice_c_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align
  -Wimplicit-fallthrough -Wstrict-prototypes -Wmissing-prototypes
  $<$<BOOL:${SLUICE_WARNINGS_AS_ERRORS}>:-Werror>)
