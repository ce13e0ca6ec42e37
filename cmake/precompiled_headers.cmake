# precompile_headers(TARGET HEADER...): the compiler reads these headers once for the target, and
# not once for each file. With a compiler's cache this would cost more, because a change of one
# header would compile all files again. clang-tidy must see which headers a file forgets.
function(precompile_headers target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT CMAKE_CXX_CLANG_TIDY)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
