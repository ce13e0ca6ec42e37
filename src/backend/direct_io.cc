#include "backend/direct_io.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "backend/pieces.h"
#include "os/memory.h"

namespace sluice {
namespace {

constexpr std::size_t copied_at_once = 256 * 1024;

// Calls `use` with the parts of the pieces that hold `bytes` bytes after the first `skipped` ones.
template <typename Use>
void for_bytes_after(std::span<const BytesView> pieces, std::size_t skipped, std::size_t bytes,
                     Use use) {
  for (const BytesView piece : pieces) {
    const std::size_t before = std::min(skipped, piece.size());
    skipped -= before;
    const BytesView part = piece.subspan(before, std::min(piece.size() - before, bytes));
    if (part.empty()) continue;
    use(part);
    bytes -= part.size();
    if (bytes == 0) return;
  }
}

// The rest of the piece in which the byte after the first `skipped` ones lies.
BytesView piece_after(std::span<const BytesView> pieces, std::size_t skipped) {
  for (const BytesView piece : pieces) {
    if (skipped < piece.size()) return piece.subspan(skipped);
    skipped -= piece.size();
  }
  return {};
}

}  // namespace

Status DirectMemory::prepare(Direct option, const os::File& file) {
  Status status = file.find_direct_alignment(alignment_);
  if (!status.ok()) {
    const bool is_refused = status.code().value() == ENOTSUP;
    return is_refused && option == Direct::if_possible ? Status() : status;
  }
  alignment_.file_bytes = std::max(alignment_.file_bytes, os::page_bytes);
  const std::size_t unit = std::max(alignment_.file_bytes, alignment_.memory_bytes);
  bytes_ = os::round_up(copied_at_once, unit);
  std::size_t room = bytes_ + unit;
  memory_.reset(os::allocate_memory(room));
  if (!memory_) return Status::failure(Operation::allocate, file.path(), ENOMEM);
  void* data = memory_.get();
  data_ = static_cast<std::byte*>(std::align(unit, bytes_, data, room));
  option_ = option;
  return {};
}

Status DirectWrites::set_direct(os::File& file, bool is_direct) {
  if (is_direct == is_direct_) return {};
  Status status = file.set_direct(is_direct);
  if (status.ok()) is_direct_ = is_direct;
  return status;
}

Status DirectWrites::write(os::File& file, std::uint64_t position,
                           std::span<const BytesView> pieces, std::size_t& written,
                           WriteBack& write_back) {
  written = 0;
  const std::size_t bytes = bytes_in(pieces);
  Status status;
  while (written < bytes && status.ok()) {
    std::size_t part = 0;
    status = write_some(file, position + written, pieces, written, bytes - written, part);
    written += part;
    if (status.ok()) status = write_back.patched(std::exchange(cached_bytes_, 0), file);
  }
  return status;
}

// Writes the first `bytes` bytes after `skipped`, or a part of them.
Status DirectWrites::write_some(os::File& file, std::uint64_t position,
                                std::span<const BytesView> pieces, std::size_t skipped,
                                std::size_t bytes, std::size_t& written) {
  const std::size_t unit = memory_.file_alignment();
  const auto beyond = static_cast<std::size_t>(position % unit);
  if (has_given_up_ || beyond != 0 || bytes < unit) {
    const std::size_t most = has_given_up_ ? memory_.copies().size() : unit - beyond;
    const BytesView copied = copy(pieces, skipped, std::min(bytes, most));
    Status status = write_through_cache(file, position, copied, written);
    cached_bytes_ += written;
    return status;
  }
  const BytesView piece = piece_after(pieces, skipped);
  const bool fits = piece.size() >= unit && memory_.is_aligned(piece.data());
  if (fits)
    return write_directly(file, position, piece.first(memory_.whole_bytes(piece.size())), written);
  const std::size_t copied = std::min(memory_.whole_bytes(bytes), memory_.copies().size());
  return write_directly(file, position, copy(pieces, skipped, copied), written);
}

// If the kernel stops short in a page, it refuses the rest of this page. The rest then goes through
// the cache.
Status DirectWrites::write_directly(os::File& file, std::uint64_t position, BytesView bytes,
                                    std::size_t& written) {
  Status status = set_direct(file, true);
  if (status.ok()) status = file.write_at(position, {&bytes, 1}, written);
  if (status.code().value() != EINVAL) return status;
  if (!memory_.is_aligned(position + written)) return {};
  has_given_up_ = memory_.may_give_up();
  return has_given_up_ ? Status() : status;
}

Status DirectWrites::patch(os::File& file, std::uint64_t position, BytesView bytes,
                           std::size_t& written, WriteBack& write_back) {
  const auto write_part = [&](std::uint64_t at, BytesView part, std::size_t& got) {
    return write_through_cache(file, at, part, got);
  };
  return write_back.patch(position, bytes, written, file, write_part);
}

Status DirectWrites::write_through_cache(os::File& file, std::uint64_t position, BytesView bytes,
                                         std::size_t& written) {
  Status status = set_direct(file, false);
  return status.ok() ? file.write_at(position, {&bytes, 1}, written) : status;
}

BytesView DirectWrites::copy(std::span<const BytesView> pieces, std::size_t skipped,
                             std::size_t bytes) {
  std::byte* to = memory_.copies().data();
  for_bytes_after(pieces, skipped, bytes, [&](BytesView part) {
    std::memcpy(to, part.data(), part.size());
    to += part.size();
  });
  return memory_.copies().first(bytes);
}

Status DirectReads::read(os::File& file, std::uint64_t position, MutableBytesView into,
                         std::size_t& got) {
  if (has_given_up_) return file.read_at(position, into, got);
  Status status = read_directly(file, position, into, got);
  if (status.code().value() != EINVAL || !memory_.may_give_up()) return status;
  status = file.set_direct(false);
  has_given_up_ = status.ok();
  return status.ok() ? file.read_at(position, into, got) : status;
}

Status DirectReads::read_directly(os::File& file, std::uint64_t position, MutableBytesView into,
                                  std::size_t& got) {
  const std::size_t whole = memory_.whole_bytes(into.size());
  if (whole != 0 && memory_.is_aligned(position) && memory_.is_aligned(into.data())) {
    return file.read_at(position, into.first(whole), got);
  }
  got = 0;
  const auto beyond = static_cast<std::size_t>(position % memory_.file_alignment());
  const std::size_t wanted = os::round_up(beyond + into.size(), memory_.file_alignment());
  const MutableBytesView page = memory_.copies().first(std::min(wanted, memory_.copies().size()));
  if (position - beyond > os::max_position - page.size()) return {};  // no file is that long
  std::size_t copied = 0;
  Status status = file.read_at(position - beyond, page, copied);
  if (!status.ok() || copied <= beyond) return status.at(position);
  got = std::min(copied - beyond, into.size());
  std::memcpy(into.data(), page.data() + beyond, got);
  return {};
}

}  // namespace sluice
