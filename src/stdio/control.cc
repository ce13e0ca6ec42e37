#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "stdio/descriptor.h"
#include "stdio/recursive_lock.h"
#include "stdio/stream.h"

using namespace sluice::stdio;  // NOLINT(google-build-using-namespace): the C names are global

int sluice_stdio_fflush(sluice_FILE* file) {
  const bool ok = file == nullptr ? flush_all() : synchronize(stream_of(file));
  return ok ? 0 : EOF;
}

int sluice_stdio_setvbuf(sluice_FILE* file, char*, int mode, size_t bytes) {
  Stream& stream = stream_of(file);
  if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) return EOF;
  if (!expect_open(stream)) return EOF;
  // The inline calls must see the new mode, so the stream begins to write anew.
  if (!end_writing(stream)) return EOF;
  stream.buffering = mode == _IOFBF   ? Buffering::full
                     : mode == _IOLBF ? Buffering::line
                                      : Buffering::none;
  if (!stream.is_started) {
    stream.block_bytes = std::clamp(bytes, stream.block_bytes, max_block_bytes);
  }
  return 0;
}

void sluice_stdio_setbuf(sluice_FILE* file, char* memory) {
  sluice_stdio_setvbuf(file, memory, memory == nullptr ? _IONBF : _IOFBF, BUFSIZ);
}

void sluice_stdio_setbuffer(sluice_FILE* file, char* memory, size_t bytes) {
  sluice_stdio_setvbuf(file, memory, memory == nullptr ? _IONBF : _IOFBF, bytes);
}

void sluice_stdio_setlinebuf(sluice_FILE* file) { sluice_stdio_setvbuf(file, nullptr, _IOLBF, 0); }

int sluice_stdio_ferror(sluice_FILE* file) { return stream_of(file).has_failed ? 1 : 0; }

int sluice_stdio_feof(sluice_FILE* file) { return stream_of(file).at_end ? 1 : 0; }

void sluice_stdio_clearerr(sluice_FILE* file) {
  stream_of(file).has_failed = stream_of(file).at_end = false;
}

int sluice_stdio_fileno(sluice_FILE* file) {
  Stream& stream = stream_of(file);
  if (stream.descriptor < 0) errno = EBADF;
  std::atomic_ref(stream.is_known).store(true, std::memory_order_relaxed);
  return stream.descriptor;
}

size_t sluice_stdio_fpending(sluice_FILE* file) {
  const Stream& stream = stream_of(file);
  return stream.is_writing ? static_cast<size_t>(file->write_cursor - stream.dirty) : 0;
}

void sluice_stdio_fpurge(sluice_FILE* file) {
  Stream& stream = stream_of(file);
  if (stream.is_writing) {
    restart_block(stream);
  } else if (stream.is_started) {
    drop_data(stream, stream.data_position);
  }
}

int sluice_stdio_freading(sluice_FILE* file) {
  const Stream& stream = stream_of(file);
  const bool has_read = stream.readable && stream.is_started && !stream.is_writing;
  return !stream.writable || has_read ? 1 : 0;
}

int sluice_stdio_fwriting(sluice_FILE* file) {
  return !stream_of(file).readable || stream_of(file).is_writing ? 1 : 0;
}

void sluice_stdio_flockfile(sluice_FILE* file) {
  Stream& stream = stream_of(file);
  stream.lock.lock();
  std::atomic_ref(stream.is_used_with_lock).store(true, std::memory_order_relaxed);
}

int sluice_stdio_ftrylockfile(sluice_FILE* file) {
  return stream_of(file).lock.try_lock() ? 0 : EBUSY;
}

void sluice_stdio_funlockfile(sluice_FILE* file) { stream_of(file).lock.unlock(); }

// A store that changes nothing would make the next atomic instruction wait.
void sluice_stdio_lock(sluice_FILE* file) {
  Stream& stream = stream_of(file);
  stream.lock.lock();
  ++stream.locks;
  if (file->takes_locks != 0) return;
  std::atomic_ref(stream.is_used_with_lock).store(true, std::memory_order_relaxed);
  file->takes_locks = 1;
}

void sluice_stdio_unlock(sluice_FILE* file) {
  --stream_of(file).locks;
  sluice_stdio_funlockfile(file);
}

void sluice_stdio_perror(const char* text) {
  // strerror() would change the text that it has given to the program.
  char memory[256];
  const char* const message = text_of_error(errno, memory, sizeof memory);
  const bool has_text = text != nullptr && *text != '\0';
  sluice_stdio_fprintf(sluice_stdio_streams[2], "%s%s%s\n", has_text ? text : "",
                       has_text ? ": " : "", message);
}
