// Loops over the lines of an open file, in the ways in which programs read lines. Each loop adds
// every line to a Tally, in order.
//
// After a failure the stream keeps its error, and the tally is wrong.
#pragma once

#include <cstddef>
#include <cstdio>
#include <istream>
#include <string_view>

#include "bench/experiments/input/input_file.h"
#include "sluice/reader.h"

namespace sluice::bench {

Tally loop_std_getline(std::istream& stream);
Tally loop_istream_getline(std::istream& stream);  // into a char array
Tally loop_getline_3(std::FILE* file);
Tally loop_fgets(std::FILE* file);
Tally loop_fgets_unlocked(std::FILE* file);
Tally loop_sluice_lines(Reader& reader);
Tally loop_sluice_next_line(Reader& reader);

// Finds the lines of `text` by memchr.
Tally loop_memchr(std::string_view text);

// Adds the lines in [begin, end) that have a newline. Returns the start of the first line without
// one.
const char* add_complete_lines(const char* begin, const char* end, Tally& tally);

}  // namespace sluice::bench
