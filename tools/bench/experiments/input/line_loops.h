// Loops over the lines of something open, as programs are written: each tallies every line, in
// order.
//
// Failures show in the stream afterwards, and in the verification of the tally.
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

// The lines of `text` by memchr.
Tally loop_memchr(std::string_view text);

// Adds the lines in [begin, end) that have a newline; returns where the first one without begins.
const char* add_complete_lines(const char* begin, const char* end, Tally& tally);

}  // namespace sluice::bench
