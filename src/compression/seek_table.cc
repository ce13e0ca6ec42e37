#include "compression/seek_table.h"

#include <algorithm>
#include <utility>

#include "compression/little_endian.h"
#include "compression/magic.h"
#include "sluice/checksum.h"

namespace sluice {
namespace {

constexpr std::uint32_t footer_magic = 0x8F92EAB1;
constexpr std::uint32_t protecting_name = 0x54434C53;  // "SLCT"
constexpr std::size_t header_bytes = 8;                // of a skippable frame
constexpr std::size_t entry_bytes = 8;
constexpr std::uint32_t protecting_bytes = 16;
constexpr std::size_t begin_bytes = protecting_bytes + header_bytes;

bool is_protecting_frame(const std::byte* frame) {
  return number_at(frame) == protecting_magic && number_at(frame + 4) == header_bytes &&
         number_at(frame + 8) == protecting_name;
}

// The frame that follows `frame`, which has this entry.
SeekTable::Frame frame_behind(const SeekTable::Frame& frame, const std::byte* entry) {
  return {frame.compressed_position + number_at(entry), frame.position + number_at(entry + 4)};
}

}  // namespace

bool NewSeekTable::add(std::uint32_t compressed_bytes, std::uint32_t bytes) {
  if (frames_ == max_frames_) entries_ = Bytes();
  if (frames_ < max_frames_) {
    const std::size_t at = entries_.size();
    if (!entries_.resize(at + entry_bytes)) return false;
    put_number(put_number(entries_.data() + at, compressed_bytes, 4), bytes, 4);
  }
  ++frames_;
  return true;
}

std::array<BytesView, 3> NewSeekTable::encode() {
  if (frames_ > max_frames_) return {};
  const std::size_t table_bytes = entries_.size() + entry_bytes + SeekTable::footer_bytes;
  std::byte* const header = begin_.data() + protecting_bytes;
  put_number(put_number(header, seek_table_magic, 4), table_bytes, 4);
  std::byte* to = end_.data();
  to = put_number(put_number(to, protecting_bytes, 4), 0, 4);  // the entry of the protecting frame
  to = put_number(put_number(to, frames_ + 1, 4), 0, 1);
  put_number(to, footer_magic, 4);
  Crc32c crc;
  for (const BytesView part :
       {BytesView(header, header_bytes), BytesView(entries_), BytesView(end_)}) {
    crc.add(part);
  }
  to = put_number(put_number(begin_.data(), protecting_magic, 4), header_bytes, 4);
  put_number(put_number(to, protecting_name, 4), crc.value(), 4);
  return {begin_, entries_, end_};
}

std::uint64_t SeekTable::encoded_bytes(BytesView footer) {
  const std::uint32_t frames = number_at(footer.data());
  if (number_at(footer.data() + 5) != footer_magic || frames > max_frames + 1) return 0;
  return begin_bytes + std::uint64_t{frames} * entry_bytes + footer_bytes;
}

bool SeekTable::decode(Bytes encoded, std::uint64_t file_bytes) {
  const BytesView all = encoded;
  if (all.size() < begin_bytes + footer_bytes || !is_protecting_frame(all.data())) return false;
  const BytesView table = all.subspan(protecting_bytes);
  Crc32c crc;
  crc.add(table);
  if (number_at(all.data() + 12) != crc.value()) return false;
  if (number_at(table.data()) != seek_table_magic ||
      number_at(table.data() + 4) != table.size() - header_bytes) {
    return false;
  }
  const std::size_t frames = (all.size() - begin_bytes - footer_bytes) / entry_bytes;
  std::vector<Frame> marks;
  marks.reserve(frames / frames_of_a_mark + 1);
  Frame next{};
  for (std::size_t i = 0; i < frames; ++i) {
    if (i % frames_of_a_mark == 0) marks.push_back(next);
    const Frame behind = frame_behind(next, all.data() + begin_bytes + i * entry_bytes);
    const bool is_made_of_nothing = behind.compressed_position == next.compressed_position;
    if (is_made_of_nothing && behind.position != next.position) return false;
    next = behind;
  }
  // The last frame in the table is the protecting one.
  if (next.compressed_position + table.size() != file_bytes) return false;
  encoded_ = std::move(encoded);
  marks_ = std::move(marks);
  frames_ = frames;
  bytes_ = next.position;
  return true;
}

bool SeekTable::has_end_at(std::uint64_t position) const {
  return position == bytes_ || frame_at(position).position == position;
}

SeekTable::Frame SeekTable::frame_at(std::uint64_t position) const {
  const auto after = std::upper_bound(
      marks_.begin(), marks_.end(), position,
      [](std::uint64_t value, const Frame& frame) { return value < frame.position; });
  if (after == marks_.begin()) return {};
  Frame frame = *std::prev(after);
  auto i = static_cast<std::size_t>(after - marks_.begin() - 1) * frames_of_a_mark;
  for (; i + 1 < frames_; ++i) {
    const Frame next = frame_behind(frame, encoded_.data() + begin_bytes + i * entry_bytes);
    if (next.position > position) break;
    frame = next;
  }
  return frame;
}

}  // namespace sluice
