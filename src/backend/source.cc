#include "sluice/source.h"

#include <cerrno>

namespace sluice {

Status Source::seek(std::uint64_t position) {
  return Status::failure(Operation::seek, path(), ESPIPE, position);
}

Status Source::size(std::uint64_t&) { return Status::failure(Operation::stat, path(), ESPIPE); }

}  // namespace sluice
