#include "compression/seek_table.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "sluice/checksum.h"

namespace sluice {
namespace {

constexpr std::uint32_t skippable_magic = 0x184D2A5E;
constexpr std::uint32_t table_magic = 0x8F92EAB1;
constexpr std::uint32_t protecting_magic = 0x184D2A5C;
constexpr std::uint32_t protecting_name = 0x54434C53;  // "SLCT"
constexpr std::size_t header_bytes = 8;
constexpr std::size_t entry_bytes = 8;
constexpr std::uint32_t protecting_bytes = 16;
constexpr std::size_t begin_bytes = protecting_bytes + header_bytes;

void put_number(std::string& to, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t number_at(BytesView bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= std::to_integer<std::uint32_t>(bytes[at + i]) << 8 * i;
  }
  return value;
}

BytesView view_of(const std::string& text) { return std::as_bytes(std::span(text)); }

bool is_protecting_frame(BytesView frame) {
  return number_at(frame, 0) == protecting_magic && number_at(frame, 4) == header_bytes &&
         number_at(frame, 8) == protecting_name;
}

// The frame that follows `frame`, which has the entry at `at`.
SeekTable::Frame frame_behind(const SeekTable::Frame& frame, BytesView encoded, std::size_t at) {
  return {frame.compressed_position + number_at(encoded, at),
          frame.position + number_at(encoded, at + 4)};
}

}  // namespace

bool NewSeekTable::add(std::uint32_t compressed_bytes, std::uint32_t bytes) {
  if (frames_ == max_frames_) entries_ = Bytes();
  if (frames_ < max_frames_) {
    std::string entry;
    put_number(entry, compressed_bytes);
    put_number(entry, bytes);
    const std::size_t at = entries_.size();
    if (!entries_.resize(at + entry_bytes)) return false;
    std::memcpy(entries_.data() + at, entry.data(), entry_bytes);
  }
  ++frames_;
  return true;
}

std::array<BytesView, 3> NewSeekTable::encode() {
  if (frames_ > max_frames_) return {};
  std::string header;
  put_number(header, skippable_magic);
  put_number(header,
             static_cast<std::uint32_t>(entries_.size() + entry_bytes + SeekTable::footer_bytes));
  end_.clear();
  put_number(end_, protecting_bytes);
  put_number(end_, 0);
  put_number(end_, static_cast<std::uint32_t>(frames_ + 1));
  end_ += '\0';
  put_number(end_, table_magic);
  Crc32c crc;
  for (const BytesView part : {view_of(header), BytesView(entries_), view_of(end_)}) crc.add(part);
  begin_.clear();
  for (const std::uint32_t number :
       {protecting_magic, std::uint32_t{header_bytes}, protecting_name, crc.value()}) {
    put_number(begin_, number);
  }
  begin_ += header;
  return {view_of(begin_), entries_, view_of(end_)};
}

std::uint64_t SeekTable::encoded_bytes(BytesView footer) {
  if (number_at(footer, 5) != table_magic || number_at(footer, 0) > max_frames + 1) return 0;
  return begin_bytes + std::uint64_t{number_at(footer, 0)} * entry_bytes + footer_bytes;
}

bool SeekTable::decode(Bytes encoded, std::uint64_t file_bytes) {
  const BytesView all = encoded;
  if (all.size() < begin_bytes + footer_bytes || !is_protecting_frame(all)) return false;
  const BytesView table = all.subspan(protecting_bytes);
  Crc32c crc;
  crc.add(table);
  if (number_at(all, 12) != crc.value()) return false;
  if (number_at(table, 0) != skippable_magic ||
      number_at(table, 4) != table.size() - header_bytes) {
    return false;
  }
  const std::size_t frames = (all.size() - begin_bytes - footer_bytes) / entry_bytes;
  std::vector<Frame> marks;
  marks.reserve(frames / frames_of_a_mark + 1);
  Frame next{};
  for (std::size_t i = 0; i < frames; ++i) {
    if (i % frames_of_a_mark == 0) marks.push_back(next);
    const Frame behind = frame_behind(next, all, begin_bytes + i * entry_bytes);
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
    const Frame next = frame_behind(frame, encoded_, begin_bytes + i * entry_bytes);
    if (next.position > position) break;
    frame = next;
  }
  return frame;
}

}  // namespace sluice
