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

// A string has to be zero-filled before it is read into. In pieces of this size that happens in the
// second-level cache, right before the kernel copies over the zeros.
inline constexpr std::size_t string_piece_bytes = 256 * 1024;

// The two kinds of memory that a whole file is read into, under the same names.
inline bool resize(Bytes& memory, std::size_t bytes) { return memory.resize(bytes); }
inline bool reserve(Bytes& memory, std::size_t bytes) { return memory.reserve(bytes); }
inline std::byte* data(Bytes& memory) { return memory.data(); }
constexpr std::size_t piece_bytes(const Bytes&) { return std::numeric_limits<std::size_t>::max(); }

// A string that finds no memory throws std::bad_alloc, and holds what it held.
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

// Calls `read(position, into, got)`, which is to fetch what follows the `position` bytes in `out`,
// until it gives 0 bytes or fails. `out` then holds what was there and what was read. The offset of
// a failure for want of memory is the size of `out`.
template <typename Memory, typename Read>
Status read_to_end(std::string_view path, Memory& out, Read read) {
  for (;;) {
    const std::size_t size = out.size();
    std::size_t room = out.capacity() - size;
    if (room == 0) room = std::max(size / 2, min_growth_bytes);
    room = std::min(room, piece_bytes(out));
    if (!resize(out, size + room)) {
      return Status::failure(Operation::allocate, path, ENOMEM, size);
    }
    std::size_t got = 0;
    Status status = read(size, {data(out) + size, room}, got);
    static_cast<void>(resize(out, size + got));  // smaller: cannot fail
    if (!status.ok() || got == 0) return status;
  }
}

}  // namespace sluice
