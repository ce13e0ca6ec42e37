#include "bench/experiments/input/file_map.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "bench/experiments/input/raw_read.h"

namespace sluice::bench {

FileMap::FileMap(const std::string& path, Access access) {
  const bool writes = access == Access::read_write;
  const RawFile file(path, writes ? O_RDWR : O_RDONLY);
  bytes_ = file.size();
  void* const map = ::mmap(nullptr, bytes_, PROT_READ | (writes ? PROT_WRITE : 0), MAP_SHARED,
                           file.descriptor(), 0);
  if (map == MAP_FAILED) fail("map", path);
  data_ = static_cast<char*>(map);
}

FileMap::~FileMap() { ::munmap(data_, bytes_); }

}  // namespace sluice::bench
