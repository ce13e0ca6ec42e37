"""The recipe of sluice for Conan 2: the library, without the command."""
import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Sluice(ConanFile):
    name = "sluice"
    description = "File I/O near the machine's limit, without a lost byte or a lost error"
    license = "MIT"
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def _root(self):
        return pathlib.Path(self.recipe_folder).resolve().parents[1]

    def set_version(self):
        project = (self._root() / "CMakeLists.txt").read_text()
        self.version = re.search(r"^project\(sluice VERSION (\S+)", project, re.MULTILINE)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SLUICE_BUILD_TESTS"] = False
        toolchain.cache_variables["SLUICE_BUILD_TOOLS"] = False
        for package in ("ISAL", "fmt"):
            toolchain.cache_variables[f"CMAKE_DISABLE_FIND_PACKAGE_{package}"] = True
        toolchain.cache_variables["XXHASH_INCLUDE_FOLDER"] = ""
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["sluice"]
        self.cpp_info.set_property("cmake_target_name", "sluice::sluice")
        self.cpp_info.set_property("pkg_config_name", "sluice")
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread"]
