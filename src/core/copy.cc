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

}  // namespace

Status copy(Reader& from, Writer& to, std::uint64_t bytes, std::uint64_t& copied) {
  copied = 0;
  if (!from.is_open() || !from.status().ok()) return not_open(from);
  if (!to.write(BytesView())) return to.status();  // the Writer has failed, or is closed
  while (copied < bytes) {
    BytesView next = from.peek(1);
    if (next.empty()) break;
    next = next.first(std::min<std::uint64_t>(next.size(), bytes - copied));
    if (!to.write(next)) return to.status();
    from.skip(next.size());
    copied += next.size();
  }
  return from.status();
}

Status copy(Reader& from, Writer& to, std::uint64_t bytes) {
  std::uint64_t copied = 0;
  return copy(from, to, bytes, copied);
}

}  // namespace sluice
