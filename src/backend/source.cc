#include "sluice/source.h"

#include <cerrno>
#include <optional>

#include "os/failed_call.h"

namespace sluice {

Status Source::seek(std::uint64_t position) {
  return Status::failure(Operation::seek, path(), ESPIPE, position, os::no_positions);
}

Status Source::size(std::uint64_t&) {
  return Status::failure(Operation::stat, path(), ESPIPE, std::nullopt, "its size is not known");
}

bool Source::reads_anywhere() { return false; }

bool Source::can_begin_read(std::uint64_t) { return false; }

bool Source::begin_read(std::uint64_t, MutableBytesView) { return false; }

std::size_t Source::end_read() { return 0; }

}  // namespace sluice
