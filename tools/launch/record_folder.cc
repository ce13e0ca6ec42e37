#include "launch/record_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace sluice {

RecordFolder::RecordFolder()
    : path_((std::filesystem::temp_directory_path() / "sluice-XXXXXX").string()) {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "create " + path_);
  }
}

RecordFolder::~RecordFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> RecordFolder::files() const {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    files.push_back(entry.path().string());
  }
  return files;
}

}  // namespace sluice
