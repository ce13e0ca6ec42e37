#include "core/journal_format.h"

#include <algorithm>
#include <span>

#include "backend/crc32c.h"

namespace sluice {
namespace {

constexpr std::string_view older_magic = "sluice journal 1";
// Bytes of a header that its checksum covers.
constexpr std::size_t summed_bytes = journal_magic.size() + file_id_bytes;
constexpr std::size_t checksum_bytes = 4;
// With fewer right bytes of the magic the file counts as another kind of file, because a text may
// share some bytes by chance.
constexpr std::size_t min_right_bytes = 12;

template <typename Number>
void store_number(Number number, std::byte* into) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    into[i] = static_cast<std::byte>(number >> (8 * i));
  }
}

template <typename Number>
Number load_number(const std::byte* from) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number |= std::to_integer<Number>(from[i]) << (8 * i);
  }
  return number;
}

bool starts_with(BytesView bytes, std::string_view text) {
  const BytesView expected = std::as_bytes(std::span(text));
  return bytes.size() >= expected.size() &&
         std::equal(expected.begin(), expected.end(), bytes.begin());
}

bool is_zero(std::byte byte) { return byte == std::byte{0}; }

// Tells whether these bytes are an interrupted header: parts of a header, and zeros where the disk
// got the file's size but not its bytes.
bool is_torn(BytesView file) {
  if (file.size() > journal_header_bytes) return false;
  const BytesView magic = std::as_bytes(std::span(journal_magic));
  const auto is_own = [](std::byte byte, std::byte own) { return byte == own || is_zero(byte); };
  const BytesView first = file.first(std::min(file.size(), magic.size()));
  if (!std::equal(first.begin(), first.end(), magic.begin(), is_own)) return false;
  const BytesView last = file.subspan(std::min(file.size(), summed_bytes + checksum_bytes));
  return std::all_of(last.begin(), last.end(), is_zero);
}

std::array<std::byte, journal_header_bytes> header_with(BytesView id) {
  std::array<std::byte, journal_header_bytes> header{};
  const BytesView magic = std::as_bytes(std::span(journal_magic));
  std::copy(id.begin(), id.end(), std::copy(magic.begin(), magic.end(), header.begin()));
  const std::uint32_t checksum = crc32c(0, BytesView(header).first(summed_bytes));
  store_number(checksum, header.data() + summed_bytes);
  return header;
}

// Tells whether these bytes are a damaged header. There are at least as many bytes as in a header.
bool was_header(BytesView bytes) {
  const BytesView id = bytes.subspan(journal_magic.size(), file_id_bytes);
  const auto header = header_with(id);
  const auto right_bytes = [&bytes, &header](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (bytes[i] == header[i]) ++count;
    }
    return count;
  };
  return right_bytes(0, journal_magic.size()) >= min_right_bytes ||
         right_bytes(summed_bytes, summed_bytes + checksum_bytes) == checksum_bytes;
}

}  // namespace

JournalFormat::JournalFormat(const FileId& id) : id_(id), id_checksum_(crc32c(0, id)) {}

std::array<std::byte, journal_header_bytes> JournalFormat::header() const {
  return header_with(id_);
}

std::array<std::byte, record_head_bytes> JournalFormat::head(std::uint64_t position,
                                                             std::size_t payload_bytes,
                                                             std::uint32_t payload_checksum) const {
  const auto length = static_cast<std::uint32_t>(payload_bytes);
  std::array<std::byte, 16> summed;
  store_number(position, summed.data());
  store_number(length, summed.data() + 8);
  store_number(payload_checksum, summed.data() + 12);
  std::array<std::byte, record_head_bytes> head;
  store_number(length, head.data());
  store_number(crc32c(id_checksum_, summed), head.data() + 4);
  return head;
}

std::array<std::byte, mark_bytes> JournalFormat::mark(std::uint64_t position,
                                                      std::uint64_t durable) const {
  std::array<std::byte, mark_bytes> mark;
  store_number(position, mark.data() + record_head_bytes);
  store_number(durable, mark.data() + record_head_bytes + 8);
  const auto own = head(position, mark_length, crc32c(0, std::span(mark).subspan<8>()));
  std::copy(own.begin(), own.end(), mark.begin());
  return mark;
}

bool JournalFormat::is_mark(BytesView bytes, std::uint64_t& position,
                            std::uint64_t& durable) const {
  if (length_in_head(bytes) != mark_length) return false;
  position = load_number<std::uint64_t>(bytes.data() + record_head_bytes);
  durable = load_number<std::uint64_t>(bytes.data() + record_head_bytes + 8);
  // The numbers are checked before the checksum is computed: a position of all ff bytes would lie
  // past the end of every file.
  if (durable > position || position >> 63 != 0) return false;
  const auto own = mark(position, durable);
  return std::equal(own.begin(), own.end(), bytes.begin());
}

std::uint32_t length_in_head(BytesView head) { return load_number<std::uint32_t>(head.data()); }

HeaderState state_of_header(BytesView bytes) {
  const bool is_long = bytes.size() >= journal_header_bytes;
  if (is_long) {
    const auto header = header_with(bytes.subspan(journal_magic.size(), file_id_bytes));
    if (std::equal(header.begin(), header.end(), bytes.begin())) return HeaderState::whole;
  }
  if (is_torn(bytes)) return HeaderState::torn;
  if (starts_with(bytes, older_magic)) return HeaderState::older;
  return is_long && was_header(bytes) ? HeaderState::damaged : HeaderState::other;
}

JournalFormat::FileId id_in_header(BytesView header) {
  JournalFormat::FileId id;
  const BytesView found = header.subspan(journal_magic.size(), file_id_bytes);
  std::copy(found.begin(), found.end(), id.begin());
  return id;
}

}  // namespace sluice
