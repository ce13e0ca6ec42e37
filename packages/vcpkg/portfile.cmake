# Not run: no vcpkg could be had.
get_filename_component(SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH ${SOURCE_PATH}
  OPTIONS
    -DSLUICE_BUILD_TESTS=OFF
    -DSLUICE_BUILD_TOOLS=OFF
    -DCMAKE_DISABLE_FIND_PACKAGE_ISAL=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_ArrowFileSystem=ON
    -DXXHASH_INCLUDE_FOLDER=
    -DZSTD_INCLUDE_FOLDER=
    -DZSTD_LIBRARY=
    -DLZ4_INCLUDE_FOLDER=
    -DLZ4_LIBRARY=
    -DGZIP_INCLUDE_FOLDER=
    -DGZIP_LIBRARY=)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sluice)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
