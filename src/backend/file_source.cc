#include "backend/direct_io.h"
#include "backend/file_of.h"
#include "backend/options.h"
#include "backend/passed_pages.h"
#include "os/background_read.h"
#include "os/file.h"
#include "os/guarded.h"
#include "sluice/source.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>

namespace sluice {
namespace {

// For a smaller file the advice is not worth a system call.
constexpr std::uint64_t small_file_bytes = 64 * 1024;

// From 20 KiB on a system call for each piece takes less time than a copy from the block, if the
// kernel has the bytes in memory. With 16 KiB both take the same time (docs/measurements.md,
// "OStreamWriter and IStreamReader").
constexpr std::size_t bypass_bytes_of_files = 20 * 1024;

// A process whose kernel has made a queue for it ends 30 ms later. In so many bytes the reads that
// are made in the background save more (docs/measurements.md, "Files that leave the cache alone").
constexpr std::uint64_t bytes_worth_a_queue = std::uint64_t{256} << 20;

// The kernel refuses a read that could reach beyond the largest position.
MutableBytesView up_to_max_position(std::uint64_t position, MutableBytesView into) {
  return into.first(std::min<std::uint64_t>(into.size(), os::max_position - position));
}

class FileSource final : public Source {
 public:
  FileSource(os::File file, const ReaderOptions& options)
      : file_(std::move(file)),
        advise_(options.read_ahead == ReadAhead::automatic),
        passed_(options.cache) {}

  Status open_direct(Direct option) {
    Status status = DirectMemory::open(option, file_, direct_);
    if (status.ok() && direct_) status = file_.set_direct(true);
    if (option != Direct::if_possible || status.code().value() != EINVAL) return status;
    direct_.reset();
    return {};
  }

  // Reads at explicit positions, so that a forked child that shares the descriptor is not
  // disturbed.
  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    if (direct_) {
      Status status = direct_->read(file_, position, up_to_max_position(position, into), got);
      // The pages may have been in the cache before.
      if (status.ok()) passed_.passed(position, got, file_);
      return status;
    }
    if (!seekable_) return file_.read_next(position, into, got);
    if (advise_ && position >= small_file_bytes) {
      file_.will_read_in_sequence();
      advise_ = false;
    }
    Status status = file_.read_at(position, up_to_max_position(position, into), got);
    if (!status.ok() && status.code().value() == ESPIPE && !has_positions_) {
      // A pipe, a terminal or a socket. The failed read shows this, so that no file needs an extra
      // call.
      seekable_ = false;
      status = file_.read_next(position, into, got);
    } else if (status.ok()) {
      passed_.passed(position, got, file_);
    }
    return status;
  }

  // Every read names its position, so there is nothing to move.
  Status seek(std::uint64_t position) override {
    return has_positions() ? Status() : Source::seek(position);
  }

  Status size(std::uint64_t& bytes) override { return file_.size(bytes); }

  // A position in a device may stand for something other than a byte. A regular file may be a
  // stream, such as a file of FUSE, and is then read in sequence.
  bool reads_anywhere() override { return file_.is_regular() && has_positions(); }

  // A direct read waits for the disk, so a few large reads are faster than many small ones.
  std::size_t bypass_bytes() override { return direct_ ? SIZE_MAX : bypass_bytes_of_files; }

  bool can_begin_read(std::uint64_t position) override {
    if (!direct_ || !direct_->is_direct(position)) return false;
    if (!std::exchange(was_asked_, true)) reads_ahead_ = reads_anywhere();
    if (!reads_ahead_) return false;
    return background_.has_queue() ||
           (!background_.is_refused() && is_worth_a_queue(position) && background_.open_queue());
  }

  bool begin_read(std::uint64_t position, MutableBytesView into) override {
    if (!direct_->is_direct(position, into)) return false;
    begun_position_ = position;
    return background_.begin(file_, position, into);
  }

  std::size_t end_read() override {
    const std::size_t got = background_.end();
    if (got != os::BackgroundRead::goes_on) passed_.passed(begun_position_, got, file_);
    return got;
  }

  Status close() override {
    background_.close();
    passed_.end(file_);
    return file_.close();
  }
  const std::string& path() const override { return file_.path(); }

  os::File& file() { return file_; }

 private:
  bool is_worth_a_queue(std::uint64_t position) const {
    std::uint64_t bytes = 0;
    return file_.size(bytes).ok() && bytes > position && bytes - position >= bytes_worth_a_queue;
  }

  bool has_positions() {
    has_positions_ = has_positions_ || (seekable_ && file_.is_seekable());
    return has_positions_;
  }

  os::File file_;
  bool seekable_ = true;
  bool has_positions_ = false;  // the kernel has said so, and is not asked again
  bool advise_;
  PassedPages passed_;
  std::unique_ptr<DirectReads> direct_;  // null: all bytes come through the cache
  os::BackgroundRead background_;
  bool was_asked_ = false;    // whether it can read ahead
  bool reads_ahead_ = false;  // it was asked, and can
  std::uint64_t begun_position_ = 0;
};

// Reads from the descriptor's own offset on. Each read moves the offset, as read(2) does.
class DescriptorSource final : public Source {
 public:
  DescriptorSource(os::File file, std::uint64_t start, Cache cache)
      : file_(std::move(file)), start_(start), passed_(cache) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    Status status = file_.read_next(position, up_to_max_position(start_ + position, into), got);
    if (status.ok()) passed_.passed(start_ + position, got, file_);
    return status;
  }

  // The kernel says EINVAL if the position is too large for the file system.
  Status seek(std::uint64_t position) override {
    if (position > os::max_position - start_) return too_large(position);
    Status status = file_.seek(start_ + position).at(position);
    return status.code().value() == EINVAL ? too_large(position) : status;
  }

  Status size(std::uint64_t& bytes) override {
    Status status = file_.size(bytes);
    if (status.ok()) bytes -= std::min(bytes, start_);
    return status;
  }

  std::size_t bypass_bytes() override { return bypass_bytes_of_files; }

  Status close() override {
    passed_.end(file_);
    return file_.close();
  }
  const std::string& path() const override { return file_.path(); }

 private:
  Status too_large(std::uint64_t position) const {
    return Status::failure(Operation::seek, path(), EFBIG, position);
  }

  os::File file_;
  // The descriptor's own offset at the start: position 0 of this Source.
  const std::uint64_t start_;
  PassedPages passed_;
};

}  // namespace

Status open_file_source(const std::string& path, const ReaderOptions& options,
                        std::unique_ptr<Source>& source) {
  os::File* file = nullptr;
  return open_file_source(path, options, source, file);
}

Status open_file_source(const std::string& path, const ReaderOptions& options,
                        std::unique_ptr<Source>& source, os::File*& file) {
  return os::guarded_status(path, [&] {
    if (Status status = os::check_path(Operation::open, path); !status.ok()) return status;
    if (Status status = check_options(options, path); !status.ok()) return status;
    os::File opened;
    if (Status status = os::File::open(path, os::File::Access::read, 0, opened); !status.ok()) {
      return status;
    }
    if (Status status = opened.refuse_directory(); !status.ok()) return status;
    auto file_source = std::make_unique<FileSource>(std::move(opened), options);
    if (Status status = file_source->open_direct(options.direct); !status.ok()) return status;
    file = &file_source->file();
    source = std::move(file_source);
    return Status();
  });
}

Status open_descriptor_source(int descriptor, const std::string& name,
                              std::unique_ptr<Source>& source) {
  return open_descriptor_source(descriptor, name, {}, source);
}

Status open_descriptor_source(int descriptor, const std::string& name, const ReaderOptions& options,
                              std::unique_ptr<Source>& source) {
  return os::guarded_status(name, [&] {
    if (Status status = check_options(options, name); !status.ok()) return status;
    Status direct = refuse_direct(name, options.direct, "the descriptor belongs to the program");
    if (!direct.ok()) return direct;
    os::File file;
    std::uint64_t start = 0;
    Status status = os::File::attach_for_reading(descriptor, name, file, start);
    if (status.ok()) status = file.refuse_directory();
    if (status.ok()) {
      source = std::make_unique<DescriptorSource>(std::move(file), start, options.cache);
    }
    return status;
  });
}

}  // namespace sluice
