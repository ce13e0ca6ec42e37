// The bytes of a stream that translates: its file has "\r\n" where the program has '\n'. The block
// has the program's bytes, so the inline calls need not know of it. Only Windows has such streams:
// see translates_lines() in descriptor.h.
//
// While such a stream reads, the block has the bytes of the file from raw_begin to data_position,
// without the '\r' before each '\n'. A '\r' at the end of what was read is held back until the next
// byte is known (holds_return). The block is forgotten when the stream turns to writing, and a seek
// never stays in it.
#pragma once

#include "stdio/stream.h"

namespace sluice::stdio {

// As fetch().
bool fetch_text(Stream& stream);
// The position in the file of the byte at `at` in the block. Reads the bytes of the file again if
// the block has fewer bytes than the file.
bool find_text_position(Stream& stream, const unsigned char* at, std::int64_t& position);
// As write_through(). `written` counts the program's bytes.
bool write_text(Stream& stream, const unsigned char* from, std::size_t bytes, std::size_t& written);
// How many bytes the program's bytes become in the file.
std::int64_t bytes_in_file(const unsigned char* from, const unsigned char* end);

}  // namespace sluice::stdio
