"""What the compiler says about wrong calls: one error for each, with the way out.

usage: compile_errors_test.py COMPILER INCLUDE_FOLDER
"""
import re
import subprocess
import sys
import unittest

COMPILER, INCLUDES = sys.argv[1:3]
IS_CLANG = "clang" in COMPILER
# The way out stands in the first lines of a message. Clang then explains why each other overload
# does not fit.
FIRST_LINES = 6
MAX_LINES = 100 if IS_CLANG else 10

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
    'writer.write("x", 1.5)': "write() each, or use print",
    'writer.write("abc", true)': "write() each, or use print",
    'writer.write("abc", \'x\')': "write() each, or use print",
    'writer.put("x")': "pass one char",
    "writer.put(text)": "pass one char",
    "writer.put(1.5)": "write_number() a number",
    "writer.put(true)": "pass one char",
    "writer.put(L'x')": "pass one char",
    "writer.write(&text, text.size())": "no plain value: write its contents",
    'static_cast<void>(writer.open("name", sluice::CreateMode::append))': "pass options",
    'static_cast<void>(writer.open("name", "w"))': "pass options",
    'static_cast<void>(reader.open("name", "r"))': "pass ReaderOptions",
    "reader.read(text)": "pass a MutableBytesView",
    "reader.read(array)": "pass a MutableBytesView",
    "reader.read_value(std::as_const(integer))": "pass a value that is not const",
    "bool is_open = writer.status()": "use ok()",
    'sluice::make_memory_source(std::string("text"))': "give the text a name",
    'sluice::make_memory_source("text")': "pass a std::string_view",
    "sluice::make_memory_source(array)": "pass a std::string_view",
    "writer.write(array)": "pass a std::string_view or a BytesView",
    "writer.write_at(0, array)": "pass a std::string_view",
    "writer.write_at(0, nullptr)": 'pass "" or a std::string_view',
    "writer.write_at(0, 42)": "use write_value_at, or pass a BytesView",
    "writer.write_at(0, [] { return 1; })": "use write_value_at, or pass a BytesView",
    'writer.write_at("abc", 0)': "the position comes first",
    "writer.write_at(text, 0)": "the position comes first",
    'writer.write_at(0, "a", 1)': "pass a BytesView",
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
    "writer.write_number(5, 10, 3)": "give a base, such as 16, and nothing more",
    "writer.write_number(5, 1.5)": "give a base, such as 16, and nothing more",
    "writer.write_number(1.5, 10, 3)": "give a std::chars_format",
    "writer.write_number(1.5, std::chars_format::fixed, 3, 4)": "give a std::chars_format",
    "writer.write_number(1.5, std::chars_format::fixed, 3.0)": "give a std::chars_format",
    "writer.write_values(list)": "use write, write_value or write_number for each",
    "writer.write_value(text)": "use write_values or write()",
    'writer.write_values("abc")': "use write(), which leaves out the NUL",
    'writer.write_value("abc")': "use write(), which leaves out the NUL",
    "writer.write_value([&] { return text; })": "use write_values or write()",
    "reader.next_number(text)": "use next_line() for text",
    "reader.next_number(array[0])": "get() for a byte",
    "reader.next_number(integer, std::chars_format::hex)": "give a base",
    "reader.next_number(integer, 10, 3)": "give a base",
    "reader.next_number(number, 10)": "give a std::chars_format",
    "reader.next_number(number, std::chars_format::hex, 3)": "give a std::chars_format",
    "reader.read_value(text)": "use next_line() for text",
    "reader.read_values(list)": "pass a std::span",
    'reader.read_until(",", view)': "pass one char",
    "reader.read_until(',', text)": "pass a std::string_view",
    "reader.next_line(text)": "pass a std::string_view",
    "if (reader.status()) {}": "use ok()",
    "static_cast<void>(writer.put('a') && writer.seek(0))": "use ok()",
    "sluice::Reader().lines()": "give the Reader a name",
}

# Calls that a refusal must not take away: sizes, bases and precisions of any integer's type.
RIGHT_CALLS = [
    "writer.write(text)",
    "writer.write(array, 3)",
    "writer.put('x')",
    "writer.put(reader.get())",
    "writer.put(static_cast<unsigned char>(1))",
    "writer.write(array, std::size_t{3})",
    'writer.write("abc", 3)',
    "writer.write(text.data(), text.size())",
    "static_cast<void>(sluice::make_memory_source(text))",
    "static_cast<void>(sluice::make_memory_source(view))",
    "static_cast<void>(sluice::make_memory_source({}))",
    "static_cast<void>(reader.read(array, 3))",
    "std::cerr << writer.status() << '\\n'",
    "static_cast<void>(writer.status().ok())",
    "writer.put(std::byte{1})",
    "writer.put(std::uint8_t{1})",
    "reader.next_line(view, sluice::CarriageReturn::strip)",
    "writer.write(array, std::uint8_t{3})",
    "writer.write(nullptr, 0)",
    "writer.write(&integer, sizeof integer)",
    "writer.write_values(array)",
    "static_cast<void>(writer.write_at(text.size(), text))",
    "static_cast<void>(writer.write_at(7, view))",
    "writer.write_number(5, 16L)",
    "writer.write_number(5u, std::size_t{16})",
    "writer.write_number(1.5f, std::chars_format::fixed, text.size())",
    "writer.write_number(1.5L, std::chars_format::hex)",
    "reader.next_number(integer, 16)",
    "reader.next_number(integer, text.size())",
    "reader.next_number(number, std::chars_format::hex)",
    "reader.read_until(',', view)",
]

PROGRAM = """#include <charconv>
#include <iostream>
#include <list>
#include <string>
#include "sluice/reader.h"
#include "sluice/writer.h"
struct Point { int x, y; };
void call(sluice::Writer& writer, sluice::Reader& reader, std::string text, std::list<int> list) {
  std::string_view view;
  char array[16] = "";
  int integer = 0;
  double number = 0;
  CALLS
  static_cast<void>(reader), static_cast<void>(view);
  static_cast<void>(integer), static_cast<void>(number);
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
    def test_right_calls_compile(self):
        self.assertEqual(messages_about(RIGHT_CALLS), [""])

    def test_a_wrong_call_is_one_short_error_that_says_what_to_do(self):
        _, *messages = messages_about(WRONG_CALLS)
        self.assertEqual(len(messages), len(WRONG_CALLS), "".join(messages))
        for number, (call, words) in enumerate(WRONG_CALLS.items(), 1):
            with self.subTest(call=call):
                message = messages[number - 1]
                self.assertTrue(message.startswith(f"calls:{number}:"), message)
                lines = message.splitlines()
                self.assertIn(words, "\n".join(lines[:FIRST_LINES]), message)
                self.assertLessEqual(len(lines), MAX_LINES, message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
