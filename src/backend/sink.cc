#include "sluice/sink.h"

#include <cerrno>

#include "os/failed_call.h"

namespace sluice {

Status Sink::write_at(std::uint64_t position, BytesView, std::size_t& written) {
  written = 0;
  return Status::failure(Operation::write, path(), ESPIPE, position, os::no_positions);
}

bool Sink::is_ordinary_end(const Status&) { return false; }

Status Sink::seek(std::uint64_t position) {
  return Status::failure(Operation::seek, path(), ESPIPE, position, os::no_positions);
}

}  // namespace sluice
