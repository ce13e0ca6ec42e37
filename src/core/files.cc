#include "sluice/files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

#include "core/engine.h"
#include "core/read_to_end.h"
#include "os/file.h"
#include "os/guarded.h"
#include "os/memory.h"
#include "os/process.h"
#include "sluice/writer.h"

namespace sluice {
namespace {

// From this size on it pays to let another processor zero fresh pages. Reading 256 MiB into fresh
// memory then takes 1.2 times as long as reading into touched memory, instead of 1.65 times.
constexpr std::size_t min_populate_bytes = std::size_t{16} << 20;

// The engine's thread populates pieces of this size. When the reading has ended, the thread still
// finishes its present piece, which takes about 10 ms.
constexpr std::size_t populate_piece_bytes = std::size_t{32} << 20;

// While it lives, a thread of the engine populates memory and this thread reads into it.
class Populating final : public Engine::Task {
 public:
  Populating(std::byte* memory, std::size_t bytes) : next_(memory), end_(memory + bytes) {
    if (bytes >= min_populate_bytes && os::processors() > 1) {
      submitted_ = Engine::shared().submit(*this);
    }
  }
  ~Populating() override { stop(); }
  Populating(const Populating&) = delete;
  Populating& operator=(const Populating&) = delete;

  // After this call the engine's thread does not touch the memory any more.
  void stop() {
    stopped_ = true;
    if (std::exchange(submitted_, false)) Engine::shared().wait_for(*this);
  }

  void run() noexcept override {
    while (next_ != end_ && !stopped_) {
      const std::size_t bytes =
          std::min(populate_piece_bytes, static_cast<std::size_t>(end_ - next_));
      os::populate(next_, bytes);
      next_ += bytes;
    }
  }

 private:
  std::byte* next_;
  std::byte* const end_;
  std::atomic<bool> stopped_{false};
  bool submitted_ = false;
};

Status no_memory(std::string_view path, std::uint64_t position) {
  return Status::failure(Operation::allocate, path, ENOMEM, position);
}

// The size to expect. It is 0 for targets without a size, and for files in /proc, which report 0.
std::size_t expected_bytes(const os::File& file) {
  std::uint64_t bytes = 0;
  return file.size(bytes).ok() ? static_cast<std::size_t>(bytes) : 0;
}

template <typename Memory>
Status read_whole(const std::string& path, Memory& out) {
  out.clear();
  os::File file;
  Status status = os::File::open(path, os::File::Access::read, 0, file);
  if (!status.ok()) return status;
  const std::size_t expected = expected_bytes(file);
  // One byte more, so that the end shows as a read of 0 bytes without growing.
  const bool fresh = out.capacity() < expected + 1;
  if (!reserve(out, expected + 1)) {
    return no_memory(path, 0);
  }
  {
    // If the file has grown, the memory moves when it is full. Then other memory may be mapped at
    // the old place, for example a file of the program. Populating its pages would make them dirty.
    Populating populating(data(out), fresh ? expected : 0);
    status =
        read_to_end(path, out, [&](std::size_t position, MutableBytesView into, std::size_t& got) {
          Status read = file.read_next(position, into, got);
          if (position + got >= expected) populating.stop();
          return read;
        });
  }
  return status.ok() ? file.close() : status;
}

// Reads all of the file, which must fit.
Status fill(const std::string& path, MutableBytesView into, std::size_t& got) {
  got = 0;
  os::File file;
  Status status = os::File::open(path, os::File::Access::read, 0, file);
  if (!status.ok()) return status;
  std::byte beyond;
  for (;;) {
    const bool full = got == into.size();
    std::size_t bytes = 0;
    status = file.read_next(got, full ? MutableBytesView(&beyond, 1) : into.subspan(got), bytes);
    if (!status.ok()) return status;
    if (bytes == 0) return file.close();
    if (full) {
      const std::string reason = "the file is larger than " + std::to_string(got) + " bytes";
      return Status::failure(Operation::read, path, EFBIG, got, reason);
    }
    got += bytes;
  }
}

}  // namespace

Status read_file(const std::string& path, std::string& out) {
  return os::guarded([&] { return read_whole(path, out); },
                     [&] { return no_memory(path, out.size()); });
}

Status read_file(const std::string& path, Bytes& out) {
  return os::guarded([&] { return read_whole(path, out); },
                     [&] { return no_memory(path, out.size()); });
}

Status read_into(const std::string& path, MutableBytesView into, std::size_t& got) {
  return os::guarded([&] { return fill(path, into, got); }, [&] { return no_memory(path, got); });
}

Status file_size(const std::string& path, std::uint64_t& bytes) {
  return os::file_size(path, bytes);
}

Status file_size(int descriptor, std::uint64_t& bytes) {
  return os::guarded_status("descriptor", [&] {
    return os::File::borrow(descriptor, "descriptor " + std::to_string(descriptor)).size(bytes);
  });
}

Status write_file(const std::string& path, std::string_view data, const WriterOptions& options) {
  Writer writer;
  if (Status status = writer.open(path, options); !status.ok()) return status;
  writer.write(data);
  return writer.close();
}

MappedFile::~MappedFile() { os::unmap_file(bytes_); }

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  os::unmap_file(bytes_);
  bytes_ = std::exchange(other.bytes_, {});
  return *this;
}

namespace {

// Files in /proc report 0 bytes, although they have more.
Status expect_empty(os::File& file) {
  std::byte byte;
  std::size_t got = 0;
  Status status = file.read_next(0, {&byte, 1}, got);
  if (!status.ok() || got == 0) return status;
  return Status::failure(Operation::map, file.path(), ENODEV, std::nullopt,
                         "it has bytes but says that its size is 0: read it, do not map it");
}

}  // namespace

Status map_file(const std::string& path, MappedFile& out) {
  return os::guarded_status(path, [&] {
    os::File file;
    Status status = os::File::open(path, os::File::Access::read, 0, file);
    std::uint64_t bytes = 0;
    if (status.ok()) status = file.size(bytes);
    MappedFile mapped;
    if (status.ok() && bytes > 0) status = file.map(bytes, mapped.bytes_);
    if (status.ok() && bytes == 0) status = expect_empty(file);
    if (!status.ok()) return status;
    out = std::move(mapped);
    return file.close();
  });
}

}  // namespace sluice
