// Opening and closing a FILE, and asking for its descriptor. These calls decide which streams are
// private.
#include <errno.h>
#include <stdio.h>

#include "counters.h"
#include "held.h"
#include "hook.h"
#include "private_files.h"

namespace sluice::preload {

// A new name may say that other files are complete.
SLUICE_WORK(long, sluice_fopen) {
  write_all_held();
  const long result = arguments.call();
  if (result == 0) return result;
  auto* const stream = reinterpret_cast<FILE*>(result);
  ++counters.streams;
  remember_private(stream);
  stream_opened(stream->_fileno, arguments.frame->caller);
  return result;
}
SLUICE_AROUND(sluice_fopen, "fopen, fopen64");

SLUICE_WORK(long, sluice_freopen) {
  auto* const stream = arguments.address<FILE>(2);
  write_all_held();
  forget_private(stream);
  const long result = arguments.call();
  if (result != 0) stream_reopened(stream->_fileno);
  return result;
}
SLUICE_AROUND(sluice_freopen, "freopen, freopen64");

SLUICE_WORK(long, sluice_fclose) {
  auto* const stream = arguments.address<FILE>(0);
  write_all_held();
  forget_private(stream);
  const int error = stop_holding(stream->_fileno);
  const auto result = static_cast<int>(arguments.call());
  if (result != 0 || error == 0) return result;
  errno = error;
  return EOF;
}
SLUICE_AROUND(sluice_fclose, "fclose");

// The C library closes the stream, and may give its memory to a stream that is not private.
SLUICE_WORK(void, sluice_close_stream) {
  write_all_held();
  forget_private(arguments.address<FILE>(0));
}
SLUICE_BEFORE(sluice_close_stream, "endmntent, pclose, _IO_fclose");

SLUICE_WORK(void, sluice_fileno) { forget_private(arguments.address<FILE>(0)); }
SLUICE_BEFORE(sluice_fileno, "fileno, fileno_unlocked");

}  // namespace sluice::preload
