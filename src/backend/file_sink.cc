#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

#include "backend/direct_io.h"
#include "backend/file_of.h"
#include "backend/options.h"
#include "backend/replacing_sink.h"
#include "backend/target.h"
#include "backend/write_back.h"
#include "os/file.h"
#include "os/guarded.h"
#include "sluice/sink.h"

namespace sluice {
namespace {

// Where a write puts its bytes. at_positions: at explicit positions, so that the file's offset,
// which other processes may share, does not move. in_sequence: at the descriptor's own offset, as
// for pipes and for the caller's descriptors. at_the_end: after the present end of the file.
enum class Placing : std::uint8_t { at_positions, in_sequence, at_the_end };

// What a sync has to do. bytes: sync the bytes. bytes_and_name: also sync the name, once, of a file
// that was opened by name. name_once: every write is durable when it returns, so sync only the name
// and the changes that opening has made.
enum class Syncing : std::uint8_t { bytes, bytes_and_name, name_once };

// True if open may refuse the file after it has opened it.
bool may_be_refused(const WriterOptions& options) {
  return options.durability != Durability::none || options.direct == Direct::on;
}

os::File::Access access_of(const WriterOptions& options) {
  switch (options.create) {
    case CreateMode::append: return os::File::Access::append;
    case CreateMode::exclusive: return os::File::Access::exclusive;
    case CreateMode::existing: return os::File::Access::overwrite;
    case CreateMode::truncate:
    case CreateMode::replace_atomically: break;  // has a Sink of its own
  }
  // If open may still refuse, the bytes are dropped later: see FileSink::open().
  return may_be_refused(options) ? os::File::Access::overwrite : os::File::Access::truncate;
}

// Tells in `is_old` whether the file existed before, where that matters. A file counts as old if it
// can be opened without O_CREAT, and as new if another process creates it between the two open
// calls.
Status open_file(const std::string& path, const WriterOptions& options, os::File& file,
                 bool& is_old) {
  const os::File::Access access = access_of(options);
  const bool each_write = options.durability == Durability::every_write;
  const auto written = each_write ? os::File::Written::durable : os::File::Written::visible;
  if (options.create == CreateMode::existing) {
    is_old = true;
    return os::File::open_old(path, access, file, written);
  }
  if (options.durability != Durability::none) {
    const bool is_exclusive = options.create == CreateMode::exclusive;
    if (!is_exclusive) {
      Status status = os::File::open_old(path, access, file, written);
      is_old = status.ok();
      if (status.code().value() != ENOENT) return status;
    }
    const LastLink last_link = is_exclusive ? LastLink::kept : LastLink::followed;
    if (Status status = expect_durable_name(path, last_link); !status.ok()) return status;
  }
  return os::File::open(path, access, options.permissions, file, written);
}

Syncing syncing_of(const WriterOptions& options) {
  const bool each_write = options.durability == Durability::every_write;
  return each_write ? Syncing::name_once : Syncing::bytes_and_name;
}

class FileSink final : public Sink {
 public:
  FileSink(Placing placing, Syncing syncing, const WriterOptions& options)
      : durability_(options.durability),
        placing_(placing),
        sync_bytes_(true),
        sync_name_(syncing != Syncing::bytes),
        writes_are_durable_(syncing == Syncing::name_once),
        write_back_(options.write_back_bytes, options.cache) {}

  // The bytes of an old file are dropped last, so that a refusal leaves them.
  Status open(const std::string& path, const WriterOptions& options) {
    os::File file;
    bool is_old = false;
    if (Status status = open_file(path, options, file, is_old); !status.ok()) return status;
    std::uint64_t start = 0;
    if (options.create == CreateMode::append) {
      if (Status status = file.end_position(start); !status.ok()) return status;
    }
    start_at(start, std::move(file));
    if (placing_ == Placing::at_positions) {
      Status status = DirectMemory::open(options.direct, file_, direct_);
      if (!status.ok()) return status;
    }
    if (options.durability != Durability::none) {
      if (Status status = keep_directory(is_old); !status.ok()) return status;
    }
    const bool has_old_bytes = options.create == CreateMode::truncate && may_be_refused(options);
    return has_old_bytes ? file_.drop_bytes() : Status();
  }

  void start_at(std::uint64_t position, os::File file) {
    file_ = std::move(file);
    start_position_ = position;
    write_back_.start_at(position);
  }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    if (direct_) return direct_->write(file_, position, pieces, written, write_back_);
    return write_back_.write(position, pieces, written, file_,
                             [this](std::uint64_t at, std::span<const BytesView> some,
                                    std::size_t& got) { return write_pieces(at, some, got); });
  }

  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    if (placing_ == Placing::at_the_end) return Sink::write_at(position, bytes, written);
    written = 0;
    if (bytes.empty()) return file_.expect_positions(position);
    if (direct_) return direct_->patch(file_, position, bytes, written, write_back_);
    return write_back_.patch(position, bytes, written, file_,
                             [this](std::uint64_t at, BytesView part, std::size_t& got) {
                               return file_.write_at(at, {&part, 1}, got);
                             });
  }

  Status seek(std::uint64_t position) override {
    if (placing_ == Placing::at_the_end) return Sink::seek(position);
    // Writes at explicit positions need no seek, only a target that has positions.
    const bool at_positions = placing_ == Placing::at_positions && has_positions();
    if (!at_positions) {
      Status status = file_.seek(position);
      if (status.code().value() == EINVAL) return too_large(position);
      if (!status.ok()) return status;
    }
    write_back_.start_at(position);
    return {};
  }

  Status sync() override {
    if (sync_bytes_) {
      if (Status status = file_.sync(); !status.ok()) return status;
      sync_bytes_ = !writes_are_durable_;
    }
    if (!sync_name_ || !name_failure_.ok()) return name_failure_;
    return os::guarded_status(path(), [this] { return sync_name(); });
  }

  Status publish() override { return write_back_.end(file_); }

  Status close() override { return file_.close(); }

  bool wants_lines() override { return may_be_terminal() && file_.is_terminal(); }

  // A target with positions never waits for another process.
  bool allows_write_behind() override { return has_positions(); }

  std::uint64_t start_position() override { return start_position_; }

  Durability durability() override { return durability_; }

  std::size_t block_alignment() override { return direct_ ? direct_->alignment() : 1; }

  const std::string& path() const override { return file_.path(); }

  os::File& file() { return file_; }

 private:
  bool has_positions() {
    has_positions_ = has_positions_ || file_.is_seekable();
    return has_positions_;
  }

  // The kernel says EINVAL if the position is too large for the file system.
  Status too_large(std::uint64_t position) const {
    return Status::failure(Operation::seek, path(), EFBIG, position);
  }

  // Keeps the directory open until it is synced. A directory that cannot be synced is refused
  // before anything is written. There is one exception: a directory that this process may search
  // but not read, and therefore cannot sync. An old name in such a directory counts as durable,
  // because the program that made the name had to sync it.
  Status keep_directory(bool name_is_old) {
    Status status = find_directory(Operation::open);
    if (!name_is_old || status.code().value() != EACCES) return status;
    sync_name_ = false;
    return {};
  }

  Status find_directory(Operation during) {
    Status status = file_.open_directory(during, directory_);
    if (status.ok()) sync_name_ = directory_.is_open();
    return status;
  }

  Status sync_name() {
    if (!directory_.is_open()) {  // open() was not asked for durable bytes
      Status status = find_directory(Operation::sync_directory);
      if (!status.ok() || !sync_name_) return status;
    }
    if (Status status = file_.sync_name_in(directory_); !status.ok()) {
      if (status.operation() == Operation::sync_directory) name_failure_ = status;
      return status;
    }
    sync_name_ = false;  // the name is durable from here on
    return {};
  }

  Status write_pieces(std::uint64_t position, std::span<const BytesView> pieces,
                      std::size_t& written) {
    if (placing_ == Placing::at_positions) {
      Status status = file_.write_at(position, pieces, written);
      if (written != 0 || status.code().value() != ESPIPE) return status;
      // A pipe. The failed write shows this, so that no file needs an extra call.
      placing_ = Placing::in_sequence;
    }
    return file_.write_next(position, pieces, written);
  }

  // To find out whether a target is a terminal costs 5 % of writing a small file. So this is done
  // only for attached descriptors, and for files that were opened by a name under /dev (but not
  // /dev/shm) or /proc. A terminal with another name (a symbolic link) is written block by block.
  bool may_be_terminal() const {
    const std::string_view path = file_.path();
    const bool is_device = path.starts_with("/dev/") && !path.starts_with("/dev/shm/");
    return !file_.is_owned() || is_device || path.starts_with("/proc/");
  }

  const Durability durability_;
  os::File file_;
  os::File directory_;  // open until the name is durable
  Placing placing_;
  bool sync_bytes_;      // once even if writes are durable: opening may have cut the file
  bool sync_name_;       // the file was opened by name, and may be new
  Status name_failure_;  // kept, because a second sync would not make up for a failed one
  const bool writes_are_durable_;
  std::uint64_t start_position_ = 0;
  bool has_positions_ = false;  // the kernel has said so, and is not asked again
  WriteBack write_back_;
  std::unique_ptr<DirectWrites> direct_;  // null: all bytes go through the cache
};

Status open_sink(const std::string& path, const WriterOptions& options, std::unique_ptr<Sink>& sink,
                 os::File*& file) {
  if (Status status = check_options(options, path); !status.ok()) return status;
  if (options.create == CreateMode::replace_atomically) {
    return open_replacing_sink(path, options, sink, file);
  }
  const bool appends = options.create == CreateMode::append;
  if (appends) {
    Status status =
        refuse_direct(path, options.direct, "a file that is appended to has no positions");
    if (!status.ok()) return status;
  }
  auto file_sink = std::make_unique<FileSink>(appends ? Placing::at_the_end : Placing::at_positions,
                                              syncing_of(options), options);
  if (Status status = file_sink->open(path, options); !status.ok()) return status;
  file = &file_sink->file();
  sink = std::move(file_sink);
  return {};
}

Status attach_sink(int descriptor, const std::string& name, const WriterOptions& options,
                   std::unique_ptr<Sink>& sink) {
  if (Status status = check_options(options, name); !status.ok()) return status;
  Status direct = refuse_direct(name, options.direct, "the descriptor belongs to the program");
  if (!direct.ok()) return direct;
  os::File file;
  std::uint64_t start = 0;
  bool appends = false;
  Status status = os::File::attach_for_writing(descriptor, name, file, start, appends);
  if (!status.ok()) return status;
  auto file_sink = std::make_unique<FileSink>(appends ? Placing::at_the_end : Placing::in_sequence,
                                              Syncing::bytes, options);
  file_sink->start_at(start, std::move(file));
  sink = std::move(file_sink);
  return {};
}

}  // namespace

Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink) {
  os::File* file = nullptr;
  return open_file_sink(path, options, sink, file);
}

Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink, os::File*& file) {
  return os::guarded_status(path, [&] {
    Status status = os::check_path(Operation::open, path);
    return status.ok() ? open_sink(path, options, sink, file) : status;
  });
}

Status open_descriptor_sink(int descriptor, const std::string& name, const WriterOptions& options,
                            std::unique_ptr<Sink>& sink) {
  return os::guarded_status(name, [&] { return attach_sink(descriptor, name, options, sink); });
}

}  // namespace sluice
