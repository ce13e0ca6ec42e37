// The bytes that experiments write and read: making them, checking them, dropping their cache.
//
// Everything here runs outside the timed part. Failures throw std::runtime_error with one clear
// line. Threads: a Hasher belongs to one thread; the functions are independent of each other.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice::bench {

// XXH3, 64 bits, fed piece by piece.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void update(const void* data, std::size_t bytes);
  std::uint64_t digest() const;  // of everything up to here; more may follow

 private:
  XXH3_state_t* state_;
};

std::uint64_t hash_bytes(const void* data, std::size_t bytes);
std::uint64_t hash_file(const std::string& path);

// Throws unless the file at `path` has this size and this hash.
void expect_file(const std::string& path, std::uint64_t bytes, std::uint64_t hash);

// The deterministic pattern that most experiments write. It repeats every 64 KiB: bytes lost,
// doubled or altered show in the hash; the order of whole 64 KiB blocks does not.
inline unsigned char byte_at(std::uint64_t i) {
  return static_cast<unsigned char>((i ^ (i >> 8)) & 0xff);
}

// The hash of byte_at(0) .. byte_at(bytes - 1), without a file.
std::uint64_t hash_pattern(std::uint64_t bytes);

// Creates or replaces the file at `path` with byte_at(0) .. byte_at(bytes - 1).
void make_pattern_file(const std::string& path, std::uint64_t bytes);

// Puts the file's bytes out of the operating system's cache (on tmpfs, which is nothing but cache,
// they stay). Written bytes are synchronized first, because dirty pages cannot be dropped.
void drop_cache(const std::string& path);

}  // namespace sluice::bench
