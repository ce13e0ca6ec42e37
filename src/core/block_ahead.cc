#include "core/block_ahead.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "os/memory.h"

namespace sluice {
namespace {

// Half a line or a record that is not whole stands here, before the bytes that follow it.
constexpr std::size_t room_for_pending = os::page_bytes;

// A result of Source::end_read(): nothing can end the read.
constexpr std::size_t cannot_wait = SIZE_MAX;

}  // namespace

void BlockAhead::begin(std::uint64_t position, std::size_t bytes) {
  if (is_wanted_ && (is_under_way_ || begin_ != end_)) return;
  wait();
  if (!make_room(room_for_pending + bytes)) return;
  is_under_way_ = source_.begin_read(position, {block_.data() + room_for_pending, bytes});
  is_wanted_ = is_under_way_;
  wanted_bytes_ = bytes;
  position_ = position;
  begin_ = end_ = room_for_pending;
}

// The block that the Reader leaves at the first exchange lies in small pages, so a second block is
// made. A direct read into a huge page is one request to the disk instead of many.
bool BlockAhead::make_room(std::size_t bytes) {
  if (block_.bytes() >= bytes && block_.begins_with_a_huge_page()) return true;
  Block block = Block::allocate_in_huge_pages(bytes);
  if (!block) return false;
  block_ = std::move(block);
  return true;
}

void BlockAhead::wait() {
  if (!std::exchange(is_under_way_, false)) return;
  const std::size_t got = source_.end_read();
  if (got == cannot_wait) {
    block_.abandon();
    begin_ = end_ = 0;
    return;
  }
  const bool is_possible = got <= wanted_bytes_;  // otherwise the program's own Source is wrong
  end_ = begin_ + (is_possible ? got : 0);
}

MutableBytesView BlockAhead::bytes_at(std::uint64_t position) {
  if (!is_wanted_ || position != position_) return {};
  wait();
  return {block_.data() + begin_, end_ - begin_};
}

bool BlockAhead::take(std::uint64_t position, MutableBytesView into, std::size_t& got) {
  const MutableBytesView bytes = bytes_at(position);
  if (bytes.empty()) return false;
  got = std::min(bytes.size(), into.size());
  std::memcpy(into.data(), bytes.data(), got);
  begin_ += got;
  position_ += got;
  return true;
}

void BlockAhead::exchange(Block& block) {
  std::swap(block_, block);
  begin_ = end_;
}

}  // namespace sluice
