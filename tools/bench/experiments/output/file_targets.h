// The targets of the writing strategies. Each target owns the file that it opened.
//
// A failed open, write or close throws std::runtime_error with operation, path and reason. Streams
// that remember a failure (stdio, iostream) are checked once, in close(), so that no row's time
// includes a check after each write. Threads: one thread at a time may use a target.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <string>

#include "bench/experiments/input/raw_read.h"  // fail

namespace sluice::bench {

// The default buffers of these targets, on ext4 and tmpfs.
inline constexpr std::size_t stdio_buffer_bytes = 4096;
inline constexpr std::size_t filebuf_buffer_bytes = BUFSIZ;

// A file that is created or truncated, for write(2).
class RawOutput {
 public:
  explicit RawOutput(std::string path, int extra_flags = 0);  // O_SYNC and the like
  ~RawOutput();
  RawOutput(RawOutput&& other) noexcept;
  RawOutput& operator=(RawOutput&&) = delete;

  void write(const void* data, std::size_t bytes) {
    const char* next = static_cast<const char*>(data);
    while (bytes != 0) {
      const ssize_t written = ::write(descriptor_, next, bytes);
      if (written < 0) {
        if (errno == EINTR) continue;
        fail("write", path_);
      }
      next += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }

  // Writes both pieces in one writev(2). If this call writes only a part, further calls write the
  // rest.
  void write_gathered(const void* first, std::size_t first_bytes, const void* second,
                      std::size_t second_bytes);
  void synchronize();  // fdatasync
  void close();

 private:
  std::string path_;
  int descriptor_;
};

// A stdio stream. If `buffer_bytes` is not 0, setvbuf gets this size and the memory for it, because
// glibc ignores the size without memory.
class StdioFile {
 public:
  StdioFile(std::string path, const char* mode, std::size_t buffer_bytes = 0);
  ~StdioFile();
  StdioFile(StdioFile&& other) noexcept;
  StdioFile& operator=(StdioFile&&) = delete;

  std::FILE* get() const { return file_; }
  void synchronize();  // fflush and fdatasync
  void close();

 private:
  std::string path_;
  std::unique_ptr<char[]> buffer_;  // in use until the stream is closed
  std::FILE* file_;
};

// A std::ofstream. open and close check it for failures.
class OutputStream {
 public:
  explicit OutputStream(std::string path);

  std::ofstream& get() { return stream_; }
  void close();

 private:
  std::string path_;
  std::ofstream stream_;
};

}  // namespace sluice::bench
