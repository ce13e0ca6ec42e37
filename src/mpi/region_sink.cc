#include "mpi/region_sink.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <new>

namespace sluice {

// The interval takes in those that it touches.
bool WrittenBytes::add(Region written) noexcept {
  if (written.begin == written.end) return true;
  auto touched = ends_.upper_bound(written.begin);
  if (touched != ends_.begin() && std::prev(touched)->second >= written.begin) --touched;
  while (touched != ends_.end() && touched->first <= written.end) {
    written.begin = std::min(written.begin, touched->first);
    written.end = std::max(written.end, touched->second);
    touched = ends_.erase(touched);
  }
  try {
    ends_.emplace_hint(touched, written.begin, written.end);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

std::uint64_t WrittenBytes::count() const noexcept {
  std::uint64_t bytes = 0;
  for (const auto& [begin, end] : ends_) bytes += end - begin;
  return bytes;
}

std::uint64_t WrittenBytes::first_missing(std::uint64_t position) const noexcept {
  const auto next = ends_.upper_bound(position);
  return next == ends_.begin() ? position : std::max(position, std::prev(next)->second);
}

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
  if (written_ != nullptr && !written_->add({position, position + written})) {
    return status.also(Status::failure(Operation::allocate, path(), ENOMEM, position));
  }
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
