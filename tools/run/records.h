// What the processes of an accelerated program counted.
#pragma once

#include <string>
#include <vector>

#include "preload/counters.h"

namespace sluice::run {

// A folder for records, that disappears with its content.
class RecordFolder {
 public:
  // Throws std::system_error.
  RecordFolder();
  ~RecordFolder();
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;

  const std::string& path() const { return path_; }

  // One for each process that has begun to count, in the order of their numbers.
  std::vector<preload::Counters> read() const;

 private:
  std::string path_;
};

}  // namespace sluice::run
