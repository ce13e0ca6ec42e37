// Reading by system calls alone: the limits of the reading experiments, and the code that reads
// their input files.
#pragma once

#include <fcntl.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/experiments/input/input_file.h"
#include "bench/strategy.h"

namespace sluice::bench {

// The size of the block of the limit `raw read`.
inline constexpr std::size_t raw_block_bytes = 256 * 1024;

// Throws std::runtime_error with a message such as "read /data/x: Input/output error".
[[noreturn]] void fail(std::string_view operation, std::string_view path, int error = errno);

// A file that is open for reading, or with O_RDWR for both; O_CREAT makes it. The destructor closes
// it. Every failure throws.
class RawFile {
 public:
  explicit RawFile(const std::string& path, int access = O_RDONLY);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::size_t size() const;
  std::size_t read(void* into, std::size_t bytes) const;  // the result of one read(2): 0 at the end
  std::size_t read_fully(void* into, std::size_t bytes) const;  // fewer bytes only at the end

 private:
  std::string path_;
  int descriptor_;
};

// Memory whose pages were touched, in huge pages if the kernel gives them.
class WarmMemory {
 public:
  explicit WarmMemory(std::size_t bytes);
  ~WarmMemory();
  WarmMemory(const WarmMemory&) = delete;
  WarmMemory& operator=(const WarmMemory&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  std::byte* data_;
  std::size_t bytes_;
};

// The limit `raw read` reads the whole file, in pieces of raw_block_bytes, into one warm block.
Strategy raw_read_strategy(const SharedInput& input);

}  // namespace sluice::bench
