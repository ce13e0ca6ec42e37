# The parts of an installation: the headers, the library, and the files by which CMake and
# pkg-config find them.
include(CMakePackageConfigHelpers)

get_target_property(library_type sluice TYPE)
# The C interface stays the same for a whole major version, so the shared library keeps its name.
# The symbol versions tell C++ programs of other minor versions apart.
set_target_properties(sluice PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(library_type STREQUAL SHARED_LIBRARY)
  set(version_script ${PROJECT_BINARY_DIR}/libsluice.map)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/libsluice.map.in ${version_script} @ONLY)
  target_link_options(sluice PRIVATE LINKER:--version-script=${version_script})
  set_property(TARGET sluice APPEND PROPERTY LINK_DEPENDS ${version_script})
endif()

# Components of their own: a program that needs none of them needs none of their libraries.
set(components "")
foreach(component IN ITEMS xxh3 ${SLUICE_CODECS} codecs object)
  if(NOT TARGET sluice_${component})
    continue()
  endif()
  list(APPEND components ${component})
  # Without a macro of its own, a shared component has the objects of the static one.
  set_target_properties(sluice_${component} PROPERTIES EXPORT_NAME ${component} DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endforeach()
list(TRANSFORM components PREPEND sluice_ OUTPUT_VARIABLE component_targets)

# What has to be built before `cmake --install`: `./dev build` builds this target and no tests.
add_custom_target(sluice_installed DEPENDS sluice)
add_dependencies(sluice_installed ${component_targets})

# A project that has sluice as a part of itself builds what it links, and installs nothing of
# sluice.
if(NOT SLUICE_INSTALL)
  if(NOT PROJECT_IS_TOP_LEVEL)
    set_target_properties(${component_targets} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  return()
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sluice DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(TARGETS sluice EXPORT sluice-targets)

# A static and a shared build can be installed into one folder: their targets have files of their
# own.
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
set(kind static)
if(library_type STREQUAL SHARED_LIBRARY)
  set(kind shared)
endif()
install(EXPORT sluice-targets NAMESPACE sluice:: FILE sluice-${kind}-targets.cmake
  DESTINATION ${config_folder})
if(TARGET sluice_fmt)
  # A set of its own, so that the library can be used on a machine without {fmt}.
  set_target_properties(sluice_fmt PROPERTIES EXPORT_NAME fmt)
  install(TARGETS sluice_fmt EXPORT sluice-fmt-targets)
  install(EXPORT sluice-fmt-targets NAMESPACE sluice:: DESTINATION ${config_folder})
endif()
foreach(component IN LISTS components)
  install(TARGETS sluice_${component} EXPORT sluice-${component}-targets)
  install(EXPORT sluice-${component}-targets NAMESPACE sluice::
    FILE sluice-${component}-${kind}-targets.cmake DESTINATION ${config_folder})
endforeach()

# MPI has no stable binary form, so sluice::mpi is installed as source. sluice-config.cmake compiles
# it in the user's project.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/mpi DESTINATION ${config_folder}/source
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cc" PATTERN "*_test.cc" EXCLUDE)

# A program that links a static library also links the libraries that it needs. A C compiler does
# not know the library of C++.
# With a shared library, `pkg-config --static` still names them, for a static library beside it.
set(SLUICE_STATIC_NEEDS_ISAL FALSE)
set(SLUICE_PC_REQUIRES "")
set(SLUICE_PC_LIBRARIES "")
if(ISAL_FOUND)
  set(SLUICE_STATIC_NEEDS_ISAL TRUE)
  set(SLUICE_PC_REQUIRES libisal)
endif()
if(CMAKE_CXX_IMPLICIT_LINK_LIBRARIES MATCHES "c\\+\\+")
  string(REGEX MATCH "[a-z]*c\\+\\+" cxx_library "${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES}")
  set(SLUICE_CXX_LIBRARY ${cxx_library})
  set(SLUICE_PC_LIBRARIES " -l${cxx_library}")
endif()
# A second line `Libs:` would be an error for pkg-config.
set(SLUICE_PC_PRIVATE "")
set(SLUICE_PC_PRIVATE_LIBRARIES "")
if(library_type STREQUAL SHARED_LIBRARY)
  set(SLUICE_PC_PRIVATE .private)
  set(SLUICE_PC_PRIVATE_LIBRARIES "${SLUICE_PC_LIBRARIES}")
  set(SLUICE_PC_LIBRARIES "")
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sluice-config.cmake.in
  ${PROJECT_BINARY_DIR}/sluice-config.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sluice-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/sluice-config.cmake ${PROJECT_BINARY_DIR}/sluice-config-version.cmake
    $<$<BOOL:${ISAL_FOUND}>:${CMAKE_CURRENT_LIST_DIR}/FindISAL.cmake>
  DESTINATION ${config_folder})

# The prefix is found from the place of the .pc file, so an installation can be moved as a whole.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH SLUICE_PREFIX_FROM_PC "/prefix/${pkgconfig_folder}" "/prefix")
configure_file(${CMAKE_CURRENT_LIST_DIR}/sluice.pc.in ${PROJECT_BINARY_DIR}/sluice.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sluice.pc DESTINATION ${pkgconfig_folder})
# sluice-zstd.pc and its like.
set(every_codec "")
foreach(SLUICE_COMPONENT package IN ZIP_LISTS SLUICE_CODECS SLUICE_CODEC_PACKAGES)
  set(SLUICE_COMPONENT_REQUIRES "sluice, ${package}")
  string(APPEND every_codec ", sluice-${SLUICE_COMPONENT}")
  configure_file(${CMAKE_CURRENT_LIST_DIR}/sluice-component.pc.in
    ${PROJECT_BINARY_DIR}/sluice-${SLUICE_COMPONENT}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/sluice-${SLUICE_COMPONENT}.pc
    DESTINATION ${pkgconfig_folder})
endforeach()
set(SLUICE_COMPONENT codecs)
set(SLUICE_COMPONENT_REQUIRES "sluice${every_codec}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/sluice-component.pc.in
  ${PROJECT_BINARY_DIR}/sluice-codecs.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sluice-codecs.pc DESTINATION ${pkgconfig_folder})

# The targets of the component name no folder of Arrow, so a program's build finds Arrow by itself.
if(TARGET sluice_object)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/FindArrowFileSystem.cmake DESTINATION ${config_folder})
  if(NOT TARGET ArrowFileSystem::arrow)  # pyarrow has no files for pkg-config
    set(SLUICE_COMPONENT object)
    set(SLUICE_COMPONENT_REQUIRES "sluice, arrow")
    configure_file(${CMAKE_CURRENT_LIST_DIR}/sluice-component.pc.in
      ${PROJECT_BINARY_DIR}/sluice-object.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/sluice-object.pc DESTINATION ${pkgconfig_folder})
  endif()
endif()
