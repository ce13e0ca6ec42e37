// The window of a Writer and the window of a Reader: the pointers that the inline calls use.
//
// sluice/writer.h, sluice/reader.h and sluice/c.h include this header, so that a call of the C++
// interface and a call of the C interface move the same pointers. Programs use those headers. Only
// the inline functions of those headers may touch the members.
//
// A program that is compiled with sluice/c.h has these members in its own code. If they change,
// SLUICE_C_WINDOW must change too: the library refuses to open a handle for any other number.
//
// This header is C11 and C++.
#pragma once

#if defined(__cplusplus) && __cplusplus >= 201703L
#include <cstddef>
typedef std::byte sluice_byte;  // std::byte, in C unsigned char
#else
typedef unsigned char sluice_byte;
#endif

// The number of this form of the window.
#define SLUICE_C_WINDOW 1u

// begin_ <= cursor_ <= limit_. The bytes [begin_, cursor_) are accepted and not yet handed on. All
// three are equal (and may be null) whenever every call has to take the slow path.
struct sluice_writer {
  // Implementation details follow.
  sluice_byte* begin_;
  sluice_byte* cursor_;
  sluice_byte* limit_;
};

// The bytes [cursor_, limit_) have been read from the source and not yet handed out.
struct sluice_reader {
  // Implementation details follow.
  const sluice_byte* cursor_;
  const sluice_byte* limit_;
};
