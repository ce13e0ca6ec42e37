// Opening and closing a FILE, and asking for its descriptor. These calls decide which streams are
// private.
#include <errno.h>
#include <stdio.h>

#include "before.h"
#include "counters.h"
#include "held.h"
#include "hook.h"
#include "private_files.h"
#include "real.h"
#include "stdio_calls.h"

namespace sluice::preload {
namespace {

// A new name may say that other files are complete.
template <typename RealFopen>
FILE* open_stream(RealFopen real_fopen, const char* name, const char* mode, const void* caller) {
  write_all_held();
  FILE* const stream = real_fopen(name, mode);
  if (stream == nullptr) return stream;
  ++counters.streams;
  remember_private(stream);
  stream_opened(stream->_fileno, caller);
  return stream;
}

template <typename RealFreopen>
FILE* reopen_stream(RealFreopen real_freopen, const char* name, const char* mode, FILE* stream) {
  write_all_held();
  forget_private(stream);
  FILE* const result = real_freopen(name, mode, stream);
  if (result != nullptr) stream_reopened(result->_fileno);
  return result;
}

}  // namespace

#define SLUICE_OPEN_STREAM(NAME)                                              \
  SLUICE_HOOK FILE* NAME(const char* name, const char* mode) {                \
    return open_stream(real().NAME, name, mode, __builtin_return_address(0)); \
  }
SLUICE_STREAM_OPENS(SLUICE_OPEN_STREAM)

#define SLUICE_REOPEN_STREAM(NAME)                                           \
  SLUICE_HOOK FILE* NAME(const char* name, const char* mode, FILE* stream) { \
    return reopen_stream(real().NAME, name, mode, stream);                   \
  }
SLUICE_STREAM_REOPENS(SLUICE_REOPEN_STREAM)

SLUICE_HOOK int fclose(FILE* stream) {
  write_all_held();
  forget_private(stream);
  const int error = stop_holding(stream->_fileno);
  const int result = real().fclose(stream);
  if (result != 0 || error == 0) return result;
  errno = error;
  return EOF;
}

// The C library closes the stream, and may give its memory to a stream that is not private.
SLUICE_WORK(sluice_before_closing) {
  write_all_held();
  forget_private(reinterpret_cast<FILE*>(arguments.value[0]));
}
SLUICE_BEFORE(sluice_before_closing, "endmntent, pclose, _IO_fclose");

SLUICE_HOOK int fileno(FILE* stream) noexcept {
  forget_private(stream);
  return real().fileno(stream);
}

SLUICE_HOOK int fileno_unlocked(FILE* stream) noexcept { return fileno(stream); }

}  // namespace sluice::preload
