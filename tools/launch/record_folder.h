// The folder that preloaded objects leave their records in.
#pragma once

#include <string>
#include <vector>

namespace sluice {

// A temporary folder that disappears with its content.
class RecordFolder {
 public:
  // Throws std::system_error.
  RecordFolder();
  ~RecordFolder();
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;

  const std::string& path() const { return path_; }

  // The records' names, in no particular order.
  std::vector<std::string> files() const;

 private:
  std::string path_;
};

}  // namespace sluice
