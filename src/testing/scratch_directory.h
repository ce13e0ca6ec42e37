// ScratchDirectory: an empty folder that the destructor removes with its contents. Also functions
// that read and write files without the library under test.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <cstdlib>

#include <sys/stat.h>

namespace sluice::testing {

inline bool file_exists(const std::string& path) { return std::filesystem::exists(path); }

class ScratchDirectory {
 public:
  static constexpr const char* on_disk = "/var/tmp";

  // The directory lies in memory if the system has /dev/shm, because a sweep over every fault syncs
  // files thousands of times.
  ScratchDirectory() : ScratchDirectory(file_exists("/dev/shm") ? "/dev/shm" : on_disk) {}
  explicit ScratchDirectory(const std::string& parent) : path_(parent + "/sluice-test.XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot create " + path_);
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

// The file's bytes. Throws if the file cannot be read.
inline std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The result of lstat(2) for the file. Throws if there is no such file.
inline struct stat facts_of(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) throw std::runtime_error("cannot look at " + path);
  return facts;
}

inline unsigned permissions_of(const std::string& path) { return facts_of(path).st_mode & 07777; }

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
