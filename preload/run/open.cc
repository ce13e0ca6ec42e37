// Opening, closing and asking for the parts of a FILE: who may move its position, whose its buffer
// is.
#include <stdio.h>

#include "buffers.h"
#include "hook.h"
#include "private_files.h"
#include "real.h"

namespace sluice::preload {
namespace {

FILE* opened(FILE* stream) {
  if (stream != nullptr) remember_private(stream);
  return stream;
}

}  // namespace

SLUICE_HOOK FILE* fopen(const char* name, const char* mode) {
  settle_written();
  return opened(real().fopen(name, mode));
}

SLUICE_HOOK FILE* fopen64(const char* name, const char* mode) {
  settle_written();
  return opened(real().fopen64(name, mode));
}

SLUICE_HOOK FILE* freopen(const char* name, const char* mode, FILE* stream) {
  forget_private(stream);
  FILE* const result = real().freopen(name, mode, stream);
  release_larger_buffer(stream);
  return result;
}

SLUICE_HOOK FILE* freopen64(const char* name, const char* mode, FILE* stream) {
  forget_private(stream);
  FILE* const result = real().freopen64(name, mode, stream);
  release_larger_buffer(stream);
  return result;
}

SLUICE_HOOK int fclose(FILE* stream) {
  // Where a private stream has read to is gone with it.
  if (larger_buffers_in_use != 0 && !is_private(stream)) give_back_read_ahead(stream);
  forget_private(stream);
  const int result = real().fclose(stream);
  release_larger_buffer(stream);
  return result;
}

SLUICE_HOOK int fileno(FILE* stream) noexcept {
  return_to_plain_buffer(stream);
  forget_private(stream);
  return real().fileno(stream);
}

SLUICE_HOOK int fileno_unlocked(FILE* stream) noexcept { return fileno(stream); }

SLUICE_HOOK int setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept {
  const int result = real().setvbuf(stream, buffer, mode, bytes);
  release_larger_buffer(stream);
  return result;
}

SLUICE_HOOK void setbuf(FILE* stream, char* buffer) noexcept {
  setvbuf(stream, buffer, buffer == nullptr ? _IONBF : _IOFBF, BUFSIZ);
}

SLUICE_HOOK void setbuffer(FILE* stream, char* buffer, size_t bytes) noexcept {
  setvbuf(stream, buffer, buffer == nullptr ? _IONBF : _IOFBF, bytes);
}

SLUICE_HOOK void setlinebuf(FILE* stream) noexcept { setvbuf(stream, nullptr, _IOLBF, 0); }

}  // namespace sluice::preload
