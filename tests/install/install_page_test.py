#!/usr/bin/env python3
"""What docs/install.md says is done: its projects are built and run, its commands are known.

usage: install_page_test.py CMAKE CXX_COMPILER C_COMPILER BUILD [--from-source]

BUILD is a release build. Without --from-source, the projects that build sluice as a part of
themselves are only configured, because such a build compiles the whole library.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, CXX_COMPILER, C_COMPILER, BUILD = sys.argv[1:5]
FROM_SOURCE = "--from-source" in sys.argv
PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
OUTSIDE_OF_BLOCKS = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
COMMANDS = re.findall(r"(?<=\n) {4}(\S.*)", OUTSIDE_OF_BLOCKS)
PROJECTS = re.findall(r"```cmake\n(.*?)```", PAGE, re.DOTALL)
COMPONENTS = re.findall(r"^\| `(\w+)` \|.*\| (\S.*) \|$",
                        PAGE.partition("| component |")[2].partition("\n\n")[0], re.MULTILINE)
BUILDS_SLUICE = re.compile(r"add_subdirectory|FetchContent")
PARTS = ("CMakeLists.txt", "cmake", "include", "src")  # of a copy that a project builds
OUTPUT = {"cc": "halves.bin", "c": "halves.txt"}


def program(language):
    return re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)[1]


def run(*words, **options):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False,
                          **options)
    if done.returncode != 0:
        raise AssertionError(f"{words} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def has_object():
    return (pathlib.Path(BUILD) / "src" / "libsluice_object.a").exists()


def pyarrow():
    """The option that names pyarrow, where `./dev setup --object` has put it."""
    folders = (ROOT / "build" / "object").glob("lib/python3*/site-packages/pyarrow")
    return f"-DSLUICE_PYARROW={next(folders, '')}"


class InstallPage(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "mine.cc").write_text(program("cpp"))
        (self.folder / "mine.c").write_text(program("c"))

    def install(self):
        run(CMAKE, "--install", BUILD, "--prefix", self.folder / "DIR")

    def configure(self, project, *options):
        (self.folder / "CMakeLists.txt").write_text(project)
        shutil.rmtree(self.folder / "build", ignore_errors=True)
        return run(CMAKE, "-G", "Ninja", "-S", self.folder, "-B", self.folder / "build",
                   f"-DCMAKE_CXX_COMPILER={CXX_COMPILER}", f"-DCMAKE_C_COMPILER={C_COMPILER}",
                   "-DCMAKE_BUILD_TYPE=Release", *options)

    def expect_result(self, program_file, source):
        environment = dict(os.environ, LD_LIBRARY_PATH=str(self.folder / "DIR" / "lib"))
        run(program_file, cwd=self.folder, env=environment)
        (self.folder / OUTPUT[source.partition(".")[2]]).unlink()

    def expect_project(self, project, *options):
        self.configure(project, *options)
        run(CMAKE, "--build", self.folder / "build")
        self.expect_result(self.folder / "build" / "mine", re.search(r"mine\.cc?", project)[0])

    def test_projects_use_what_is_installed(self):
        self.install()
        projects = [text for text in PROJECTS if "find_package(sluice" in text]
        self.assertGreaterEqual(len(projects), 4)
        for project in projects:
            kind = re.search(r"\b(static|shared|object)\b", project)
            if kind and kind[1] == "object" and not has_object():
                continue
            if kind and not (pathlib.Path(BUILD) / "src" / "libsluice.a").exists():
                continue  # the page's project asks for the static library
            with self.subTest(project=project):
                self.expect_project(project, f"-DCMAKE_PREFIX_PATH={self.folder / 'DIR'}",
                                    pyarrow())

    def repository(self):
        """A copy of the source in a repository, with the branch that the page names."""
        copy = self.folder / "sluice"
        copy.mkdir()
        for part in PARTS:
            (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, copy / part)
        author = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")
        for words in (("init", "--quiet", "--initial-branch=main"), ("add", "."),
                      (*author, "commit", "--quiet", "--message=copy")):
            run("git", "-C", copy, *words)
        return copy

    def test_projects_build_sluice_as_a_part_of_themselves(self):
        if not shutil.which("git"):
            self.skipTest("git is missing")
        copy = self.repository()
        projects = [text for text in PROJECTS if BUILDS_SLUICE.search(text)]
        self.assertEqual(len(projects), 3)
        for project in projects:
            with self.subTest(project=project):
                project = project.replace("/path/to/sluice", str(copy))
                if FROM_SOURCE:
                    self.expect_project(project)
                    continue
                self.configure(project)
                steps = run("ninja", "-C", self.folder / "build", "-n", "-v")
                self.assertRegex(steps, r"libsluice\.a")
                self.assertNotRegex(steps, r"libsluice_\w+\.a|_test\.cc|tools/|preload/")

    def test_components_are_those_that_are_installed(self):
        self.install()
        names = [name for name, _ in COMPONENTS]
        config = (ROOT / "cmake" / "sluice-config.cmake.in").read_text(encoding="utf-8")
        usage = config.partition("@PACKAGE_INIT@")[0]
        self.assertEqual(sorted(names), sorted(set(re.findall(r"\[?(\w+)[\]|]", usage))))
        # sluice::mpi has a test of its own. An installation has one of both libraries.
        left_out = {"mpi", "static", "shared"} | (set() if has_object() else {"object"})
        targets = "\n".join(f"if(NOT TARGET sluice::{name})\nmessage(FATAL_ERROR {name})\nendif()"
                            for name in names if name not in left_out)
        wanted = " ".join(name for name in names if name not in left_out)
        self.configure("cmake_minimum_required(VERSION 3.25)\nproject(all LANGUAGES CXX)\n"
                       f"find_package(sluice REQUIRED COMPONENTS {wanted})\n{targets}\n",
                       f"-DCMAKE_PREFIX_PATH={self.folder / 'DIR'}", pyarrow())
        packages = {name for _, needed in COMPONENTS for name in re.findall(r"`(\S+)`", needed)}
        known = (ROOT / "dev").read_text(encoding="utf-8").partition("help()")[0].split()
        self.assertEqual(packages - {word.strip('"') for word in known}
                         - {word.partition('"')[2] for word in known}, set())

    def test_pkg_config_builds_programs(self):
        self.install()
        lines = [line for line in COMMANDS if re.match("export|g[+]{2} .*pkg-config|gcc ", line)]
        self.assertGreaterEqual(len(lines), 5)
        pc = next((self.folder / "DIR").rglob("sluice.pc"))
        exports = [line.replace("DIR/lib", str(pc.parents[1])) for line in lines
                   if line.startswith("export")]
        for line in [line for line in lines if not line.startswith("export")]:
            name = re.search(r"--libs (\S+)\)", line)[1]
            self.assertIn(name.removeprefix("sluice-"), ["sluice", *dict(COMPONENTS)])
            if name != "sluice" and not (pc.parent / f"{name}.pc").exists():
                continue
            with self.subTest(line=line):
                run("bash", "-euc", "\n".join([*exports, line, "./mine"]), cwd=self.folder)
                (self.folder / OUTPUT[re.search(r"mine\.(cc?)", line)[1]]).unlink()

    def test_commands_are_known(self):
        """Commands that take long, or need a network or root. `./dev package` runs what they do."""
        usage = run(ROOT / "dev", "help")
        script = (ROOT / "packages" / "build.sh").read_text(encoding="utf-8")
        control = (ROOT / "debian" / "control").read_text(encoding="utf-8")
        for line in COMMANDS:
            with self.subTest(line=line):
                words = line.split()
                if words[0] == "./dev":
                    self.assertRegex(usage, rf"(?m)^  {words[1]}\b")
                    if len(words) > 2:
                        self.assertIn(words[2], usage)
                elif words[0] == "packages/build.sh":
                    self.assertRegex(script, rf"(?m)^{words[2]}\(\) ")
                elif words[:3] == ["sudo", "apt", "install"]:
                    for name in re.findall(r"/(\w[\w-]*)_\*\.deb", line):
                        self.assertIn(f"\nPackage: {name}\n", f"\n{control}")
                for path in re.findall(r"\bpackages/\w+", line):
                    self.assertTrue(list(ROOT.glob(f"{path}*")), path)
                for option in re.findall(r"-D(SLUICE_\w+)", line):
                    self.assertIn(f"option({option} ", (ROOT / "CMakeLists.txt").read_text())

    def test_conan_finds_the_package_that_the_page_names(self):
        project = (ROOT / "CMakeLists.txt").read_text()
        version = re.search(r"^project\(sluice VERSION (\S+)", project, re.MULTILINE)[1]
        self.assertIn(f"\nsluice/{version}\n", PAGE)
        self.assertIn(f"`sluice-{version}-x86_64-linux`", PAGE)


if __name__ == "__main__":
    if shutil.which("ccache"):
        os.environ.update(CMAKE_C_COMPILER_LAUNCHER="ccache", CMAKE_CXX_COMPILER_LAUNCHER="ccache")
    unittest.main(argv=sys.argv[:1])
