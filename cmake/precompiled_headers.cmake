# precompile_headers(TARGET HEADER...): the compiler reads these headers once for the target, and
# not once for each file. With a compiler's cache this would cost more, because a change of one
# header would compile all files again. clang-tidy must see which headers a file forgets.
#
# gcc 12 forgets which of these headers are the system's, and then has false warnings about their
# code: these are the ones that it leaves out otherwise.
function(precompile_headers target)
  if(CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_CLANG_TIDY)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()
