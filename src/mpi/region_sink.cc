#include "mpi/region_sink.h"

#include <algorithm>
#include <cerrno>

namespace sluice {

Status RegionSink::write(std::uint64_t position, std::span<const BytesView> pieces,
                         std::size_t& written) {
  written = 0;
  for (const BytesView piece : pieces) {
    std::size_t piece_written = 0;
    Status status = write_at(position + written, piece, piece_written);
    written += piece_written;
    if (!status.ok()) return status;
  }
  return {};
}

Status RegionSink::write_at(std::uint64_t position, BytesView bytes, std::size_t& written) {
  written = 0;
  if (bytes.empty()) return {};
  if (position < region_.begin || position > region_.end) return refuse(Operation::write, position);
  const auto room =
      static_cast<std::size_t>(std::min<std::uint64_t>(region_.end - position, bytes.size()));
  Status status = file_.write(position, bytes.first(room), written);
  reached_ = std::max(reached_, position + written);
  if (!status.ok() || room == bytes.size()) return status;
  return refuse(Operation::write, position + room);
}

Status RegionSink::seek(std::uint64_t position) {
  if (position >= region_.begin && position <= region_.end) return {};
  return refuse(Operation::seek, position);
}

Status RegionSink::refuse(Operation operation, std::uint64_t position) const {
  return Status::failure(operation, path(), EFBIG, position,
                         "the region of this rank is bytes " + std::to_string(region_.begin) +
                             " to " + std::to_string(region_.end) +
                             " (see rank_bytes of the options)");
}

}  // namespace sluice
