#include "mpi/part_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sluice {
namespace {

constexpr std::size_t searched_bytes = 64 * 1024;  // of one read, in search of a newline

Status became_shorter(const SharedFile& file, std::uint64_t position) {
  return Status::failure(Operation::read, file.path(), EIO, position,
                         "the file has become shorter since it was opened, or cannot be read");
}

}  // namespace

// A failure names the position in the part, as the Reader does.
Status PartSource::read(std::uint64_t position, MutableBytesView into, std::size_t& got) {
  got = 0;
  const std::uint64_t part_bytes = part_.end - part_.begin;
  if (position >= part_bytes) return {};
  const auto room =
      static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), part_bytes - position));
  Status status = file_.read(part_.begin + position, into.first(room), got);
  if (status.ok() && got == 0) status = became_shorter(file_, position);
  return status.ok() ? status : status.at(position);
}

Status PartSource::size(std::uint64_t& bytes) {
  bytes = part_.end - part_.begin;
  return {};
}

// The byte before `from` tells whether a line begins there.
Status find_line(SharedFile& file, std::uint64_t from, std::uint64_t file_bytes,
                 std::uint64_t& begin) {
  begin = from;
  if (from == 0 || from >= file_bytes) return {};
  Bytes block;
  if (!block.resize(searched_bytes)) {
    return Status::failure(Operation::allocate, file.path(), ENOMEM);
  }
  for (begin = from - 1; begin < file_bytes;) {
    const std::size_t room =
        static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), file_bytes - begin));
    std::size_t got = 0;
    Status status = file.read(begin, MutableBytesView(block.data(), room), got);
    if (!status.ok()) return status;
    if (got == 0) return became_shorter(file, begin);
    const void* const newline = std::memchr(block.data(), '\n', got);
    if (newline != nullptr) {
      begin +=
          static_cast<std::uint64_t>(static_cast<const std::byte*>(newline) - block.data()) + 1;
      return {};
    }
    begin += got;
  }
  return {};
}

}  // namespace sluice
