// SmallFileSet: many small files with the same content, in a folder of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice::bench {

class SmallFileSet {
 public:
  static constexpr std::size_t file_bytes = 100;
  static constexpr std::uint64_t file_system_block_bytes = 4096;  // a file takes at least one block

  // Only stores its arguments: touches no file and makes no names.
  SmallFileSet(std::string folder, std::uint64_t count)
      : folder_(std::move(folder)), count_(count) {}

  std::uint64_t count() const { return count_; }
  std::uint64_t bytes() const { return count_ * file_bytes; }
  std::uint64_t scratch_bytes() const { return count_ * file_system_block_bytes; }

  // For set_up: makes paths and content, so that no row's time includes making names.
  void name_files();
  // For prepare: makes the folder, or empties it.
  void clear_folder() const;
  // For verify: throws unless every file exists with its content.
  void expect_files() const;

  const std::vector<std::string>& paths() const { return paths_; }
  const std::string& content() const { return content_; }

 private:
  std::string folder_;
  std::uint64_t count_;
  std::vector<std::string> paths_;
  std::string content_;
};

using SharedFileSet = std::shared_ptr<SmallFileSet>;

}  // namespace sluice::bench
