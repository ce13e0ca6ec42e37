// write_to_sink and patch_sink: the places where bytes leave for a Sink.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/pieces.h"
#include "os/guarded.h"
#include "sluice/sink.h"

namespace sluice {

// The outcome of a Sink's call for `bytes` bytes at `position`. A failure always carries the offset
// of the first byte that was not written, even if the Sink leaves the offset out.
inline Status outcome_of(const Sink& sink, const Status& status, std::uint64_t position,
                         std::size_t bytes, std::size_t written) {
  if (!status.ok()) return status.at(position + written);
  if (written == bytes) return {};
  return Status::failure(Operation::write, sink.path(), EIO, position + std::min(written, bytes),
                         written > bytes
                             ? "the Sink reported more bytes than it was given"
                             : "the Sink reported success without having written everything");
}

// Writes the pieces at `position`. If the program's own Sink runs out of memory, that is a failure
// like any other, because the engine's thread has no caller to throw to.
inline Status write_to_sink(Sink& sink, std::uint64_t position, std::span<const BytesView> pieces) {
  std::size_t written = 0;
  const Status status =
      os::guarded_status(sink.path(), [&] { return sink.write(position, pieces, written); });
  return outcome_of(sink, status, position, bytes_in(pieces), written);
}

// Writes `bytes` over the bytes at `position`. `written` shows whether the Sink refused the bytes
// or failed to write them.
inline Status patch_sink(Sink& sink, std::uint64_t position, BytesView bytes,
                         std::size_t& written) {
  written = 0;
  const Status status =
      os::guarded_status(sink.path(), [&] { return sink.write_at(position, bytes, written); });
  return outcome_of(sink, status, position, bytes.size(), written);
}

}  // namespace sluice
