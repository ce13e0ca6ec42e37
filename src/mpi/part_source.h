// PartSource: the Source of one rank, over its part of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/region_sink.h"
#include "mpi/shared_file.h"
#include "sluice/source.h"

namespace sluice {

// `file` must outlive the Source. Position 0 is the first byte of the part.
class PartSource final : public Source {
 public:
  PartSource(SharedFile& file, Region part) : file_(file), part_(part) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override;
  Status seek(std::uint64_t) override { return {}; }
  Status size(std::uint64_t& bytes) override;
  bool reads_anywhere() override { return true; }
  Status close() override { return file_.close(); }
  const std::string& path() const override { return file_.path(); }

 private:
  SharedFile& file_;
  const Region part_;
};

// Finds the beginning of the first line that begins at `from` or later. A file of `file_bytes`
// bytes without such a line gives `file_bytes`.
Status find_line(SharedFile& file, std::uint64_t from, std::uint64_t file_bytes,
                 std::uint64_t& begin);

}  // namespace sluice
