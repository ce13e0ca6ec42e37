#include "compression/other_formats.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "compression/little_endian.h"

namespace sluice {
namespace {

// A file of the format has `magic` in those bits of its first 4 bytes that `mask` names.
struct Format {
  std::string_view name;
  std::uint32_t magic;
  std::uint32_t mask;
  bool is_written;  // by this library
};

// The codecs know their formats too. This list has them without the libraries of the codecs. A
// series has a fourth byte, the type, whose upper two bits are 0.
constexpr Format formats[] = {
    {"zstd", 0xFD2FB528, 0xFFFF'FFFF, true},
    {"lz4", 0x184D2204, 0xFFFF'FFFF, true},
    {"a sluice series", 0x004C53E5, 0xC0FF'FFFF, true},
    {"zstd or lz4", 0x184D2A50, 0xFFFF'FFF0, true},  // a skippable frame
    {"gzip", 0x0008'8B1F, 0xE0FF'FFFF, false},
    {"lz4 -l, the old format of lz4", 0x184C2102, 0xFFFF'FFFF, false},
};

// The bits of `number` in which it differs from the first `bytes` bytes of the format's files.
std::uint32_t difference(const Format& format, std::uint32_t number, std::size_t bytes) {
  const std::uint32_t given = bytes >= 4 ? ~0u : (1u << 8 * bytes) - 1;
  return ((number & format.mask) ^ format.magic) & given;
}

Status unknown(const std::string& path, const Format& format) {
  return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                         "the file is compressed by " + std::string(format.name) +
                             ", which is not among the codecs of this Reader");
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
    if (format.is_written && std::popcount(difference(format, number, bytes)) == 1) {
      return damaged(path, "the first bytes are damaged: but for one bit they are those of ",
                     format);
    }
  }
  return {};
}

}  // namespace sluice
