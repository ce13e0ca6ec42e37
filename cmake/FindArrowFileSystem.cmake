# The target ArrowFileSystem::ArrowFileSystem: the C++ library of Apache Arrow, with file systems.
# An installed Arrow is found by its own CMake package. Otherwise the Python package pyarrow is
# taken, which has the headers and the libraries but no CMake package:
#  - in the folder SLUICE_PYARROW, if it is set
#  - in build/object, where `./dev setup --object` puts it
#  - where python3 finds pyarrow
include(FindPackageHandleStandardArgs)
set(SLUICE_PYARROW "" CACHE PATH "The folder of the Python package pyarrow, with include/arrow")

find_package(Arrow CONFIG QUIET)
if(TARGET Arrow::arrow_shared)
  get_target_property(ArrowFileSystem_INCLUDE_DIR Arrow::arrow_shared INTERFACE_INCLUDE_DIRECTORIES)
  set(ArrowFileSystem_LIBRARY Arrow::arrow_shared)
  set(ArrowFileSystem_VERSION ${Arrow_VERSION})
else()
  file(GLOB pyarrow_folders ${SLUICE_PYARROW}
    ${CMAKE_CURRENT_LIST_DIR}/../build/object/lib/python3*/site-packages/pyarrow)
  if(NOT pyarrow_folders)
    execute_process(
      COMMAND python3 -c "import pyarrow; print(pyarrow.__path__[0])"
      OUTPUT_VARIABLE pyarrow_folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_path(ArrowFileSystem_INCLUDE_DIR arrow/filesystem/filesystem.h
    PATHS ${pyarrow_folders} PATH_SUFFIXES include NO_DEFAULT_PATH)
  if(ArrowFileSystem_INCLUDE_DIR)
    file(STRINGS ${ArrowFileSystem_INCLUDE_DIR}/arrow/util/config.h version_lines
      REGEX "define ARROW_(SO_VERSION|VERSION_STRING) ")
    string(REGEX MATCH "SO_VERSION \"([0-9]+)\"" unused "${version_lines}")
    set(suffix ${CMAKE_MATCH_1})
    string(REGEX MATCH "VERSION_STRING \"([0-9.]+)" unused "${version_lines}")
    set(ArrowFileSystem_VERSION ${CMAKE_MATCH_1})
    cmake_path(GET ArrowFileSystem_INCLUDE_DIR PARENT_PATH pyarrow_folder)
    # The wheel has no file libarrow.so.
    find_file(ArrowFileSystem_LIBRARY libarrow.so.${suffix} PATHS ${pyarrow_folder} NO_DEFAULT_PATH)
    # The file system of S3 is a library of its own, which registers itself when it is loaded.
    find_file(ArrowFileSystem_S3_LIBRARY libarrow_s3.so.${suffix}
      PATHS ${pyarrow_folder} NO_DEFAULT_PATH)
  endif()
endif()
mark_as_advanced(ArrowFileSystem_INCLUDE_DIR ArrowFileSystem_LIBRARY ArrowFileSystem_S3_LIBRARY)
find_package_handle_standard_args(ArrowFileSystem
  REQUIRED_VARS ArrowFileSystem_LIBRARY ArrowFileSystem_INCLUDE_DIR
  VERSION_VAR ArrowFileSystem_VERSION)

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
