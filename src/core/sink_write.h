// write_to_sink: the one place where bytes leave for a Sink.
#pragma once

#include <span>

#include "sluice/sink.h"

namespace sluice {

// Writes the pieces at `position`. A failure always carries the offset of the first byte not
// written, also from Sinks that leave it out.
inline Status write_to_sink(Sink& sink, std::uint64_t position,
                            std::span<const ConstBytes> pieces) {
  std::size_t written = 0;
  Status status = sink.write(position, pieces, written);
  if (status.ok() || status.offset() == position + written) return status;
  return Status::failure(status.operation(), status.path(), status.code().value(),
                         position + written);
}

}  // namespace sluice
