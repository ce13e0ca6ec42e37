"""What the compiler says about wrong calls: one error for each, with the way out.

usage: compile_errors_test.py COMPILER INCLUDE_FOLDER
"""
import re
import subprocess
import sys
import unittest

COMPILER, INCLUDES = sys.argv[1:3]
IS_CLANG = "clang" in COMPILER
# Clang also explains why each other overload does not fit.
MAX_LINES = 60 if IS_CLANG else 10

# Each call, and words that the message must have.
WRONG_CALLS = {
    "writer.write(42)": "use write_value, write_values, write_number",
    "writer.write('x')": "use write_value, write_values, write_number",
    "writer.write([] { return 1; })": "use write_value, write_values, write_number",
    "writer.write(Point{1, 2})": "use write_value, write_values, write_number",
    "writer.write(nullptr)": 'pass "" or a std::string_view',
    'writer.write("a", "b")': "write() each, or use print",
    'writer.write(text, "b", "c")': "write() each, or use print",
    'writer.write("a", 1, "b")': "write() each, or use print",
    "writer.write(text, 1)": "write() each, or use print",
    "writer.write(array)": "pass a std::string_view or a BytesView",
    "writer.write_at(0, array)": "pass a std::string_view",
    "writer.write_at(0, nullptr)": 'pass "" or a std::string_view',
    "writer.write_at(0, 42)": "use write_value_at, or pass a BytesView",
    "writer.write_at(0, [] { return 1; })": "use write_value_at, or pass a BytesView",
    "writer.write_at(0, Point{1, 2})": "use write_value_at, or pass a BytesView",
    "writer.write_value_at(0, text)": "write its members; text: write_at()",
    'writer.write_value_at(0, "abc")': "use write_at(): no NUL",
    "writer.write_value_at(0, &text)": "write its members; text: write_at()",
    "writer.write_value_at(0, nullptr)": "write its members; text: write_at()",
    "writer.write_values({1, 2, 3})": "pass a std::array, a std::vector or a std::span",
    "writer.write_number('c')": "cast it to a number",
    "writer.write_number(true)": "cast it to a number",
    'writer.write_number("12")': "cast it to a number",
    "writer.write_number('c', 16)": "cast it to a number",
    "writer.write_number(1.5, 3)": "give a std::chars_format",
    "writer.write_number(5, std::chars_format::hex)": "give a base",
    "writer.write_number(5, 10, 3)": "an integer has no precision",
    "writer.write_values(list)": "use write, write_value or write_number for each",
    "writer.write_value(text)": "use write_values or write()",
    'writer.write_value("abc")': "use write(), which leaves out the NUL",
    "writer.write_value([&] { return text; })": "use write_values or write()",
    "reader.next_number(text)": "use next_line() for text",
    "reader.next_number(array[0])": "get() for a byte",
    "reader.read_value(text)": "use next_line() for text",
    "reader.read_values(list)": "pass a std::span",
    'reader.read_until(",", view)': "pass one char",
    "sluice::Reader().lines()": "give the Reader a name",
}

PROGRAM = """#include <charconv>
#include <list>
#include <string>
#include "sluice/reader.h"
#include "sluice/writer.h"
struct Point { int x, y; };
void call(sluice::Writer& writer, sluice::Reader& reader, std::string text, std::list<int> list) {
  std::string_view view;
  char array[16] = "";
  CALLS
  static_cast<void>(reader), static_cast<void>(view);
  static_cast<void>(array), static_cast<void>(text), static_cast<void>(list);
}
"""


def messages_about(calls):
    """The compiler's messages about these calls: a text for each error."""
    lines = "".join(f"\n#line {number} \"calls\"\n{call};" for number, call in enumerate(calls, 1))
    # Clang ends after 20 errors unless it is told otherwise.
    limit = ["-ferror-limit=0"] if IS_CLANG else []
    result = subprocess.run(
        [COMPILER, "-std=c++20", "-fsyntax-only", *limit, f"-I{INCLUDES}", "-x", "c++", "-"],
        input=PROGRAM.replace("CALLS", lines), capture_output=True, text=True, check=False)
    return re.split(r"(?m)^(?=calls:\d+:\d+: error)", result.stderr)


class CompileErrors(unittest.TestCase):
    def test_a_right_program_compiles(self):
        self.assertEqual(messages_about(["writer.write(text)"]), [""])

    def test_a_wrong_call_is_one_short_error_that_says_what_to_do(self):
        _, *messages = messages_about(WRONG_CALLS)
        self.assertEqual(len(messages), len(WRONG_CALLS), "".join(messages))
        for number, (call, words) in enumerate(WRONG_CALLS.items(), 1):
            with self.subTest(call=call):
                message = messages[number - 1]
                self.assertTrue(message.startswith(f"calls:{number}:"), message)
                self.assertIn(words, message)
                self.assertLessEqual(len(message.splitlines()), MAX_LINES, message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
