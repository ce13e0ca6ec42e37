// A file that is mapped into memory, for reading and for changing it there.
#pragma once

#include <cstddef>
#include <string>

namespace sluice::bench {

// A shared map: bytes stored in the memory are stored in the file. The destructor unmaps it. Every
// failure to map throws. The file must not be empty.
class FileMap {
 public:
  enum class Access { read, read_write };

  explicit FileMap(const std::string& path, Access access = Access::read);
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;

  char* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  char* data_;
  std::size_t bytes_;
};

}  // namespace sluice::bench
