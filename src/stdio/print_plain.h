// Formats what most calls of printf() print, without the C library: text, and the conversions %d,
// %i, %u, %x, %s, %c, %%, and %f with at most 17 digits behind the point; also with a width, the
// flags - and 0, the lengths l, ll and z, and a precision of %s.
#pragma once

#include <cstdarg>
#include <cstddef>

namespace sluice::stdio {

// Writes the text without a NUL, and returns its bytes. Returns -1 if the format has anything else,
// or if the text does not fit into `room` bytes. Then the bytes at `into` may have any value.
std::ptrdiff_t print_plain(unsigned char* into, std::size_t room, const char* format,
                           va_list arguments);

}  // namespace sluice::stdio
