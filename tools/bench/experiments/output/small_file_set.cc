#include "bench/experiments/output/small_file_set.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "bench/data.h"
#include "bench/experiments/input/raw_read.h"  // RawFile

namespace sluice::bench {

void SmallFileSet::name_files() {
  paths_.clear();
  for (std::uint64_t i = 0; i < count_; ++i) paths_.push_back(fmt::format("{}/{:05}", folder_, i));
  content_.clear();
  for (std::size_t i = 0; i < file_bytes; ++i) content_ += static_cast<char>(byte_at(i));
}

void SmallFileSet::clear_folder() const {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directory(folder_);
}

void SmallFileSet::expect_files() const {
  std::array<char, file_bytes + 1> found;
  for (const std::string& path : paths_) {
    const std::size_t got = RawFile(path).read_fully(found.data(), found.size());
    if (std::string_view(found.data(), got) != content_) {
      throw std::runtime_error(
          fmt::format("{} has {} bytes instead of {}, or wrong bytes", path, got, content_.size()));
    }
  }
}

}  // namespace sluice::bench
