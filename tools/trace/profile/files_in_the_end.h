// What is known of a log's files when the program has ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "preload/trace/log.h"

namespace sluice::trace {

struct FileInTheEnd {
  std::uint64_t size_bytes;  // the largest that was seen, by the process or at the end
  bool remains;              // written, and there under this name, or renamed in its folder
  bool is_gone;              // no file of this name is there; false if it was not asked for
};

// A program may use thousands of files, and to ask for each takes long. The size of a file that the
// process has only read is known, and the file is there, unless the process removes many files.
class FilesInTheEnd {
 public:
  // All usages are added first.
  void add(const preload::Usage& usage);
  FileInTheEnd of(std::uint32_t number, const std::string& name, const preload::FileEntry& entry);

 private:
  // An empty file may get bytes in many ways: by mmap, or by a program that has a copy of the
  // descriptor. With these calls alone this process does not fill it.
  enum class Calls : std::uint8_t { none, keeping_size, others };
  std::vector<Calls> seen_;
  std::vector<std::uint64_t> written_bytes_;
  std::uint64_t removals_ = 0;
  int searches_ = 16;  // of folders, for files that were renamed: a folder may have many names
};

}  // namespace sluice::trace
