// The targets that the writing strategies write to, each owning what it opened.
//
// A failed open, write or close throws std::runtime_error with operation, path and reason. Streams
// that remember a failure (stdio, iostream) are asked once, in close(), so that asking is in no
// row's time. A target belongs to one thread at a time.
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

// The buffers that these targets have when nobody chooses one, on ext4 and tmpfs.
inline constexpr std::size_t stdio_buffer_bytes = 4096;
inline constexpr std::size_t filebuf_buffer_bytes = BUFSIZ;

// A file created or truncated for write(2).
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

  // Both pieces in one writev(2); what it leaves is written by itself.
  void write_gathered(const void* first, std::size_t first_bytes, const void* second,
                      std::size_t second_bytes);
  void synchronize();  // fdatasync
  void close();

 private:
  std::string path_;
  int descriptor_;
};

// A stdio stream. A `buffer_bytes` other than 0 is given to setvbuf, with the memory for it:
// without memory glibc ignores the size.
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

// A std::ofstream that is checked when it is opened and closed.
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
