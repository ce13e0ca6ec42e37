// Converts what most calls of scanf() convert, without the C library: %d, %u and %x, also with a
// length, %f, %e and %g into a float or a double, %s and %[, also with a width, and %c, with spaces
// and other characters of ASCII between them. A * after the % is known too.
#pragma once

#include <cstdarg>

namespace sluice::stdio {

struct PlainScan {
  int stored = -1;                     // the number of conversions; -1 if this is not a plain scan
  const unsigned char* end = nullptr;  // behind the last byte that the scan has taken
};

// Scans the bytes from `from` up to `limit`. The scan is plain if all of the format matches, and if
// no byte behind `limit` could change what is taken. Otherwise nothing is taken, and variables
// that the arguments point to may already have what another scan of these bytes stores.
PlainScan scan_plain(const unsigned char* from, const unsigned char* limit, const char* format,
                     va_list arguments);

}  // namespace sluice::stdio
