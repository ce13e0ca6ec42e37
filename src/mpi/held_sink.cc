#include "mpi/held_sink.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sluice {

void Held::drop(std::size_t count) {
  const std::size_t rest = bytes.size() - count;
  if (rest == 0) return bytes.clear();
  std::memmove(bytes.data(), bytes.data() + count, rest);
  static_cast<void>(bytes.resize(rest));  // never fails, because the memory does not grow
}

Status HeldSink::write(std::uint64_t position, std::span<const BytesView> pieces,
                       std::size_t& written) {
  written = 0;
  for (const BytesView piece : pieces) {
    if (Status status = append(position + written, piece); !status.ok()) return status;
    written += piece.size();
  }
  return {};
}

Status HeldSink::append(std::uint64_t position, BytesView piece) {
  const std::size_t before = held_.bytes.size();
  if (piece.size() > held_.max_bytes - before) {
    const bool fits_alone = piece.size() <= held_.max_bytes;
    const char* const remedy =
        fits_alone ? "call place() more often, or raise held_bytes" : "raise held_bytes";
    return Status::failure(Operation::write, path_, ENOBUFS, position,
                           std::to_string(piece.size()) + " bytes do not fit: this rank holds " +
                               std::to_string(before) + " bytes, and option held_bytes is " +
                               std::to_string(held_.max_bytes) + ": " + remedy);
  }
  // Doubling copies each byte once or twice, and growing by every piece would copy it many times.
  const std::size_t needed = before + piece.size();
  const std::size_t doubled = std::min(held_.max_bytes, 2 * held_.bytes.capacity());
  if (needed > held_.bytes.capacity() && !held_.bytes.reserve(std::max(needed, doubled))) {
    return Status::failure(Operation::allocate, path_, ENOMEM, position);
  }
  if (!held_.bytes.resize(needed)) {
    return Status::failure(Operation::allocate, path_, ENOMEM, position);
  }
  if (!piece.empty()) std::memcpy(held_.bytes.data() + before, piece.data(), piece.size());
  return {};
}

}  // namespace sluice
