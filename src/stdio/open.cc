#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "stdio/descriptor.h"
#include "stdio/mode.h"
#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

// glibc's marks of a FILE that needs no lock. Its other members stay null.
constexpr unsigned glibc_magic = 0xfbad8000;

constexpr StreamState fresh_state(int descriptor, Buffering buffering) {
  StreamState stream{};
  stream.descriptor = descriptor;
  stream.buffering = buffering;
  stream.block_bytes = default_block_bytes;
  stream.fetch_bytes = first_fetch_bytes;
  stream.is_shared = true;
  return stream;
}

// As with glibc, nothing can be written to stdin, and nothing can be read from stdout and stderr.
// Whether the descriptor allows the rest shows at the first call.
constexpr Stream standard_stream(int descriptor, Buffering buffering) {
  Stream stream{};
  stream.file.glibc_flags = static_cast<int>(glibc_magic);
  static_cast<StreamState&>(stream) = fresh_state(descriptor, buffering);
  stream.readable = descriptor == 0;
  stream.writable = descriptor != 0;
  return stream;
}

constinit Stream standard_streams[3] = {standard_stream(0, Buffering::not_chosen),
                                        standard_stream(1, Buffering::not_chosen),
                                        standard_stream(2, Buffering::none)};

__attribute__((constructor(101))) void link_standard_streams() {
  for (Stream& stream : standard_streams) {
    stream.is_standard = true;
    add_stream(stream);
  }
}

bool knows_window(unsigned window) {
  if (window == SLUICE_STDIO_WINDOW) return true;
  errno = ENOTSUP;
  return false;
}

// The members that glibc would look at stay as they are.
void renew(Stream& stream, const StreamState& state) {
  stream.file.takes_locks = 0;
  stream.file.read_cursor = stream.file.read_limit = nullptr;
  stream.file.write_cursor = stream.file.write_limit = nullptr;
  static_cast<StreamState&>(stream) = state;
}

void take_mode(StreamState& stream, const Mode& mode) {
  stream.readable = mode.reads;
  stream.writable = mode.writes;
  stream.appends = mode.appends;
  stream.open_flags = mode.flags;
}

Stream* new_stream() {
  void* const memory = std::calloc(1, sizeof(Stream));
  if (memory == nullptr) return nullptr;
  auto* const stream = new (memory) Stream(standard_stream(-1, Buffering::not_chosen));
  add_stream(*stream);
  return stream;
}

sluice_FILE* make_stream(int descriptor, const Mode& mode, bool is_shared) {
  Stream* stream = take_closed_stream();
  if (stream == nullptr) stream = new_stream();
  if (stream == nullptr) return nullptr;
  const StreamLock lock(*stream);
  StreamState state = fresh_state(descriptor, Buffering::not_chosen);
  state.is_shared = is_shared;
  take_mode(state, mode);
  renew(*stream, state);
  return &stream->file;
}

// As with glibc: ftell() after fopen(path, "a") is the size of the file. After fdopen() it is the
// size too, unless the descriptor appended before. Returns the offset of a file.
std::int64_t begin_to_append(int descriptor, const Mode& mode) {
  if (!mode.appends || mode.reads) return 0;
  const int saved_errno = errno;
  const std::int64_t offset = seek(descriptor, 0, begin_of_append);
  errno = saved_errno;  // a pipe has no end
  return offset < 0 ? 0 : offset;
}

sluice_FILE* own_descriptor(int descriptor, const Mode& mode) {
  if (descriptor < 0) return nullptr;
  const std::int64_t offset = begin_to_append(descriptor, mode);
  sluice_FILE* const file = make_stream(descriptor, mode, false);
  if (file == nullptr) {
    close_descriptor(descriptor);
    errno = ENOMEM;
    return nullptr;
  }
  stream_of(file).kernel_position = offset;
  return file;
}

// Writes what is left and releases everything but the descriptor.
bool empty_stream(Stream& stream) {
  const bool is_read = stream.is_started && !stream.is_writing;
  bool ok = stream.is_shared && is_read ? synchronize(stream) : flush_dirty(stream);
  free_scanner(stream);
  free_printer(stream);
  std::free(stream.memory);
  ok = ok || stream.descriptor < 0;
  return ok;
}

void reset_stream(Stream& stream, int descriptor, const Mode& mode) {
  StreamState state = fresh_state(descriptor, Buffering::not_chosen);
  state.is_shared = stream.is_shared;
  state.is_known = is_known(stream) && descriptor >= 0;
  take_mode(state, mode);
  renew(stream, state);
}

int refuse_closed() {
  errno = EBADF;
  return EOF;
}

// Closes the stream. `process` is what is left to close if popen() has made the stream.
int close_stream(Stream& stream, FILE*& process) {
  const StreamLock lock(stream);
  process = nullptr;
  if (stream.is_closed) return refuse_closed();
  const bool is_written = empty_stream(stream);
  const int saved_errno = errno;
  const bool is_closed = close_descriptor(stream.descriptor) == 0;  // EBADF if freopen() has failed
  if (is_closed) errno = saved_errno;
  reset_stream(stream, -1, Mode{});
  process = std::exchange(stream.process, nullptr);
  stream.has_failed = !stream.is_standard;  // ferror() cannot refuse otherwise
  if (!stream.is_standard) keep_closed_stream(stream);
  return is_written && is_closed ? 0 : EOF;
}

}  // namespace
}  // namespace sluice::stdio

using namespace sluice::stdio;  // NOLINT(google-build-using-namespace): the C names are global

sluice_FILE* sluice_stdio_streams[3] = {&standard_streams[0].file, &standard_streams[1].file,
                                        &standard_streams[2].file};

sluice_FILE* sluice_stdio_fopen_for(const char* path, const char* mode_text, unsigned window) {
  Mode mode;
  if (!knows_window(window) || !parse_mode(mode_text, mode)) return nullptr;
  return own_descriptor(open_file(path, mode), mode);
}

sluice_FILE* sluice_stdio_fdopen_for(int descriptor, const char* mode_text, unsigned window) {
  Mode mode;
  if (!knows_window(window) || !parse_mode(mode_text, mode)) return nullptr;
  const bool appended_before = mode.appends && always_appends(descriptor);
  if (!fits_descriptor(descriptor, mode)) return nullptr;
  if (!appended_before) begin_to_append(descriptor, mode);
  mode.flags &= ~flags_of_exec;  // the descriptor stays as it is, also after freopen()
  return make_stream(descriptor, mode, true);
}

sluice_FILE* sluice_stdio_tmpfile_for(unsigned window) {
  if (!knows_window(window)) return nullptr;
  Mode mode;
  parse_mode("w+b", mode);
  return own_descriptor(open_temporary(), mode);
}

sluice_FILE* sluice_stdio_freopen_for(const char* path, const char* mode_text, sluice_FILE* file,
                                      unsigned window) {
  Stream& stream = stream_of(file);
  const StreamLock lock(stream);
  if (stream.is_closed) {
    refuse_closed();
    return nullptr;
  }
  empty_stream(stream);  // POSIX: failures of the old file are ignored
  const int old = stream.descriptor;
  const int old_flags = stream.open_flags;
  reset_stream(stream, old, Mode{});  // what is left if the thread is cancelled in open()
  Mode mode;
  const bool makes_sense = knows_window(window) && parse_mode(mode_text, mode);
  int descriptor = -1;
  std::int64_t offset = 0;
  if (makes_sense) {
    const auto open = [&]() -> std::ptrdiff_t {
      return path != nullptr ? open_file(path, mode) : open_again(old, mode);
    };
    descriptor = static_cast<int>(call_that_waits(stream, open));
  }
  if (descriptor < 0 && old >= 0) {
    const int saved_errno = errno;
    close_descriptor(old);
    errno = saved_errno;
  } else {
    offset = begin_to_append(descriptor, mode);
    mode.flags |= old_flags & flags_of_exec;
    descriptor = replace_descriptor(descriptor, old, mode.flags);
  }
  reset_stream(stream, descriptor, descriptor < 0 ? Mode{} : mode);
  stream.kernel_position = offset;
  return descriptor < 0 ? nullptr : file;
}

// The C library starts the process, and keeps a descriptor of its own until pclose().
sluice_FILE* sluice_stdio_popen_for(const char* command, const char* mode_text, unsigned window) {
  if (!knows_window(window)) return nullptr;
  FILE* const process = ::popen(command, mode_text);
  if (process == nullptr) return nullptr;
  Mode mode;
  parse_mode(std::strchr(mode_text, 'w') != nullptr ? "w" : "r", mode);
  for (const char* at = mode_text; *at != '\0'; ++at) parse_letter_of_system(*at, mode.flags);
  // The C library closes its own descriptor in later processes of popen() alone, and knows nothing
  // of this copy. A process that inherits the pipe of another one keeps it open.
  close_on_exec(fileno(process));
  sluice_FILE* const file = own_descriptor(duplicate_for_this_process(fileno(process), mode), mode);
  if (file == nullptr) {
    const int saved_errno = errno;
    ::pclose(process);
    errno = saved_errno;
  } else {
    stream_of(file).process = process;
    stream_of(file).open_flags |= flags_of_exec;
  }
  return file;
}

// As with glibc, the result for a stream of popen() is that of pclose().
int sluice_stdio_fclose(sluice_FILE* file) {
  FILE* process = nullptr;
  const int result = close_stream(stream_of(file), process);
  const int status = process == nullptr ? 0 : ::pclose(process);
  return status != 0 ? status : result;
}

int sluice_stdio_pclose(sluice_FILE* file) {
  if (stream_of(file).process == nullptr) {
    errno = stream_of(file).is_closed ? EBADF : EINVAL;
    return -1;
  }
  return sluice_stdio_fclose(file);
}
