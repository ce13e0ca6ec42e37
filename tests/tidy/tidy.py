#!/usr/bin/env python3
"""Reads the source tree and fails on broken rules that a compiler does not see.

usage: tidy.py ROOT

Each rule is a function that takes a Tree and yields findings, one line each. The longest functions
and files are listed for a reader to judge; they fail nothing.
"""
import pathlib
import re
import sys

import functions

MAX_FILE_LINES = 600
MAX_LINE_COLUMNS = 100
LISTED = 10

SOURCE_NAME = re.compile(r".*\.(h|cc|c|py|sh|cmake|js|css)|CMakeLists\.txt|dev")
TEST_NAME = re.compile(r".*_test\.(cc|py|sh)")
VAGUE_NAME = re.compile(r"(?<![a-z])(utils?|helpers?|managers?|misc)(?![a-z])", re.IGNORECASE)

LAYERS = ["os", "backend", "core", "compression"]  # bottom up
ADAPTERS = ["c", "iostream", "mpi", "object", "stdio"]  # on top of include/sluice, of no layer
PRIVATE_FOLDERS = [*LAYERS, *ADAPTERS, "testing"]
# Public headers that C programs may include.
C_HEADERS = ["c.h", "c_types.h", "stdio.h", "stdio_formats.h", "stdio_locked.h", "stdio_macros.h",
             "stdio_names.h", "stdio_overloads.h", "stdio_stream.h", "stdio_windows.h", "window.h"]
# The interface between the command and its preloaded objects, and the files that both compile.
SHARED_WITH_PRELOAD = ["preload/options.h", "preload/counters.h", "preload/program_kind.h",
                       "preload/trace/log.h", "preload/trace/sizes.h",
                       "preload/trace/ticks.h"]
PUBLIC_API_ONLY = ["tools", "preload", "bindings", "examples", "benchmarks"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
STANDARD_HEADER = re.compile(r"[a-z_]+")  # <vector>, <cstdint>
C_STANDARD_HEADER = re.compile(
    # The last row: headers of the system whose functions take a FILE.
    r"(errno|stdarg|stdbool|stddef|stdint|stdio|string|sys/types|wchar"
    r"|pwd|grp|shadow|gshadow|mntent|argp|printf|malloc|stdio_ext|sys/single_threaded)\.h")
# Instruction sets are the processor's, not the system's.
INSTRUCTION_SET_HEADER = re.compile(r"[a-z]*intrin\.h|arm_neon\.h")
SYSTEM_HEADER = re.compile(
    r"(sys|linux|asm|net|netinet|arpa)/.*"
    r"|(aio|dirent|dlfcn|errno|fcntl|poll|pthread|sched|semaphore|signal|spawn|stdio|syscall"
    r"|termios|unistd|windows)\.h")
# These make system calls that the table in src/os would not see.
CALLING_HEADER = re.compile(r"thread|fstream|iostream|filesystem")
SYSTEM_CONDITION = re.compile(
    r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b"
    r"(_WIN32|_WIN64|__linux__|__linux|__APPLE__|__unix__|__FreeBSD__|__ANDROID__)\b", re.MULTILINE)


class Tree:
    """The files below a root, without build folders and names that start with a dot."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = sorted(self._walk(self.root))

    def _walk(self, folder):
        for entry in folder.iterdir():
            if entry.name.startswith(".") or entry.name in ("build", "__pycache__"):
                continue
            if entry.is_dir():
                yield from self._walk(entry)
            else:
                yield entry.relative_to(self.root)

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def has(self, path):
        return path in self.files

    def sources(self):
        return [path for path in self.files if SOURCE_NAME.fullmatch(path.name)]

    def cpp_files(self):
        return [path for path in self.files if path.suffix in (".h", ".cc", ".c")]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def includes_point_down(tree):
    for path in tree.cpp_files():
        text = tree.text(path)
        for match in INCLUDE.finditer(text):
            quoted, name = match[1] == '"', match[2]
            problem = include_problem(tree, path, quoted, name)
            if problem:
                yield f"{path}:{line_of(text, match.start())}: {name}: {problem}"


def include_problem(tree, path, quoted, name):
    """The problem with `path` including `name`, or None."""
    folder = path.parts[0]
    if ".." in pathlib.PurePosixPath(name).parts:
        return "an include starts at an include folder, not at '..'"
    if folder == "include":
        return public_header_problem(path, quoted, name)
    if folder == "src":
        return layer_problem(path, quoted, name)
    if folder in PUBLIC_API_ONLY:
        return outsider_problem(tree, path, quoted, name)
    return None


def public_header_problem(path, quoted, name):
    if quoted:
        return None if name.startswith("sluice/") else "public headers include only sluice/*.h"
    if STANDARD_HEADER.fullmatch(name):
        return None
    if path.name in C_HEADERS and C_STANDARD_HEADER.fullmatch(name):
        return None
    if name.startswith("fmt/"):
        return None if path.name == "print.h" else "only sluice/print.h may include {fmt}"
    if name == "mpi.h":
        return None if path.name == "mpi.h" else "only sluice/mpi.h may include MPI"
    return "public headers include only sluice/*.h and the standard library"


def layer_problem(path, quoted, name):
    layer = path.parts[1]
    is_test = bool(TEST_NAME.fullmatch(path.name))
    if layer == "testing":
        return None
    if quoted:
        other = name.split("/")[0]
        if other == "testing":
            return None if is_test else "only tests may use src/testing"
        if layer in ADAPTERS:
            return None if other in ("sluice", layer) else f"{layer} needs sluice/*.h alone"
        if other in ADAPTERS:
            return f"{layer} is below {other}"
        if other in LAYERS and LAYERS.index(other) > LAYERS.index(layer):
            return f"{layer} is below {other}"
        if other not in [*LAYERS, "sluice"]:
            return "src includes start with sluice/ or the name of a layer"
        return None
    if is_test or layer == "os":
        return None
    return system_header_problem(layer, name)


def system_header_problem(layer, name):
    # A FILE is a part of the C library: errno and the descriptor's offset are its meaning. The
    # adapters over Arrow and MPI ask for the number of their process.
    if SYSTEM_HEADER.fullmatch(name) and layer not in ("stdio", "object", "mpi"):
        return "only src/os talks to the system"
    if layer not in ADAPTERS and CALLING_HEADER.fullmatch(name):
        return "it makes system calls of its own; every one goes through src/os"
    if layer == "core" and not (STANDARD_HEADER.fullmatch(name)
                                or INSTRUCTION_SET_HEADER.fullmatch(name)):
        return "core needs the standard library alone"
    return None


def outsider_problem(tree, path, quoted, name):
    is_test = bool(TEST_NAME.fullmatch(path.name))
    if name.startswith("sluice/") or (is_test and name.startswith("testing/")):
        return None
    if name.split("/")[0] in PRIVATE_FOLDERS and tree.has(pathlib.Path("src", name)):
        return "outside src only sluice/*.h may be included"
    own = pathlib.Path(path.parts[0])
    if own.name == "tools" and name in SHARED_WITH_PRELOAD:
        return None
    if quoted and not (tree.has(path.parent / name) or tree.has(own / name)):
        return f"quotes are for sluice/*.h and files of {own}/"
    return None


def systems_are_told_apart_in_os_only(tree):
    for path in tree.cpp_files():
        if path.parts[0] not in ("include", "src") or path.parts[:2] == ("src", "os"):
            continue
        text = tree.text(path)
        for match in SYSTEM_CONDITION.finditer(text):
            yield f"{path}:{line_of(text, match.start())}: {match[1]}: only src/os knows systems"


def every_test_is_registered(tree):
    mentioned = set()
    for path in cmake_lists_in_use(tree, pathlib.Path("CMakeLists.txt")):
        mentioned.update(files_named_by(tree, path))
    for path in tree.files:
        if TEST_NAME.fullmatch(path.name) and path not in mentioned:
            yield f"{path}: no CMakeLists.txt in use names this test: nothing builds or runs it"


def cmake_lists_in_use(tree, path):
    """`path` and the files that it adds, directly and through others."""
    if not tree.has(path):
        return
    yield path
    for folder in re.findall(r"^\s*add_subdirectory\(([\w./-]+)", tree.text(path), re.MULTILINE):
        yield from cmake_lists_in_use(tree, path.parent / folder / "CMakeLists.txt")


def files_named_by(tree, cmake_lists):
    """The files of the tree that a CMakeLists.txt names, seen from its folder or from the root."""
    text = re.sub(r"#.*", "", tree.text(cmake_lists))
    text = re.sub(r"\$\{(PROJECT|CMAKE|sluice)_SOURCE_DIR\}/", "/", text)
    text = text.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
    for word in re.findall(r"[\w./+-]+", text):
        at_root = word.startswith("/")
        start = tree.root if at_root else tree.root / cmake_lists.parent
        file = (start / word.lstrip("/")).resolve()
        if file.is_relative_to(tree.root.resolve()):
            yield file.relative_to(tree.root.resolve())


def every_folder_has_a_readme(tree):
    folders = {parent for path in tree.files for parent in path.parents}
    for folder in sorted(folders):
        # A fuzzer takes every file of such a folder for an input; corpus/README.md describes it.
        if folder.parent.name == "corpus":
            continue
        # Debian's tools know each file that may stand in this folder.
        if folder == pathlib.Path("debian/source"):
            continue
        if not tree.has(folder / "README.md"):
            yield f"{folder}: no README.md says what it is and what may depend on it"
        elif not tree.text(folder / "README.md").startswith("# "):
            yield f"{folder}/README.md: it begins with no heading"


def files_and_lines_are_short(tree):
    for path in tree.sources():
        lines = tree.text(path).splitlines()
        if len(lines) > MAX_FILE_LINES:
            yield f"{path}: {len(lines)} lines, more than {MAX_FILE_LINES}"
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE_COLUMNS:
                yield f"{path}:{number}: {len(line)} columns, more than {MAX_LINE_COLUMNS}"


def names_say_something(tree):
    for path in tree.files:
        vague = VAGUE_NAME.search(str(path))
        if vague:
            yield f"{path}: '{vague[0]}' does not say what is in it"


def no_program_is_kept(tree):
    for path in tree.files:
        with open(tree.root / path, "rb") as file:
            if file.read(4) == b"\x7fELF":
                yield f"{path}: a compiled program; remove it"


RULES = [
    no_program_is_kept,
    includes_point_down,
    systems_are_told_apart_in_os_only,
    every_test_is_registered,
    every_folder_has_a_readme,
    files_and_lines_are_short,
    names_say_something,
]


def findings(tree):
    return [finding for rule in RULES for finding in rule(tree)]


def print_longest(tree):
    by_length = [(len(tree.text(path).splitlines()), str(path)) for path in tree.sources()]
    print("The longest files:")
    for lines, path in sorted(by_length, reverse=True)[:LISTED]:
        print(f"  {lines:4} {path}")
    found = [(function.lines, f"{path}:{function.line} {function.name}")
             for path in tree.cpp_files() for function in functions.in_text(tree.text(path))]
    print("The longest functions:")
    for lines, function in sorted(found, reverse=True)[:LISTED]:
        print(f"  {lines:4} {function}")


def main(root):
    tree = Tree(root)
    print_longest(tree)
    found = findings(tree)
    for finding in found:
        print(finding)
    print(f"{len(tree.files)} files, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
