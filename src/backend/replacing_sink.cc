#include "backend/replacing_sink.h"

#include <cerrno>
#include <memory>
#include <utility>

#include "backend/direct_io.h"
#include "backend/target.h"
#include "backend/temporary_name.h"
#include "backend/write_back.h"
#include "os/attributes.h"
#include "os/guarded.h"
#include "os/process.h"

namespace sluice {
namespace {

constexpr int max_names_tried = 100;

class ReplacingSink final : public Sink {
 public:
  ReplacingSink(Target target, const WriterOptions& options)
      : path_(target.directory.path()),
        target_(std::move(target)),
        permissions_(options.permissions),
        write_back_(options.write_back_bytes, options.cache) {}

  ~ReplacingSink() override { static_cast<void>(close()); }

  // Creates a file beside the target, with a name that nobody can guess and take first. This object
  // owns the file from the start, and removes it after any failure.
  Status create_temporary() {
    Status status;
    for (int tried = 0; tried < max_names_tried; ++tried) {
      std::string random;
      if (status = os::random_name(path_, random); !status.ok()) return status;
      temporary_name_ = std::string(temporary_prefix) + random;
      status = target_.directory.create(temporary_name_, file_);
      has_temporary_ = status.ok();
      if (status.ok()) status = keep_from_removal();
      const int code = status.code().value();
      if (code != EEXIST && code != EBUSY) return status;
    }
    return status;
  }

  // Tries before anything is written whether publish() will be able to keep the owner.
  Status keep_owner() {
    return target_.old.exists() ? os::copy_owner(target_.old, file_) : Status();
  }

  Status open_direct(Direct option) { return DirectMemory::open(option, file_, direct_); }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    if (direct_) return direct_->write(file_, position, pieces, written, write_back_);
    return write_back_.write(position, pieces, written, file_,
                             [this](std::uint64_t at, std::span<const BytesView> some,
                                    std::size_t& got) { return file_.write_at(at, some, got); });
  }

  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    if (direct_) return direct_->patch(file_, position, bytes, written, write_back_);
    return write_back_.patch(position, bytes, written, file_,
                             [this](std::uint64_t at, BytesView part, std::size_t& got) {
                               return file_.write_at(at, {&part, 1}, got);
                             });
  }

  Status seek(std::uint64_t position) override {
    write_back_.start_at(position);
    return {};
  }

  Status sync() override { return file_.sync(); }

  bool is_staged() override { return true; }

  Status publish() override {
    if (!renamed_) {
      Status status = os::guarded_status(path_, [this] { return put_in_place(); });
      if (!status.ok()) return status;
    }
    return target_.directory.sync_name_of(kept_);
  }

  // Removes the temporary file, unless it was published.
  Status close() override {
    // In a forked child the file belongs to the parent.
    const bool is_there = !renamed_ && has_temporary_ && fork_generation_ == os::fork_generation();
    Status removed = is_there ? remove_temporary() : Status();
    Status closed = file_.close();
    kept_ = os::File();
    has_temporary_ = false;
    target_ = Target();
    return removed.also(closed);
  }

  bool allows_write_behind() override { return true; }

  std::size_t block_alignment() override { return direct_ ? direct_->alignment() : 1; }

  const std::string& path() const override { return path_; }

  os::File& file() { return file_; }

 private:
  // Locks the temporary file for as long as it is open, because remove_abandoned_replacements()
  // removes files that no process has locked. EBUSY if that function has locked or removed the file
  // first. Does nothing where files cannot be locked.
  Status keep_from_removal() {
    bool is_there = false;
    if (file_.lock().code().value() != EBUSY) {
      Status status = target_.directory.stands_for(temporary_name_, file_, is_there);
      if (!status.ok() || is_there) return status;
    }
    static_cast<void>(target_.directory.remove(temporary_name_));
    return Status::failure(Operation::open, path_, EBUSY, std::nullopt,
                           "another process removed the new temporary file: try again");
  }

  // Makes everything about the new file durable before the file gets its name. Looks at the old
  // file again, because it may have been replaced, or its attributes may have changed, since this
  // Sink was opened.
  Status put_in_place() {
    if (Status status = look_again(target_); !status.ok()) return status;
    if (Status status = set_attributes(); !status.ok()) return status;
    if (Status status = file_.sync_with_attributes(); !status.ok()) return status;
    if (Status status = write_back_.end(file_); !status.ok()) return status;
    if (Status status = file_.duplicate(kept_); !status.ok()) return status;
    if (Status status = file_.close(); !status.ok()) return status;
    target_.old.file = os::File();  // some file systems of Windows replace no file that is open
    if (Status status = expect_own_file(); !status.ok()) return status;
    Status status = target_.directory.rename(temporary_name_, target_.name);
    renamed_ = status.ok();
    return status;
  }

  // Checks that the temporary name still stands for the new file, because rename() would move any
  // file that has the name. Other processes that may write to the directory can still exchange the
  // file between this check and the rename. They can just as well replace the target after the
  // rename.
  Status expect_own_file() {
    bool is_ours = false;
    Status status = target_.directory.stands_for(temporary_name_, kept_, is_ours);
    if (!status.ok() || is_ours) return status;
    return Status::failure(Operation::replace, path_, ESTALE, std::nullopt,
                           "its temporary file " + temporary_name_ +
                               " was removed, or another file was put in its place");
  }

  // Removes the temporary file, but no file that another process has put in its place.
  Status remove_temporary() {
    bool is_ours = true;  // false only if the name is known to stand for another file
    const os::File& file = kept_.is_open() ? kept_ : file_;
    const Status looked = os::guarded_status(
        path_, [&] { return target_.directory.stands_for(temporary_name_, file, is_ours); });
    return !looked.ok() || is_ours ? target_.directory.remove(temporary_name_) : Status();
  }

  Status set_attributes() {
    if (target_.old.exists()) return os::copy_attributes(target_.old, file_);
    return os::set_new_file_permissions(target_.directory, permissions_, file_);
  }

  const std::string path_;
  Target target_;
  std::string temporary_name_;
  os::File file_;
  // A second descriptor of file_. It keeps the lock after file_ is closed, until the file has its
  // final name. Some systems make the name durable through it.
  os::File kept_;
  const unsigned permissions_;
  WriteBack write_back_;
  std::unique_ptr<DirectWrites> direct_;  // null: all bytes go through the cache
  const unsigned fork_generation_ = os::fork_generation();
  bool has_temporary_ = false;
  bool renamed_ = false;
};

}  // namespace

Status open_replacing_sink(const std::string& path, const WriterOptions& options,
                           std::unique_ptr<Sink>& sink, os::File*& file) {
  Target target;
  if (Status status = find_target(path, target); !status.ok()) return status;
  auto replacing = std::make_unique<ReplacingSink>(std::move(target), options);
  Status status = replacing->create_temporary();
  if (status.ok()) status = replacing->keep_owner();
  if (status.ok()) status = replacing->open_direct(options.direct);
  if (!status.ok()) return status.also(replacing->close());
  file = &replacing->file();
  sink = std::move(replacing);
  return {};
}

}  // namespace sluice
