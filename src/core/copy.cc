#include "sluice/copy.h"

#include <algorithm>
#include <cerrno>

namespace sluice {
namespace {

Status not_open(const Reader& from) {
  if (!from.status().ok()) return from.status();
  return Status::failure(Operation::read, "(nothing)", EBADF, from.position(),
                         "the Reader is closed");
}

// How many bytes of the piece, which was to begin at `position`, a Writer has written that failed.
std::uint64_t written(const Writer& failed, std::uint64_t position, BytesView piece) {
  if (failed.position() <= position) return 0;
  return std::min<std::uint64_t>(failed.position() - position, piece.size());
}

}  // namespace

Status copy(Reader& from, Writer& to, std::uint64_t bytes, std::uint64_t& copied) {
  copied = 0;
  if (!from.is_open() || !from.status().ok()) return not_open(from);
  if (!to.write(BytesView())) return to.status();  // the Writer has failed, or is closed
  const std::uint64_t start = to.position();
  while (copied < bytes) {
    BytesView next = from.peek(1);
    if (next.empty()) break;
    next = next.first(std::min<std::uint64_t>(next.size(), bytes - copied));
    const bool is_accepted = to.write(next);
    const std::uint64_t passed = is_accepted ? next.size() : written(to, start + copied, next);
    from.skip(passed);
    copied += passed;
    if (!is_accepted) return to.status();
  }
  return from.status();
}

Status copy(Reader& from, Writer& to, std::uint64_t bytes) {
  std::uint64_t copied = 0;
  return copy(from, to, bytes, copied);
}

}  // namespace sluice
