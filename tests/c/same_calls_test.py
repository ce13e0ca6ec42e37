#!/usr/bin/env python3
"""Compares the calls of the C++ headers with the functions of sluice/c.h.

usage: same_calls_test.py INCLUDE_FOLDER

A call that is added to a C++ class is missing in C until it has a line here.
"""
import pathlib
import re
import sys
import unittest

HEADERS = pathlib.Path(sys.argv[1], "sluice")

# The public calls of each class, with the functions in C, separated by spaces.
CALLS = {
    "Writer": {
        "open": "sluice_writer_open sluice_writer_open_sink sluice_writer_open_memory",
        "attach": "sluice_writer_attach",
        "put": "sluice_put sluice_put_slow",
        "write": "sluice_write sluice_write_slow sluice_write_text",
        "write_value": "sluice_write",
        "write_values": "sluice_write",
        "write_number": "sluice_write_int64 sluice_write_uint64 sluice_write_int64_in_base "
                        "sluice_write_uint64_in_base sluice_write_float sluice_write_double "
                        "sluice_write_long_double sluice_write_float_in_format "
                        "sluice_write_double_in_format sluice_write_long_double_in_format",
        "reserve": "sluice_reserve",
        "commit": "sluice_commit",
        "write_at": "sluice_write_at",
        "write_value_at": "sluice_write_at",
        "seek": "sluice_writer_seek",
        "position": "sluice_writer_position",
        "status": "sluice_writer_status",
        "is_open": "sluice_writer_is_open",
        "flush": "sluice_flush",
        "close": "sluice_writer_close",
        "discard": "sluice_discard",
    },
    "Reader": {
        "open": "sluice_reader_open sluice_reader_open_source sluice_reader_open_memory",
        "attach": "sluice_reader_attach",
        "get": "sluice_get sluice_get_slow",
        "read": "sluice_read sluice_read_slow",
        "peek": "sluice_peek",
        "skip": "sluice_skip",
        "seek": "sluice_reader_seek",
        "size": "sluice_reader_size",
        "read_value": "sluice_read_values",
        "read_values": "sluice_read_values",
        "read_rest": "sluice_read_rest",
        "read_until": "sluice_read_until",
        "next_line": "sluice_next_line sluice_next_line_without_cr",
        "lines": "sluice_next_line",
        "next_number": "sluice_next_int32 sluice_next_uint32 sluice_next_int64 sluice_next_uint64 "
                       "sluice_next_int64_in_base sluice_next_uint64_in_base sluice_next_float "
                       "sluice_next_double sluice_next_long_double sluice_next_double_in_format",
        "skip_bad_number": "sluice_skip_bad_number",
        "records": "sluice_next_records",
        "position": "sluice_reader_position",
        "status": "sluice_reader_status",
        "is_open": "sluice_reader_is_open",
        "close": "sluice_reader_close",
    },
    "Journal": {
        "open": "sluice_journal_open",
        "append": "sluice_journal_append",
        "commit": "sluice_journal_commit",
        "durable_up_to": "sluice_journal_durable_up_to",
        "status": "sluice_journal_status",
        "is_open": "sluice_journal_is_open",
        "close": "sluice_journal_close",
    },
    "JournalReader": {
        "open": "sluice_journal_reader_open",
        "next": "sluice_journal_reader_next",
        "position": "sluice_journal_reader_position",
        "status": "sluice_journal_reader_status",
    },
}
# The functions of the headers about whole files, and the other functions.
FUNCTIONS = {
    "files.h": {
        "read_file": "sluice_read_file",
        "read_into": "sluice_read_into",
        "file_size": "sluice_file_size sluice_descriptor_size",
        "write_file": "sluice_write_file",
        "remove_abandoned_replacements": "sluice_remove_abandoned_replacements",
        "map_file": "sluice_map_file",
    },
    "copy.h": {"copy": "sluice_copy", "copy_file": "sluice_copy_file"},
    "standard_streams.h": {
        "standard_output": "sluice_standard_output",
        "standard_error": "sluice_standard_error",
        "standard_input": "sluice_standard_input",
    },
    "lost_error.h": {
        "set_lost_error_handler": "sluice_set_lost_error_handler",
        "report_lost_error": "",  # for objects of C++, which end without a caller
    },
}


def code_of(header):
    return re.sub(r"//.*", "", (HEADERS / header).read_text(encoding="utf-8"))


def public_calls(class_name):
    """The names of the methods that are public and not deleted."""
    for header in ["writer.h", "reader.h", "journal.h"]:
        match = re.search(rf"^class {class_name}\b[^;]*?\{{\n public:\n(.*?)^ private:",
                          code_of(header), re.DOTALL | re.MULTILINE)
        if match:
            body = re.sub(r"\{[^{}]*\}", ";", match[1])
            declarations = [text for text in body.split(";") if "= delete" not in text]
            found = [re.search(r"\b([a-z_]+)\(", text) for text in declarations]
            return {name[1] for name in found if name}
    raise AssertionError(f"no class {class_name}")


def functions_of(header):
    code = code_of(header)
    return {name for name in re.findall(r"^[A-Za-z][\w:<> ]*?[ &*]([a-z_]+)\(", code, re.MULTILINE)
            if name != "noexcept"}


class SameCalls(unittest.TestCase):
    def setUp(self):
        self.c_functions = set(re.findall(r"\b(sluice_[a-z0-9_]+)\(", code_of("c.h")))

    def expect_functions(self, names):
        for name in names.split():
            self.assertIn(name, self.c_functions)

    def test_every_call_of_a_class_has_a_function(self):
        for class_name, calls in CALLS.items():
            self.assertEqual(public_calls(class_name), set(calls), class_name)
            for names in calls.values():
                self.expect_functions(names)

    def test_every_function_has_a_function(self):
        for header, calls in FUNCTIONS.items():
            self.assertEqual(functions_of(header), set(calls), header)
            for names in calls.values():
                self.expect_functions(names)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
