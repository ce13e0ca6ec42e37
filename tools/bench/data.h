// The bytes that experiments write and read: functions that make them, check them and drop their
// cache.
//
// All of it runs outside the timed part. Failures throw std::runtime_error with one clear line.
// Threads: one thread at a time may use a Hasher. The functions may run at the same time.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/pattern.h"

namespace sluice::bench {

// The 64-bit hash XXH3 of bytes that come piece by piece.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void update(const void* data, std::size_t bytes);
  std::uint64_t digest() const;  // of all bytes so far; more may follow

 private:
  XXH3_state_t* state_;
};

std::uint64_t hash_bytes(const void* data, std::size_t bytes);
std::uint64_t hash_file(const std::string& path);

// Throws unless the file at `path` has this size and this hash.
void expect_file(const std::string& path, std::uint64_t bytes, std::uint64_t hash);

// The hash of byte_at(0) .. byte_at(bytes - 1), without a file.
std::uint64_t hash_pattern(std::uint64_t bytes);

// Creates or replaces the file at `path` with byte_at(0) .. byte_at(bytes - 1).
void make_pattern_file(const std::string& path, std::uint64_t bytes);

// Drops the file's bytes from the operating system's cache. On tmpfs they stay, because tmpfs has
// no other place for them. Written bytes are synchronized first, because dirty pages cannot be
// dropped.
void drop_cache(const std::string& path);

}  // namespace sluice::bench
