// read_to_end: all bytes that are left, into memory that grows with them.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "sluice/bytes.h"
#include "sluice/status.h"

namespace sluice {

inline constexpr std::size_t min_growth_bytes = 64 * 1024;

// A string has to be zero-filled before bytes are read into it. With pieces of this size the zeros
// are still in the second-level cache when the kernel copies over them.
inline constexpr std::size_t string_piece_bytes = 256 * 1024;

// A whole file is read into a Bytes or a string. These functions have the same names for both.
inline bool resize(Bytes& memory, std::size_t bytes) { return memory.resize(bytes); }
inline bool reserve(Bytes& memory, std::size_t bytes) { return memory.reserve(bytes); }
inline std::byte* data(Bytes& memory) { return memory.data(); }
constexpr std::size_t piece_bytes(const Bytes&) { return std::numeric_limits<std::size_t>::max(); }

// If there is no memory for a string, these throw std::bad_alloc, and the string stays as it was.
inline bool reserve(std::string& memory, std::size_t bytes) {
  if (bytes <= memory.capacity()) return true;
  if (bytes >= memory.max_size()) return false;
  memory.reserve(bytes);
  return true;
}
inline bool resize(std::string& memory, std::size_t bytes) {
  if (!reserve(memory, bytes)) return false;
  memory.resize(bytes);
  return true;
}
inline std::byte* data(std::string& memory) { return reinterpret_cast<std::byte*>(memory.data()); }
constexpr std::size_t piece_bytes(const std::string&) { return string_piece_bytes; }

// Calls `read(position, into, got)` until `read` gives 0 bytes or fails. Each call must fetch the
// bytes that follow the `position` bytes in `out`. At the end `out` holds its old bytes and after
// them the bytes that were read. If memory runs out, the offset of the failure is the size of
// `out`.
template <typename Memory, typename Read>
Status read_to_end(std::string_view path, Memory& out, Read read) {
  std::size_t size = out.size();  // the bytes after these are room, which a string has filled once
  for (;;) {
    if (size == out.size()) {
      std::size_t room = out.capacity() - size;
      if (room == 0) room = std::max(size / 2, min_growth_bytes);
      if (!resize(out, size + std::min(room, piece_bytes(out)))) {
        return Status::failure(Operation::allocate, path, ENOMEM, size);
      }
    }
    std::size_t got = 0;
    Status status = read(size, {data(out) + size, out.size() - size}, got);
    size += got;
    if (!status.ok() || got == 0) {
      static_cast<void>(resize(out, size));  // never larger than before: cannot fail
      return status;
    }
  }
}

}  // namespace sluice
