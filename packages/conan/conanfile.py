"""The recipe of sluice for Conan 2: the library, without the command."""
import pathlib
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd, stdcpp_library
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir


class Sluice(ConanFile):
    name = "sluice"
    description = "File I/O near the machine's limit, without a lost byte or a lost error"
    license = "MIT"
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    # The components that read and write compressed files: the package of each one's library.
    codecs = {"zstd": "zstd/[>=1.4 <2]", "lz4": "lz4/[>=1.9 <2]", "gzip": "zlib/[>=1.2.11 <2]"}
    options = {"shared": [True, False], "fPIC": [True, False],
               **{f"with_{codec}": [True, False] for codec in codecs}}
    default_options = {"shared": False, "fPIC": True,
                       **{f"with_{codec}": False for codec in codecs}}
    implements = ["auto_shared_fpic"]

    def _root(self):
        return pathlib.Path(self.recipe_folder).resolve().parents[1]

    def set_version(self):
        project = (self._root() / "CMakeLists.txt").read_text()
        self.version = re.search(r"^project\(sluice VERSION (\S+)", project, re.MULTILINE)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def _chosen_codecs(self):
        return [codec for codec in self.codecs if self.options.get_safe(f"with_{codec}")]

    def _needs_xxhash(self):
        return not {"zstd", "lz4"}.isdisjoint(self._chosen_codecs())

    def requirements(self):
        for codec in self._chosen_codecs():
            self.requires(self.codecs[codec], transitive_libs=True)
        if self._needs_xxhash():
            self.requires("xxhash/[>=0.8 <1]", libs=False)  # only its header

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os not in ("Linux", "Windows"):
            raise ConanInvalidConfiguration("sluice runs on Linux and Windows")
        if self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration("sluice needs gcc or clang; on Windows use mingw-w64")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SLUICE_BUILD_TESTS"] = False
        toolchain.cache_variables["SLUICE_BUILD_TOOLS"] = False
        for package in ("ISAL", "fmt", "ArrowFileSystem"):
            toolchain.cache_variables[f"CMAKE_DISABLE_FIND_PACKAGE_{package}"] = True
        if not self._needs_xxhash():
            toolchain.cache_variables["XXHASH_INCLUDE_FOLDER"] = ""
        # A library of the machine must not become a part of the package.
        for codec in set(self.codecs) - set(self._chosen_codecs()):
            for found in ("INCLUDE_FOLDER", "LIBRARY"):
                toolchain.cache_variables[f"{codec.upper()}_{found}"] = ""
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder, "licenses"))
        CMake(self).install()
        # Conan makes these files itself.
        rmdir(self, pathlib.Path(self.package_folder, "lib", "cmake"))
        rmdir(self, pathlib.Path(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        codecs = [f"sluice_{codec}" for codec in self._chosen_codecs()]
        self.cpp_info.libs = ["sluice_codecs", *codecs, "sluice"]
        self.cpp_info.set_property("cmake_target_name", "sluice::sluice")
        self.cpp_info.set_property("pkg_config_name", "sluice")
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread"]
        if self.settings.os == "Windows":
            self.cpp_info.system_libs = ["ntdll"]
        # A project in C alone does not link the library of C++ by itself.
        library = stdcpp_library(self)
        if library and not self.options.shared:
            self.cpp_info.system_libs.append(library)
