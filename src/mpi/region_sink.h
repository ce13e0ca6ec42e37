// RegionSink: the Sink of one rank, over its region of the shared file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "mpi/shared_file.h"
#include "sluice/sink.h"

namespace sluice {

// The region of a rank, in positions of the file.
struct Region {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The bytes that were written: as intervals, mostly as one. Threads: one at a time.
class WrittenBytes {
 public:
  // False without memory. Then nothing is known any more.
  bool add(Region written) noexcept;
  std::uint64_t count() const noexcept;
  // The first byte at `position` or behind it that was not written.
  std::uint64_t first_missing(std::uint64_t position) const noexcept;

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  // by their beginnings; they do not touch
};

// `file` and `written` must outlive the Sink. `written` may be null.
class RegionSink final : public Sink {
 public:
  RegionSink(SharedFile& file, Region region, bool has_helper, WrittenBytes* written)
      : file_(file), region_(region), has_helper_(has_helper), written_(written) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override;
  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override;
  Status seek(std::uint64_t position) override;
  Status sync() override { return file_.sync(); }
  Status close() override { return file_.close(); }
  bool allows_write_behind() override { return has_helper_; }
  // Small writes cost MPI and a parallel file system far more than a copy.
  bool wants_full_blocks() override { return true; }
  std::uint64_t start_position() override { return region_.begin; }
  const std::string& path() const override { return file_.path(); }

 private:
  Status refuse(Operation operation, std::uint64_t position) const;

  SharedFile& file_;
  const Region region_;
  const bool has_helper_;
  WrittenBytes* const written_;
};

}  // namespace sluice
