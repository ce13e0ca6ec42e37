#include "os/file.h"
#include "sluice/source.h"

#include <cerrno>
#include <utility>

namespace sluice {
namespace {

// How far the kernel is asked to fetch ahead of a file that is not in the cache. The kernel's own
// window is 128 KiB by default.
constexpr std::uint64_t read_ahead_bytes = std::uint64_t{4} << 20;

class FileSource final : public Source {
 public:
  FileSource(os::File file, ReadAhead read_ahead)
      : file_(std::move(file)), probe_cache_(read_ahead == ReadAhead::automatic) {}

  // Read at explicit positions, so that a forked child sharing the descriptor disturbs nobody.
  Status read(std::uint64_t position, MutableBytes into, std::size_t& got) override {
    if (!seekable_) return file_.read_next(position, into, got);
    if (probe_cache_) {
      switch (file_.read_cached(position, into, got)) {
        case os::File::Cached::read: return {};
        case os::File::Cached::not_cached: fetch_ahead(position); break;
        case os::File::Cached::unsupported: probe_cache_ = false; break;
      }
    }
    Status status = file_.read_at(position, into, got);
    if (status.code().value() != ESPIPE) return status;
    seekable_ = false;  // a pipe, a terminal or a socket, found out without a call for each file
    return file_.read_next(position, into, got);
  }

  Status close() override { return file_.close(); }
  const std::string& path() const override { return file_.path(); }

 private:
  // A thread of ours would only hand the same request to the kernel, at the price of two switches.
  void fetch_ahead(std::uint64_t position) {
    if (position + read_ahead_bytes / 2 < fetched_until_) return;
    file_.will_need(position, read_ahead_bytes);
    fetched_until_ = position + read_ahead_bytes;
  }

  os::File file_;
  bool seekable_ = true;
  bool probe_cache_;
  std::uint64_t fetched_until_ = 0;
};

// Reads on from the descriptor's own offset, which moves as under read(2).
class DescriptorSource final : public Source {
 public:
  explicit DescriptorSource(os::File file) : file_(std::move(file)) {}

  Status read(std::uint64_t position, MutableBytes into, std::size_t& got) override {
    return file_.read_next(position, into, got);
  }

  Status close() override { return file_.close(); }
  const std::string& path() const override { return file_.path(); }

 private:
  os::File file_;
};

}  // namespace

Status open_file_source(const std::string& path, const ReaderOptions& options,
                        std::unique_ptr<Source>& source) {
  os::File file;
  if (Status status = os::File::open(path, os::File::Access::read, 0, file); !status.ok()) {
    return status;
  }
  source = std::make_unique<FileSource>(std::move(file), options.read_ahead);
  return {};
}

std::unique_ptr<Source> make_descriptor_source(int descriptor, std::string name) {
  return std::make_unique<DescriptorSource>(os::File::borrow(descriptor, std::move(name)));
}

}  // namespace sluice
