// write_to_sink: the one place where bytes leave for a Sink.
#pragma once

#include <cerrno>
#include <span>

#include "os/guarded.h"
#include "sluice/sink.h"

namespace sluice {

// Writes the pieces at `position`. A failure always carries the offset of the first byte that was
// not written, even if the Sink leaves the offset out. If the program's own Sink runs out of
// memory, that is a failure like any other, because the engine's thread has no caller to throw to.
inline Status write_to_sink(Sink& sink, std::uint64_t position, std::span<const BytesView> pieces) {
  std::size_t written = 0;
  const Status status =
      os::guarded_status(sink.path(), [&] { return sink.write(position, pieces, written); });
  if (!status.ok()) return status.at(position + written);
  std::size_t bytes = 0;
  for (const BytesView piece : pieces) bytes += piece.size();
  if (written == bytes) return {};
  return Status::failure(Operation::write, sink.path(), EIO, position + written,
                         "the Sink reported success without having written everything");
}

}  // namespace sluice
