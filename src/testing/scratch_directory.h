// ScratchDirectory: an empty folder that the destructor removes with its contents. Also functions
// that read and write files without the library under test.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sluice::testing {

inline bool file_exists(const std::string& path) { return std::filesystem::exists(path); }

class ScratchDirectory {
 public:
  static constexpr const char* on_disk = "/var/tmp";

  // The directory lies in memory if the system has /dev/shm, because a sweep over every fault syncs
  // files thousands of times.
  ScratchDirectory() : ScratchDirectory(usual_parent()) {}
  explicit ScratchDirectory(const std::string& parent) {
    std::random_device random;
    do {
      path_ = parent + "/sluice-test." + std::to_string(random());
    } while (!std::filesystem::create_directory(path_));  // throws if it cannot create any
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  // A directory on a disk, where the system has the usual place for it.
  static ScratchDirectory likely_on_disk() {
    return ScratchDirectory(file_exists(on_disk) ? on_disk : usual_parent());
  }

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  static std::string usual_parent() {
    if (file_exists("/dev/shm")) return "/dev/shm";
    return file_exists(on_disk) ? on_disk : std::filesystem::temp_directory_path().string();
  }

  std::string path_;
};

// The file's bytes. Throws if the file cannot be read.
inline std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::size_t number_of_files(const std::string& directory) {
  const std::filesystem::directory_iterator files(directory);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

inline void make_file(const std::string& path, std::string_view contents) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace sluice::testing
