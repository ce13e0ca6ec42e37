#include "core/journal_records.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "backend/crc32c.h"
#include "sluice/journal.h"

namespace sluice {
namespace {

constexpr std::size_t least_block_bytes = 256 * 1024;
constexpr std::size_t length_bytes = 4;

void store_number(std::uint32_t number, std::byte* into) {
  for (int i = 0; i < 4; ++i) into[i] = static_cast<std::byte>(number >> (8 * i));
}

std::uint32_t load_number(const std::byte* from) {
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i) number |= std::to_integer<std::uint32_t>(from[i]) << (8 * i);
  return number;
}

bool begins_with_header(ConstBytes bytes) {
  return bytes.size() >= journal_header.size() &&
         std::memcmp(bytes.data(), journal_header.data(), journal_header.size()) == 0;
}

// All of a file that a power cut has kept from being created: of the header what there is, and
// zeros where the disk knew of the size and not of the bytes.
bool is_torn_header(ConstBytes file) {
  if (file.size() > journal_header.size()) return false;
  const ConstBytes header = std::as_bytes(std::span(journal_header));
  return std::equal(file.begin(), file.end(), header.begin(), [](std::byte byte, std::byte own) {
    return byte == own || byte == std::byte{0};
  });
}

}  // namespace

Status other_framing(std::string_view path, std::string_view framing) {
  const std::string reason = "the file was not written with framing=" + std::string(framing);
  return Status::failure(Operation::open, path, EINVAL, std::nullopt, reason);
}

std::array<std::byte, record_head_bytes> head_of_record(ConstBytes payload) {
  std::array<std::byte, record_head_bytes> head;
  store_number(static_cast<std::uint32_t>(payload.size()), head.data());
  const std::uint32_t checksum = crc32c(crc32c(0, ConstBytes(head).first(length_bytes)), payload);
  store_number(checksum, head.data() + length_bytes);
  return head;
}

Status RecordScanner::read_header(Header& header) {
  header = Header::whole;
  if (position_ != 0) return {};
  bool has_more = false;
  if (Status status = look(journal_header.size() + 1, has_more); !status.ok()) return status;
  if (begins_with_header(pending())) {
    take(journal_header.size());
  } else {
    header = is_torn_header(pending()) ? Header::torn : Header::other;
  }
  return {};
}

Status RecordScanner::next(ConstBytes& payload, bool& found) {
  found = false;
  Status status = find(payload, found);
  if (!found) end_ = begin_;  // the next call reads it again: it may have been written meanwhile
  return status;
}

Status RecordScanner::find(ConstBytes& payload, bool& found) {
  Header header;
  if (Status status = read_header(header); !status.ok()) return status;
  if (header == Header::other) return other_framing(file_.path(), "length_crc32c");
  if (header == Header::torn) return {};

  bool there = false;
  if (Status status = look(record_head_bytes, there); !status.ok() || !there) return status;
  const std::size_t length = load_number(pending().data());
  if (length > Journal::most_record_bytes) return {};
  if (Status status = look(record_head_bytes + length, there); !status.ok() || !there) {
    return status;
  }
  payload = pending().subspan(record_head_bytes, length);
  const std::array<std::byte, record_head_bytes> head = head_of_record(payload);
  if (std::memcmp(head.data(), pending().data(), head.size()) != 0) return {};
  found = true;
  take(record_head_bytes + length);
  return {};
}

void RecordScanner::take(std::size_t bytes) {
  begin_ += bytes;
  position_ += bytes;
}

// Has `bytes` bytes from position() on in pending(), if the file has as many; else what it has.
Status RecordScanner::look(std::size_t bytes, bool& there) {
  there = false;
  if (!make_room(bytes)) {
    return Status::failure(Operation::allocate, file_.path(), ENOMEM, position_);
  }
  for (std::size_t got = 1; end_ - begin_ < bytes && got != 0; end_ += got) {
    const MutableBytes room(block_.data() + end_, block_.bytes() - end_);
    const Status status = file_.read_at(position_ + (end_ - begin_), room, got);
    if (!status.ok()) return status;
  }
  there = end_ - begin_ >= bytes;
  return {};
}

// For `bytes` bytes behind begin_, those that are pending among them.
bool RecordScanner::make_room(std::size_t bytes) {
  if (block_.bytes() - begin_ >= bytes) return true;
  const ConstBytes kept = pending();
  Block larger;
  if (block_.bytes() < bytes) {
    larger = Block::allocate(std::max(bytes, least_block_bytes));
    if (!larger) return false;
  }
  std::byte* target = larger ? larger.data() : block_.data();
  if (!kept.empty()) std::memmove(target, kept.data(), kept.size());
  if (larger) block_ = std::move(larger);
  begin_ = 0;
  end_ = kept.size();
  return true;
}

}  // namespace sluice
