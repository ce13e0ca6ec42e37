# The implementations of MPI on this machine: SLUICE_MPIS has their names, and the target
# sluice_with_<name> has the options for their headers and libraries. MPI has no stable binary form,
# so the component sluice::mpi is compiled once for each of them. CMake's own FindMPI finds only
# one.
include_guard()

# The wrapper compiler tells the options that it adds.
function(sluice_look_for_mpi name wrapper)
  find_program(SLUICE_WRAPPER_${name} ${wrapper})
  mark_as_advanced(SLUICE_WRAPPER_${name})
  if(NOT SLUICE_WRAPPER_${name})
    return()
  endif()
  execute_process(COMMAND ${SLUICE_WRAPPER_${name}} -show
    OUTPUT_VARIABLE shown ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    return()
  endif()
  separate_arguments(words UNIX_COMMAND "${shown}")
  set(folders ${words})
  list(FILTER folders INCLUDE REGEX "^-I")
  list(TRANSFORM folders REPLACE "^-I" "")
  list(FILTER words INCLUDE REGEX "^-(L|l|Wl,)")
  add_library(sluice_with_${name} INTERFACE)
  target_include_directories(sluice_with_${name} SYSTEM INTERFACE ${folders})
  target_link_libraries(sluice_with_${name} INTERFACE ${words})
  # The C++ bindings, which MPI no longer has.
  target_compile_definitions(sluice_with_${name} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  set(SLUICE_MPIS ${SLUICE_MPIS} ${name} PARENT_SCOPE)
endfunction()

set(SLUICE_MPIS "")
if(NOT CMAKE_CROSSCOMPILING)
  sluice_look_for_mpi(openmpi mpicxx.openmpi)
  sluice_look_for_mpi(mpich mpicxx.mpich)
endif()
