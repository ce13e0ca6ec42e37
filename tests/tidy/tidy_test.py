#!/usr/bin/env python3
"""Shows that tidy.py finds broken rules: each test breaks one in a small, good tree."""
import pathlib
import tempfile
import unittest

import functions
import tidy

GOOD_TREE = {
    "CMakeLists.txt": "add_subdirectory(src)\nadd_subdirectory(tools)\nadd_subdirectory(tests)\n",
    "dev": "#!/bin/sh\n",
    "include/sluice/writer.h": '#include <span>\n#include "sluice/status.h"\n',
    "include/sluice/status.h": "#include <string>\n",
    "include/sluice/print.h": '#include <fmt/format.h>\n#include "sluice/writer.h"\n',
    "src/CMakeLists.txt": "sluice_test(core/writer_test.cc)\n",
    "src/os/file.cc": '#include <unistd.h>\n#ifdef __linux__\n#endif\n#include "os/file.h"\n',
    "src/os/file.h": "",
    "src/backend/file_sink.cc": '#include <zstd.h>\n#include "os/file.h"\n',
    "src/backend/file_sink.h": '#include "sluice/status.h"\n',
    "src/core/writer.cc": '#include <immintrin.h>\n#include "backend/file_sink.h"\n',
    "src/core/writer.h": "",
    "src/core/writer_test.cc": '#include <unistd.h>\n#include "testing/faulty_sink.h"\n',
    "src/iostream/stream.cc":
        '#include <iostream>\n#include "iostream/stream.h"\n#include "sluice/writer.h"\n',
    "include/sluice/c.h": "#include <stddef.h>\n",
    "src/testing/faulty_sink.h": '#include "core/writer.h"\n',
    "tools/bench/row.cc": '#include <unistd.h>\n#include "bench/row.h"\n',
    "tools/bench/run.cc": '#include "row.h"\n#include "sluice/writer.h"\n',
    "tools/bench/row.h": "",
    "tests/CMakeLists.txt": "add_test(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cli/cli_test.py)\n",
    "tests/cli/cli_test.py": "",
}


def write_tree(root, files):
    for name, text in files.items():
        path = pathlib.Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        for folder in [path.parent, *path.parent.parents]:
            if not folder.is_relative_to(root):
                break
            if not (folder / "README.md").exists():
                (folder / "README.md").write_text("# A folder\n", encoding="utf-8")


class Tidy(unittest.TestCase):
    def findings(self, changes=None, without=None):
        """The findings of tidy in the good tree with some files changed and one removed."""
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, {**GOOD_TREE, **(changes or {})})
            if without:
                pathlib.Path(root, without).unlink()
            return tidy.findings(tidy.Tree(root))

    def expect(self, changes, *words):
        """Exactly one finding, with these words in it."""
        found = self.findings(changes)
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def test_a_good_tree_has_no_findings(self):
        self.assertEqual(self.findings(), [])

    def test_a_lower_layer_must_not_include_a_higher_one(self):
        for below, above in [("os", "backend"), ("os", "core"), ("backend", "core"),
                             ("core", "c"), ("os", "iostream")]:
            self.expect({f"src/{below}/x.cc": f'int x;\n#include "{above}/y.h"\n'},
                        f"src/{below}/x.cc:2:", f"{below} is below {above}")

    def test_an_adapter_needs_the_public_headers_alone(self):
        for other in ["core", "os", "stdio"]:
            self.expect({"src/c/x.cc": f'#include "{other}/x.h"\n'}, "sluice/*.h alone")
        lists = "sluice_test(c/x_test.cc)\nsluice_test(core/writer_test.cc)\n"
        self.assertEqual(self.findings({"src/c/x_test.cc": '#include "testing/faulty_sink.h"\n',
                                        "src/CMakeLists.txt": lists}), [])

    def test_spaces_and_tabs_hide_no_include(self):
        self.expect({"src/os/x.cc": '\t#  include\t"core/y.h"\n'}, "os is below core")

    def test_only_tests_use_the_fakes(self):
        self.expect({"src/core/x.cc": '#include "testing/faulty_sink.h"\n'}, "only tests")

    def test_tests_of_the_tools_may_use_the_fakes(self):
        include = '#include "testing/faulty_sink.h"\n'
        self.expect({"tools/bench/x.cc": include}, "only sluice/*.h")
        lists = "add_executable(x bench/x_test.cc)\n"
        self.assertEqual(
            self.findings({"tools/bench/x_test.cc": include, "tools/CMakeLists.txt": lists}), [])

    def test_includes_do_not_climb(self):
        self.expect({"src/os/x.cc": '#include "../core/writer.h"\n'}, "'..'")
        self.expect({"tools/bench/x.cc": '#include "../../src/core/writer.h"\n'}, "'..'")

    def test_src_includes_name_their_layer(self):
        self.expect({"src/core/x.cc": '#include "writer.h"\n'}, "name of a layer")

    def test_core_and_backend_have_no_system_header(self):
        for layer in ["core", "backend", "c"]:
            for header in ["unistd.h", "fcntl.h", "sys/uio.h", "poll.h", "pthread.h"]:
                self.expect({f"src/{layer}/x.cc": f"#include <{header}>\n"}, header, "src/os")

    def test_core_and_backend_make_no_calls_through_the_standard_library(self):
        for layer in ["core", "backend"]:
            for header in ["thread", "fstream", "filesystem", "iostream"]:
                self.expect({f"src/{layer}/x.cc": f"#include <{header}>\n"}, header, "system calls")

    def test_core_needs_the_standard_library_alone(self):
        self.expect({"src/core/x.cc": "#include <zstd.h>\n"}, "standard library alone")

    def test_systems_are_told_apart_in_os_only(self):
        self.expect({"src/core/x.cc": "int x;\n#ifdef _WIN32\n#endif\n"}, "x.cc:2:", "_WIN32")
        self.expect({"include/sluice/x.h": "#if defined(__linux__)\n#endif\n"}, "__linux__")

    def test_public_headers_include_public_headers_only(self):
        self.expect({"include/sluice/x.h": '#include "core/writer.h"\n'}, "only sluice/*.h")
        self.expect({"include/sluice/x.h": "#include <unistd.h>\n"}, "only sluice/*.h")
        self.expect({"include/sluice/x.h": "#include <stddef.h>\n"}, "only sluice/*.h")
        self.expect({"include/sluice/c.h": "#include <unistd.h>\n"}, "only sluice/*.h")
        self.expect({"include/sluice/x.h": "#include <fmt/format.h>\n"}, "print.h")

    def test_tools_and_examples_use_the_public_api_only(self):
        for folder in ["tools/bench", "preload", "bindings/python", "examples", "benchmarks"]:
            for include in ['"core/writer.h"', "<core/writer.h>", '"os/file.h"']:
                self.expect({f"{folder}/x.cc": f"#include {include}\n"}, "only sluice/*.h")

    def test_tools_do_not_include_each_other(self):
        self.expect({"examples/x.cc": '#include "bench/row.h"\n'}, "files of examples/")

    def test_a_test_that_nothing_builds_is_found(self):
        for name in ["src/core/lost_test.cc", "tests/cli/lost_test.py", "tests/cli/lost_test.sh"]:
            self.expect({name: ""}, name, "nothing builds or runs it")

    def test_a_test_of_the_same_name_elsewhere_does_not_count(self):
        self.expect({"src/backend/writer_test.cc": ""}, "src/backend/writer_test.cc")

    def test_a_test_in_a_comment_does_not_count(self):
        self.expect({"src/CMakeLists.txt": "# sluice_test(core/writer_test.cc)\n"},
                    "src/core/writer_test.cc")

    def test_a_test_in_a_folder_that_nothing_adds_does_not_count(self):
        self.expect({"CMakeLists.txt": "add_subdirectory(src)\n# add_subdirectory(tests)\n"},
                    "tests/cli/cli_test.py")
        self.assertEqual(
            self.findings({"tests/CMakeLists.txt": "if(X)\n  add_subdirectory(cli)\nendif()\n",
                           "tests/cli/CMakeLists.txt": "add_test(COMMAND cli_test.py)\n"}), [])

    def test_a_folder_without_a_readme_is_found(self):
        found = self.findings(without="src/core/README.md")
        self.assertEqual(len(found), 1, found)
        self.assertIn("src/core: no README.md", found[0])

    def test_an_invalid_readme_is_found(self):
        self.expect({"src/core/README.md": "#src / core\n"}, "src/core/README.md: it begins with")

    def test_long_files_and_lines_are_found(self):
        self.expect({"src/os/x.cc": "int x;\n" * 601}, "601 lines")
        self.expect({"src/os/x.cc": "\n" + "x" * 101 + "\n"}, "src/os/x.cc:2:", "101 columns")
        self.expect({"dev": "x" * 101}, "dev:1:")

    def test_files_and_lines_at_the_limit_are_fine(self):
        self.assertEqual(self.findings({"src/os/x.cc": ("é" * 100 + "\n") * 600}), [])

    def test_vague_names_are_found(self):
        for name in ["src/os/file_utils.h", "tools/helper.cc", "src/core/block_manager.cc"]:
            self.expect({name: ""}, name, "does not say")

    def test_build_folders_are_not_read(self):
        self.assertEqual(self.findings({"build/release/x.h": '#include "../y.h"\n'}), [])

    def test_a_compiled_program_is_a_finding(self):
        self.expect({"tools/bench/program": "\x7fELF and more"}, "tools/bench/program", "compiled")


class Functions(unittest.TestCase):
    def found(self, text):
        return [(f.name, f.line, f.lines) for f in functions.in_text(text)]

    def test_free_functions_and_members(self):
        text = """namespace a {
class B : public C {
  int get() const { return x_; }
  int x_ = {};
};
int B::next(int n) {
  if (n) {
    return 1;
  }
  return 2;
}
}
"""
        self.assertEqual(self.found(text), [("get", 3, 1), ("B::next", 6, 6)])

    def test_member_initialisers_belong_to_the_constructor(self):
        text = "A::A(int n)\n    : x_{n},\n      y_(2) {\n  run();\n}\nA::~A() {}\n"
        self.assertEqual(self.found(text), [("A::A", 1, 5), ("A::~A", 6, 1)])

    def test_lambdas_belong_to_their_function(self):
        text = "void f() {\n  auto g = [](int) {\n    return 1;\n  };\n}\n"
        self.assertEqual(self.found(text), [("f", 1, 5)])

    def test_braces_in_strings_and_comments_do_not_count(self):
        text = "void f() {\n  // {\n  call(\"{\", '{', 1'000);  /* { */\n}\nint g() {}\n"
        self.assertEqual(self.found(text), [("f", 1, 4), ("g", 5, 1)])

    def test_initialised_data_is_no_function(self):
        self.assertEqual(self.found("int x[] = {f(1), 2};\nvoid g(A a = {}) {}\n"), [("g", 2, 1)])

    def test_a_lambda_among_the_arguments_is_no_function(self):
        text = "void f(F g = [] {}) {\n}\nCALL(a, [](int x) {\n});\nint h() {}\n"
        self.assertEqual(self.found(text), [("f", 1, 2), ("h", 5, 1)])

    def test_tests_are_named_by_their_macro(self):
        self.assertEqual(self.found("TEST(Writer, Works) {\n}\n"), [("TEST(Writer, Works)", 1, 2)])


if __name__ == "__main__":
    unittest.main()
