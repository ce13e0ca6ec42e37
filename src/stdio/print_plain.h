// Formats what most calls of printf() print, without the C library: text, and the conversions %d,
// %i, %u, %x, %X, %o, %s, %c, %%, %p (as glibc does), %f with at most 17 digits behind the point,
// %Lf likewise, and %e and %g with at most 17 digits. It knows each flag, width, precision and
// length that C defines for them, except # before %o, %f, %e and %g. In a format such as
// "%2$d %1$s" it knows no width or precision from the arguments.
#pragma once

#include <cstdarg>
#include <cstddef>

namespace sluice::stdio {

// Writes the text without a NUL, and returns its bytes. Returns -1 if the format has anything else,
// or if the text does not fit into `room` bytes. Then the bytes at `into` may have any value.
std::ptrdiff_t print_plain(unsigned char* into, std::size_t room, const char* format,
                           va_list arguments);

}  // namespace sluice::stdio
