#include "object/checked_read.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <span>

namespace sluice::object {
namespace {

// Bytes arrive in order, so the last ones of a range are missing first. Few files end in 0xf6: no
// text in UTF-8 has this byte, and it is rare as the last byte of a number.
constexpr auto mark = std::to_array<std::uint8_t>({0x9b, 0x3d, 0xe1, 0x57, 0xac, 0x12, 0xc8, 0x74,
                                                   0x2f, 0xd5, 0x86, 0x4e, 0xb3, 0x69, 0x1a, 0xf6});

constexpr std::size_t asked_again = 4096;

std::byte mark_from_end(std::size_t i) { return std::byte{mark[mark.size() - 1 - i]}; }

void set_mark(std::span<std::byte> memory) {
  const std::size_t count = std::min(memory.size(), mark.size());
  for (std::size_t i = 0; i < count; ++i) memory[memory.size() - 1 - i] = mark_from_end(i);
}

// The number of bytes at the end that are as set_mark() has left them.
std::size_t marked_bytes(std::span<const std::byte> memory) {
  const std::size_t count = std::min(memory.size(), mark.size());
  std::size_t same = 0;
  while (same < count && memory[memory.size() - 1 - same] == mark_from_end(same)) ++same;
  return same;
}

// Asks again for the end of a range, into memory whose last `doubtful` bytes have other values than
// before. True if the bytes are the same. (The library of S3 cannot take a message of the store
// into memory that is smaller than the message, so the request is for more than these bytes.)
arrow::Result<bool> has_come(arrow::io::RandomAccessFile& file, std::int64_t position,
                             std::span<const std::byte> memory, std::size_t doubtful) {
  std::array<std::byte, asked_again> space;
  const std::span again = std::span(space).first(std::min(space.size(), memory.size()));
  const std::span expected = memory.last(doubtful);
  std::ranges::transform(expected, again.last(doubtful).begin(),
                         [](std::byte byte) { return ~byte; });
  const auto count = static_cast<std::int64_t>(again.size());
  const auto end = position + static_cast<std::int64_t>(memory.size());
  ARROW_ASSIGN_OR_RAISE(const std::int64_t got, file.ReadAt(end - count, count, again.data()));
  return got == count && std::ranges::equal(expected, again.last(doubtful));
}

}  // namespace

arrow::Result<std::int64_t> read_checked(arrow::io::RandomAccessFile& file, std::int64_t position,
                                         std::int64_t bytes, std::byte* out) {
  const std::span memory(out, static_cast<std::size_t>(bytes));
  set_mark(memory);
  ARROW_ASSIGN_OR_RAISE(const std::int64_t got, file.ReadAt(position, bytes, out));
  const std::size_t doubtful = got == bytes ? marked_bytes(memory) : 0;
  if (doubtful == 0) return got;
  ARROW_ASSIGN_OR_RAISE(const bool is_whole, has_come(file, position, memory, doubtful));
  return is_whole ? got : bytes - static_cast<std::int64_t>(doubtful);
}

}  // namespace sluice::object
