# The target ArrowFileSystem::ArrowFileSystem: the C++ library of Apache Arrow, with file systems
# and S3. It is the first of these that has the version and S3:
#  - the Python package pyarrow in the folder SLUICE_PYARROW; if this is set, no other is taken
#  - an installed Arrow, by its own CMake package
#  - pyarrow in build/object, where `./dev setup --object` puts it
#  - pyarrow where python3 finds it
# pyarrow has the headers and the libraries of Arrow, but no CMake package. Nothing is kept for the
# next configuration, so a changed SLUICE_PYARROW counts.
include(FindPackageHandleStandardArgs)
set(SLUICE_PYARROW "" CACHE PATH "The folder of the Python package pyarrow, with include/arrow")

# What is wrong with the Arrow whose headers are in `folder`, in `problem`, or nothing. Its version
# and the suffix of its libraries' names in `version` and `suffix`.
function(sluice_look_at_arrow folder problem version suffix)
  set(config ${folder}/arrow/util/config.h)
  if(NOT EXISTS ${config} OR NOT EXISTS ${folder}/arrow/filesystem/filesystem.h)
    set(${problem} "${folder} has no headers of Arrow" PARENT_SCOPE)
    return()
  endif()
  file(STRINGS ${config} lines REGEX "define ARROW_(SO_VERSION|VERSION_STRING|S3)")
  string(REGEX MATCH "SO_VERSION \"([0-9]+)\"" unused "${lines}")
  set(${suffix} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  string(REGEX MATCH "VERSION_STRING \"([0-9.]+)" unused "${lines}")
  set(found "${CMAKE_MATCH_1}")
  set(${version} "${found}" PARENT_SCOPE)
  set(${problem} "" PARENT_SCOPE)
  if(found VERSION_LESS "${ArrowFileSystem_FIND_VERSION}")
    set(${problem} "the Arrow in ${folder} has the version ${found}" PARENT_SCOPE)
  elseif(NOT lines MATCHES "define ARROW_S3")
    set(${problem} "the Arrow in ${folder} was built without S3" PARENT_SCOPE)
  endif()
endfunction()

macro(sluice_take_installed_arrow)
  find_package(Arrow CONFIG QUIET)
  if(TARGET Arrow::arrow_shared)
    get_target_property(headers Arrow::arrow_shared INTERFACE_INCLUDE_DIRECTORIES)
    list(GET headers 0 headers)
    sluice_look_at_arrow(${headers} ArrowFileSystem_PROBLEM ArrowFileSystem_VERSION unused)
    if(NOT ArrowFileSystem_PROBLEM)
      set(ArrowFileSystem_INCLUDE_DIR ${headers})
      set(ArrowFileSystem_LIBRARY Arrow::arrow_shared)
    endif()
  endif()
endmacro()

# The wheel has no file libarrow.so. The file system of S3 is a library of its own, which registers
# itself when it is loaded.
macro(sluice_take_pyarrow folder)
  sluice_look_at_arrow(${folder}/include ArrowFileSystem_PROBLEM ArrowFileSystem_VERSION suffix)
  if(NOT ArrowFileSystem_PROBLEM AND NOT EXISTS ${folder}/libarrow.so.${suffix})
    set(ArrowFileSystem_PROBLEM "${folder} has no library libarrow.so.${suffix}")
  endif()
  if(NOT ArrowFileSystem_PROBLEM)
    set(ArrowFileSystem_INCLUDE_DIR ${folder}/include)
    set(ArrowFileSystem_LIBRARY ${folder}/libarrow.so.${suffix})
    if(EXISTS ${folder}/libarrow_s3.so.${suffix})
      set(ArrowFileSystem_S3_LIBRARY ${folder}/libarrow_s3.so.${suffix})
    endif()
  endif()
endmacro()

foreach(name IN ITEMS INCLUDE_DIR LIBRARY S3_LIBRARY VERSION PROBLEM)
  unset(ArrowFileSystem_${name})
  unset(ArrowFileSystem_${name} CACHE)
endforeach()
if(SLUICE_PYARROW)
  sluice_take_pyarrow(${SLUICE_PYARROW})
  if(NOT ArrowFileSystem_LIBRARY)
    message(WARNING "SLUICE_PYARROW cannot be used: ${ArrowFileSystem_PROBLEM}")
  endif()
else()
  sluice_take_installed_arrow()
  if(NOT ArrowFileSystem_LIBRARY)
    file(GLOB folders ${CMAKE_CURRENT_LIST_DIR}/../build/object/lib/python3*/site-packages/pyarrow)
    if(NOT folders)
      execute_process(
        COMMAND python3 -c "import pyarrow; print(pyarrow.__path__[0])"
        OUTPUT_VARIABLE folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    foreach(folder IN LISTS folders)
      if(NOT ArrowFileSystem_LIBRARY)
        sluice_take_pyarrow(${folder})
      endif()
    endforeach()
  endif()
endif()
find_package_handle_standard_args(ArrowFileSystem
  REQUIRED_VARS ArrowFileSystem_LIBRARY ArrowFileSystem_INCLUDE_DIR
  VERSION_VAR ArrowFileSystem_VERSION
  REASON_FAILURE_MESSAGE "${ArrowFileSystem_PROBLEM}")

if(ArrowFileSystem_FOUND AND NOT TARGET ArrowFileSystem::ArrowFileSystem)
  add_library(ArrowFileSystem::ArrowFileSystem INTERFACE IMPORTED)
  if(TARGET ${ArrowFileSystem_LIBRARY})
    set_target_properties(ArrowFileSystem::ArrowFileSystem PROPERTIES
      INTERFACE_LINK_LIBRARIES ${ArrowFileSystem_LIBRARY})
  else()
    add_library(ArrowFileSystem::arrow SHARED IMPORTED)
    set_target_properties(ArrowFileSystem::arrow PROPERTIES
      IMPORTED_LOCATION ${ArrowFileSystem_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${ArrowFileSystem_INCLUDE_DIR})
    set_target_properties(ArrowFileSystem::ArrowFileSystem PROPERTIES
      INTERFACE_LINK_LIBRARIES ArrowFileSystem::arrow)
    if(ArrowFileSystem_S3_LIBRARY)
      # Nothing refers to a symbol of it.
      set_property(TARGET ArrowFileSystem::ArrowFileSystem APPEND PROPERTY INTERFACE_LINK_LIBRARIES
        "-Wl,--push-state,--no-as-needed" ${ArrowFileSystem_S3_LIBRARY} "-Wl,--pop-state")
    endif()
  endif()
endif()
