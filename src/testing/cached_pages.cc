#include "testing/cached_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "os/file.h"

namespace sluice::testing {
namespace {

constexpr std::uint64_t page_bytes = 4096;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) throw std::runtime_error("cannot open " + path);
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::uint64_t cached_bytes(const std::string& path) {
  const Descriptor descriptor(path);
  struct stat facts {};
  ::fstat(descriptor, &facts);
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0) return 0;
  void* const map = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (map == MAP_FAILED) throw std::runtime_error("cannot map " + path);
  std::vector<unsigned char> pages((size + page_bytes - 1) / page_bytes);
  const int result = ::mincore(map, size, pages.data());
  ::munmap(map, size);
  if (result != 0) throw std::runtime_error("mincore of " + path);
  const auto cached = std::count_if(pages.begin(), pages.end(), [](auto page) { return page & 1; });
  return static_cast<std::uint64_t>(cached) * page_bytes;
}

void read_into_cache(const std::string& path) {
  const Descriptor descriptor(path);
  std::vector<char> block(1024 * 1024);
  while (::read(descriptor, block.data(), block.size()) > 0) {
  }
}

void take_out_of_cache(const std::string& path) {
  const Descriptor descriptor(path);
  ::fsync(descriptor);
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
}

bool disk_has_direct_io() {
  const ScratchDirectory directory(ScratchDirectory::on_disk);
  const std::string path = directory.file("probe");
  make_file(path, "x");
  os::File file;
  os::File::DirectAlignment alignment;
  return os::File::open(path, os::File::Access::read, 0, file).ok() &&
         file.find_direct_alignment(alignment).ok();
}

}  // namespace sluice::testing
