// Copies a file, and reports whether the copy shares the original's place on the disk.
//
// usage: crash_reflink FROM TO [replace]
//
// Prints "shared" if every byte of the copy lies in the original's place, and "apart" if no byte
// does.
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sluice/copy.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>

namespace {

constexpr unsigned max_extents = 64;

// Returns "" if the file system does not tell the place.
const char* place_of(const char* path) {
  alignas(fiemap) static std::array<std::byte, sizeof(fiemap) + max_extents * sizeof(fiemap_extent)>
      memory{};
  auto* const map = reinterpret_cast<fiemap*>(memory.data());
  map->fm_length = FIEMAP_MAX_OFFSET;
  map->fm_flags = FIEMAP_FLAG_SYNC;
  map->fm_extent_count = max_extents;
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  const int result = ::ioctl(file, FS_IOC_FIEMAP, map);
  ::close(file);
  if (result != 0 || map->fm_mapped_extents == 0) return "";
  unsigned shared = 0;
  for (unsigned i = 0; i < map->fm_mapped_extents; ++i) {
    if ((map->fm_extents[i].fe_flags & FIEMAP_EXTENT_SHARED) != 0) ++shared;
  }
  if (shared == 0) return "apart";
  return shared == map->fm_mapped_extents ? "shared" : "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  sluice::CopyOptions options{.durability = sluice::Durability::on_close};
  if (argc > 3) options.create = sluice::CreateMode::replace_atomically;
  const sluice::Status status = sluice::copy_file(argv[1], argv[2], options);
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
  std::puts(place_of(argv[2]));
  return 0;
}
