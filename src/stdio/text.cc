#include "stdio/text.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "stdio/descriptor.h"

namespace sluice::stdio {
namespace {

constexpr std::size_t local_bytes = 4096;
constexpr std::size_t max_piece_bytes = 131072;

// Removes each '\r' that is followed by '\n'. Returns how many bytes are left.
std::size_t remove_returns(unsigned char* begin, std::size_t bytes) {
  const unsigned char* const end = begin + bytes;
  unsigned char* to = begin;
  for (const unsigned char* at = begin; at != end;) {
    const void* const found = std::memchr(at, '\r', static_cast<std::size_t>(end - at));
    const auto* const stop = found != nullptr ? static_cast<const unsigned char*>(found) : end;
    std::memmove(to, at, static_cast<std::size_t>(stop - at));
    to += stop - at;
    at = stop;
    if (at == end) break;
    if (at + 1 == end || at[1] != '\n') *to++ = '\r';
    ++at;
  }
  return static_cast<std::size_t>(to - begin);
}

// Reads until the block has at least one byte that is known to be whole.
bool fill_block(Stream& stream, std::size_t& kept) {
  std::size_t bytes = 0;
  if (stream.holds_return) stream.begin[bytes++] = '\r';
  kept = 0;
  while (kept == 0) {
    const std::size_t wanted = stream.buffering == Buffering::none
                                   ? 1
                                   : std::min(stream.fetch_bytes, stream.block_bytes - bytes);
    std::size_t got = 0;
    if (!read_through(stream, stream.begin + bytes, wanted, got)) return false;
    bytes += got;
    stream.holds_return = got != 0 && stream.begin[bytes - 1] == '\r';
    kept = remove_returns(stream.begin, bytes - (stream.holds_return ? 1 : 0));
    if (got == 0) break;
  }
  return true;
}

// Where the byte with this index of the program's bytes begins among the bytes of the file.
std::size_t place_in_file(const unsigned char* raw, std::size_t bytes, std::size_t index) {
  std::size_t place = 0;
  for (; index > 0 && place < bytes; --index) {
    const bool is_pair = raw[place] == '\r' && place + 1 < bytes && raw[place + 1] == '\n';
    place += is_pair ? 2 : 1;
  }
  return place + index;  // the file has become shorter
}

bool read_again(Stream& stream, unsigned char* into, std::size_t bytes, std::size_t& got) {
  for (got = 0; got < bytes;) {
    const std::ptrdiff_t result =
        read_at(stream.descriptor, into + got, bytes - got,
                stream.raw_begin + static_cast<std::int64_t>(got), stream.kernel_position);
    if (result == 0) break;
    if (result < 0) return false;
    got += static_cast<std::size_t>(result);
  }
  return true;
}

std::size_t add_returns(const unsigned char* from, std::size_t bytes, unsigned char* into) {
  unsigned char* to = into;
  for (const unsigned char* at = from; at != from + bytes; ++at) {
    if (*at == '\n') *to++ = '\r';
    *to++ = *at;
  }
  return static_cast<std::size_t>(to - into);
}

// How many of the program's bytes are whole among the first `raw` bytes that they become.
std::size_t whole_bytes(const unsigned char* from, std::size_t bytes, std::size_t raw) {
  std::size_t whole = 0;
  while (whole < bytes) {
    const std::size_t next = from[whole] == '\n' ? 2 : 1;
    if (next > raw) break;
    raw -= next;
    ++whole;
  }
  return whole;
}

}  // namespace

bool fetch_text(Stream& stream) {
  const std::int64_t position = stream.data_position;
  const bool held_return = stream.holds_return;
  drop_data(stream, position);
  stream.holds_return = held_return;
  stream.raw_begin = position - (held_return ? 1 : 0);
  std::size_t kept = 0;
  if (!fill_block(stream, kept)) return false;
  stream.fetch_bytes = std::min(stream.fetch_bytes * 2, stream.block_bytes);
  stream.at_end = kept == 0;
  stream.text_bytes = kept;
  stream.data_end = stream.file.read_limit = stream.begin + kept;
  return kept != 0;
}

bool find_text_position(Stream& stream, const unsigned char* at, std::int64_t& position) {
  const auto left = stream.data_end - at;
  const auto text_bytes = static_cast<std::ptrdiff_t>(stream.text_bytes);
  const std::int64_t raw_end = stream.data_position - (stream.holds_return ? 1 : 0);
  const std::int64_t raw_bytes = raw_end - stream.raw_begin;
  if (left == 0 || raw_bytes == text_bytes) {
    position = std::max<std::int64_t>(raw_end - left, 0);
    return true;
  }
  if (left >= text_bytes) {
    position = std::max<std::int64_t>(stream.raw_begin - (left - text_bytes), 0);
    return true;
  }
  const auto bytes = static_cast<std::size_t>(raw_bytes);
  auto* const raw = static_cast<unsigned char*>(std::malloc(bytes));
  if (raw == nullptr) return false;
  std::size_t got = 0;
  const bool ok = read_again(stream, raw, bytes, got);
  const auto index = static_cast<std::size_t>(text_bytes - left);
  if (ok) {
    position = stream.raw_begin + static_cast<std::int64_t>(place_in_file(raw, got, index));
  }
  std::free(raw);
  return ok;
}

bool write_text(Stream& stream, const unsigned char* from, std::size_t bytes,
                std::size_t& written) {
  unsigned char local[local_bytes];
  std::size_t room = bytes > local_bytes / 2 ? max_piece_bytes : 0;
  auto* const memory = room != 0 ? static_cast<unsigned char*>(std::malloc(room)) : nullptr;
  unsigned char* const into = memory != nullptr ? memory : local;
  if (memory == nullptr) room = sizeof local;
  bool ok = true;
  for (written = 0; ok && written < bytes;) {
    const std::size_t next = std::min(bytes - written, room / 2);
    std::size_t raw_written = 0;
    ok = write_through(stream, into, add_returns(from + written, next, into), raw_written);
    written += ok ? next : whole_bytes(from + written, next, raw_written);
  }
  std::free(memory);
  return ok;
}

std::int64_t bytes_in_file(const unsigned char* from, const unsigned char* end) {
  return (end - from) + std::count(from, end, '\n');
}

}  // namespace sluice::stdio
