#include "bench/experiments/input/raw_read.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "bench/data.h"

namespace sluice::bench {

void fail(std::string_view operation, std::string_view path, int error) {
  throw std::runtime_error(fmt::format("{} {}: {}", operation, path, std::strerror(error)));
}

RawFile::RawFile(const std::string& path, int access)
    : path_(path), descriptor_(::open(path.c_str(), access | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("open", path_);
}

RawFile::~RawFile() { ::close(descriptor_); }

std::size_t RawFile::size() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) fail("stat", path_);
  return static_cast<std::size_t>(status.st_size);
}

std::size_t RawFile::read(void* into, std::size_t bytes) const {
  ssize_t got;
  do {
    got = ::read(descriptor_, into, bytes);
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail("read", path_);
  return static_cast<std::size_t>(got);
}

std::size_t RawFile::read_fully(void* into, std::size_t bytes) const {
  std::size_t filled = 0;
  while (filled < bytes) {
    const std::size_t got = read(static_cast<char*>(into) + filled, bytes - filled);
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

WarmMemory::WarmMemory(std::size_t bytes) : bytes_(bytes) {
  constexpr std::size_t huge_page_bytes = 2 * 1024 * 1024;
  void* memory = ::mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("allocate", fmt::format("{} bytes of memory", bytes));
  if (bytes >= huge_page_bytes) ::madvise(memory, bytes, MADV_HUGEPAGE);  // advice may be refused
  data_ = static_cast<std::byte*>(memory);
  std::memset(data_, 1, bytes_);
}

WarmMemory::~WarmMemory() { ::munmap(data_, std::max<std::size_t>(bytes_, 1)); }

Strategy raw_read_strategy(const SharedInput& input) {
  struct State {
    std::unique_ptr<WarmMemory> block;
    std::uint64_t bytes = 0;
    std::size_t last_piece = 0;
  };
  auto state = std::make_shared<State>();
  Strategy strategy;
  strategy.name = "raw read";
  strategy.kind = Kind::limit;
  strategy.buffer_bytes = raw_block_bytes;
  strategy.prepare = [state] { state->block = std::make_unique<WarmMemory>(raw_block_bytes); };
  strategy.run = [state, input] {
    const RawFile file(input->path);
    while (const std::size_t got = file.read(state->block->data(), raw_block_bytes)) {
      state->bytes += got;
      state->last_piece = got;
    }
  };
  // The block now holds only the last piece of the file, so only this piece can be checked.
  strategy.verify = [state, input] {
    if (state->bytes != input->bytes ||
        hash_bytes(state->block->data(), state->last_piece) != input->last_block_hash) {
      throw std::runtime_error(fmt::format("raw read found {} bytes instead of {}, or wrong bytes",
                                           state->bytes, input->bytes));
    }
  };
  return strategy;
}

}  // namespace sluice::bench
