// Opening, closing and asking for the parts of a FILE. These calls decide which streams are
// private, and which buffers belong to the program.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counters.h"
#include "held.h"
#include "hook.h"
#include "policy.h"
#include "private_files.h"
#include "real.h"
#include "stream.h"
#include "written_files.h"

namespace sluice::preload {
namespace {

// std::ofstream opens by fopen() and writes to the descriptor. Other callers write to the stream,
// and glibc's own writes of the stream cannot be ordered with the held ones.
bool is_iostream(const void* caller) {
  Dl_info info{};
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return false;
  return strstr(info.dli_fname, "libstdc++") != nullptr ||
         strstr(info.dli_fname, "libc++") != nullptr;
}

bool only_reads(const FILE* stream) { return (stream->_flags & stream_no_writes) != 0; }

FILE* opened(FILE* stream, const void* caller) {
  if (stream == nullptr) return stream;
  ++counters.streams;
  remember_private(stream);
  if (!only_reads(stream)) remember_if_written(stream->_fileno);
  if (!policy.coalesce) return stream;
  if (is_iostream(caller)) {
    may_hold(stream->_fileno);
  } else {
    may_not_hold(stream->_fileno);
  }
  return stream;
}

// glibc's writes of the stream cannot be ordered with the held ones of its new file either.
template <typename RealFreopen>
FILE* reopened(RealFreopen real_freopen, const char* name, const char* mode, FILE* stream) {
  settle_written();
  forget_private(stream);
  FILE* const result = real_freopen(name, mode, stream);
  release_unused_buffer(stream);
  if (result == nullptr) return result;
  if (!only_reads(result)) remember_if_written(result->_fileno);
  may_not_hold(result->_fileno);
  return result;
}

}  // namespace

SLUICE_HOOK FILE* fopen(const char* name, const char* mode) {
  settle_written();
  return opened(real().fopen(name, mode), __builtin_return_address(0));
}

SLUICE_HOOK FILE* fopen64(const char* name, const char* mode) {
  settle_written();
  return opened(real().fopen64(name, mode), __builtin_return_address(0));
}

SLUICE_HOOK FILE* freopen(const char* name, const char* mode, FILE* stream) {
  return reopened(real().freopen, name, mode, stream);
}

SLUICE_HOOK FILE* freopen64(const char* name, const char* mode, FILE* stream) {
  return reopened(real().freopen64, name, mode, stream);
}

SLUICE_HOOK int fclose(FILE* stream) {
  settle_for_stream(stream);
  // The read position of a private stream goes with the stream.
  if (larger_buffers_in_use != 0 && !is_private(stream)) give_back_read_ahead(stream);
  forget_private(stream);
  const int error = stop_holding(stream->_fileno);
  // The C library may call hooks while it frees the memory. So no hook may use this memory any
  // more.
  release_larger_buffer(stream);
  const int result = real().fclose(stream);
  if (result != 0 || error == 0) return result;
  errno = error;
  return EOF;
}

SLUICE_HOOK int fileno(FILE* stream) noexcept {
  return_to_plain_buffer(stream);
  forget_private(stream);
  return real().fileno(stream);
}

SLUICE_HOOK int fileno_unlocked(FILE* stream) noexcept { return fileno(stream); }

SLUICE_HOOK int setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept {
  const int result = real().setvbuf(stream, buffer, mode, bytes);
  release_unused_buffer(stream);
  return result;
}

SLUICE_HOOK void setbuf(FILE* stream, char* buffer) noexcept {
  SLUICE_REAL(setbuf)
  real_function(stream, buffer);
  release_unused_buffer(stream);
}

SLUICE_HOOK void setbuffer(FILE* stream, char* buffer, size_t bytes) noexcept {
  SLUICE_REAL(setbuffer)
  real_function(stream, buffer, bytes);
  release_unused_buffer(stream);
}

SLUICE_HOOK void setlinebuf(FILE* stream) noexcept {
  SLUICE_REAL(setlinebuf)
  real_function(stream);
  release_unused_buffer(stream);
}

}  // namespace sluice::preload
