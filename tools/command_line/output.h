// Output of the command: all of it arrives, or there is an error.
#pragma once

#include <string>
#include <string_view>

namespace sluice {

// Writes to standard output. Throws std::runtime_error, for instance when nobody reads any more.
void print(std::string_view text);

// The text with control characters, which a name may bring along and a terminal would obey, as
// \xNN; newlines stay.
std::string printable(std::string_view text);

// The same, newlines too.
std::string on_one_line(std::string_view text);

// One line on standard error, "WHO: WHAT", printable.
void complain(std::string_view who, std::string_view what);

// Throws unless `path` can be read and is a regular file.
void expect_readable(const std::string& path);

// Throws unless `path` can be written to. A file that is there stays as it is; none is left behind.
void expect_writable(const std::string& path);

// Creates or replaces the file. Throws std::runtime_error.
void write_text(const std::string& path, std::string_view text);

// The same; a file that is created can be read by its owner alone.
void write_private_text(const std::string& path, std::string_view text);

}  // namespace sluice
