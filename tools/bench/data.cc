#include "bench/data.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

namespace sluice::bench {
namespace {

constexpr std::size_t block_bytes = 256 * 1024;

// A descriptor that closes itself. Its failures name the path.
class File {
 public:
  File(const std::string& path, int flags)
      : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail("open");
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }

  std::size_t read(void* into, std::size_t bytes) const {
    const ssize_t got = ::read(descriptor_, into, bytes);
    if (got < 0) fail("read");
    return static_cast<std::size_t>(got);
  }

  void write(const unsigned char* data, std::size_t bytes) const {
    while (bytes != 0) {
      const ssize_t written = ::write(descriptor_, data, bytes);
      if (written < 0) fail("write");
      data += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }

  [[noreturn]] void fail(const char* operation, int error = errno) const {
    throw std::runtime_error(fmt::format("{} {}: {}", operation, path_, std::strerror(error)));
  }

 private:
  const std::string& path_;
  int descriptor_;
};

std::vector<unsigned char> pattern_block() {
  static_assert(block_bytes % 65536 == 0, "every block of the pattern is the same");
  std::vector<unsigned char> block(block_bytes);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = byte_at(i);
  return block;
}

}  // namespace

Hasher::Hasher() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state_);
}

Hasher::~Hasher() { XXH3_freeState(state_); }

void Hasher::update(const void* data, std::size_t bytes) {
  XXH3_64bits_update(state_, data, bytes);
}

std::uint64_t Hasher::digest() const { return XXH3_64bits_digest(state_); }

std::uint64_t hash_bytes(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

std::uint64_t hash_file(const std::string& path) {
  const File file(path, O_RDONLY);
  std::vector<unsigned char> block(block_bytes);
  Hasher hasher;
  while (const std::size_t got = file.read(block.data(), block.size())) {
    hasher.update(block.data(), got);
  }
  return hasher.digest();
}

void expect_file(const std::string& path, std::uint64_t bytes, std::uint64_t hash) {
  const File file(path, O_RDONLY);
  const off_t size = ::lseek(file.descriptor(), 0, SEEK_END);
  if (size < 0) file.fail("seek");
  if (static_cast<std::uint64_t>(size) != bytes) {
    throw std::runtime_error(fmt::format("{} has {} bytes instead of {}", path, size, bytes));
  }
  if (const std::uint64_t found = hash_file(path); found != hash) {
    throw std::runtime_error(
        fmt::format("{} has the wrong bytes: hash {:016x} instead of {:016x}", path, found, hash));
  }
}

std::uint64_t hash_pattern(std::uint64_t bytes) {
  const std::vector<unsigned char> block = pattern_block();
  Hasher hasher;
  while (bytes != 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block.size()));
    hasher.update(block.data(), piece);
    bytes -= piece;
  }
  return hasher.digest();
}

void make_pattern_file(const std::string& path, std::uint64_t bytes) {
  const File file(path, O_WRONLY | O_CREAT | O_TRUNC);
  const std::vector<unsigned char> block = pattern_block();
  while (bytes != 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block.size()));
    file.write(block.data(), piece);
    bytes -= piece;
  }
}

void drop_cache(const std::string& path) {
  const File file(path, O_RDONLY);
  if (::fdatasync(file.descriptor()) != 0) file.fail("synchronize");
  if (const int error = ::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED); error != 0) {
    file.fail("drop the cache of", error);
  }
}

}  // namespace sluice::bench
