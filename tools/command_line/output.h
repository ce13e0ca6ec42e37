// Output of the command: all output arrives, or an error is reported.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Writes to standard output. Throws std::runtime_error on failure, for instance if no process reads
// any more.
void write_output(std::string_view text);

// Writes the text, as printable() gives it, to standard error. Throws std::runtime_error if not all
// of it arrives. A closed standard error (2>&-) is no failure: the caller wants no report.
void write_report(std::string_view text);

// The text with its control characters as \xNN, because a name may contain them and a terminal
// would obey them. Newlines stay.
std::string printable(std::string_view text);

// As printable(), with newlines as \x0a too.
std::string on_one_line(std::string_view text);

// Prints "WHO: WHAT" on standard error, with WHAT as printable() gives it.
void complain(std::string_view who, std::string_view what);

// Throws unless `path` can be read and is a regular file.
void expect_readable(const std::string& path);

// Throws unless `path` can be written to. An old file does not change, and no new file stays.
void expect_writable(const std::string& path);

// Creates or replaces the file. Throws std::runtime_error.
void write_text(const std::string& path, std::string_view text);

// As write_text(), but only the owner can read a file that this function creates.
void write_private_text(const std::string& path, std::string_view text);

}  // namespace sluice
