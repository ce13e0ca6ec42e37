#include "compression/other_formats.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "compression/little_endian.h"
#include "compression/magic.h"

namespace sluice {
namespace {

// A file of the format has `magic` in those bits of its first 4 bytes that `mask` names.
struct Format {
  std::string_view name;
  std::uint32_t magic;
  std::uint32_t mask;
  bool is_written;  // by this library
};

// The codecs know their formats too. This list has them without the libraries of the codecs. A file
// without bytes, which this library writes, begins with a certain skippable frame.
constexpr Format formats[] = {
    {"zstd", zstd_magic, whole_magic, true},
    {"lz4", lz4_magic, whole_magic, true},
    {"a sluice series", series_magic, series_mask, true},
    {"zstd or lz4", skippable_magic, skippable_mask, false},
    {"a sluice file without bytes", protecting_magic, whole_magic, true},
    {"gzip", gzip_magic, gzip_mask, false},
    {"lz4 -l, the old format of lz4", old_lz4_magic, whole_magic, false},
};

// The fourth byte of a series. Without it a text that begins with "eSL" would count as damaged.
constexpr bool is_type(std::uint32_t byte) {
  const std::uint32_t size = byte & 15;
  const std::uint32_t kind = byte >> 4;
  return std::has_single_bit(size) && kind >= 1 && kind <= 3 && (kind != 3 || size >= 4);
}

constexpr bool has_one_wrong_bit(const Format& format, std::uint32_t number) {
  if (std::popcount((number & format.mask) ^ format.magic) != 1) return false;
  return format.mask == whole_magic || is_type(number >> 24);
}

// The bits of `number` in which it differs from the first `bytes` bytes of the format's files.
std::uint32_t difference(const Format& format, std::uint32_t number, std::size_t bytes) {
  const std::uint32_t given = bytes >= 4 ? ~0u : (1u << 8 * bytes) - 1;
  return ((number & format.mask) ^ format.magic) & given;
}

Status unknown(const std::string& path, const Format& format) {
  const std::string_view why = format.magic == old_lz4_magic
                                   ? ", which sluice does not read: use lz4 -d"
                                   : ", which is not among the codecs of this Reader";
  return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                         "the file is compressed by " + std::string(format.name).append(why));
}

Status damaged(const std::string& path, std::string_view damage, const Format& format) {
  return Status::failure(Operation::open, path, EBADMSG, 0,
                         std::string(damage) + std::string(format.name));
}

}  // namespace

Status refuse_unless_plain(BytesView beginning, const std::string& path) {
  // One byte is too little to tell.
  if (beginning.size() < 2) return {};
  std::byte first[4] = {};
  const std::size_t bytes = std::min(beginning.size(), sizeof first);
  std::ranges::copy(beginning.first(bytes), first);
  const std::uint32_t number = number_at(first);
  for (const Format& format : formats) {
    if (difference(format, number, bytes) != 0) continue;
    if (bytes == sizeof first) return unknown(path, format);
    return damaged(path, "the file ends within the first bytes of ", format);
  }
  if (bytes < sizeof first) return {};
  for (const Format& format : formats) {
    if (format.is_written && has_one_wrong_bit(format, number)) {
      return damaged(path, "the first bytes are damaged: but for one bit they are those of ",
                     format);
    }
  }
  return {};
}

}  // namespace sluice
