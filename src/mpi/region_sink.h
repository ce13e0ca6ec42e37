// RegionSink: the Sink of one rank, over its region of the shared file.
#pragma once

#include <cstddef>
#include <cstdint>
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

// `file` and `reached` must outlive the Sink. `reached` becomes the end of the last byte in the
// region that was written.
class RegionSink final : public Sink {
 public:
  RegionSink(SharedFile& file, Region region, bool has_helper, std::uint64_t& reached)
      : file_(file), region_(region), has_helper_(has_helper), reached_(reached) {
    reached_ = region.begin;
  }

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
  std::uint64_t& reached_;
};

}  // namespace sluice
