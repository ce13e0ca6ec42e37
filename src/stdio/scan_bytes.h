// scan_bytes(): scanf for a C library whose own scanf cannot read from a stream of sluice.
//
// The format and the results are as with glibc. It has no conversion to wide characters (%ls, %lc,
// %l[, %S, %C), no %m and no %1$d: these fail with ENOTSUP. %I64d, %I32d and %Id are as with
// Microsoft's C library.
#pragma once

#include <cstdarg>

#include "stdio/stream.h"

namespace sluice::stdio {

// The stream is ready to be read.
int scan_bytes(Stream& stream, const char* format, va_list arguments);

}  // namespace sluice::stdio
