#include "backend/replacing_sink.h"

#include <cerrno>
#include <utility>

#include "backend/target.h"
#include "backend/write_back.h"
#include "os/attributes.h"
#include "os/process.h"

namespace sluice {
namespace {

constexpr int most_names_tried = 100;

class ReplacingSink final : public Sink {
 public:
  ReplacingSink(Target target, std::string temporary_name, os::File file,
                const WriterOptions& options)
      : path_(target.directory.path()),
        target_(std::move(target)),
        temporary_name_(std::move(temporary_name)),
        file_(std::move(file)),
        permissions_(options.permissions),
        write_back_(options.write_back_bytes, 0) {}

  ~ReplacingSink() override { static_cast<void>(close()); }

  // What only publish() can set is tried before anything is written.
  Status keep_owner() {
    return target_.old.exists() ? os::copy_owner(target_.old, file_) : Status();
  }

  Status write(std::uint64_t position, std::span<const ConstBytes> pieces,
               std::size_t& written) override {
    Status status = file_.write_at(position, pieces, written);
    return status.ok() ? write_back_.written_to(position + written, file_) : status;
  }

  Status sync() override { return file_.sync(); }

  bool is_staged() override { return true; }

  Status publish() override {
    if (!renamed_) {
      if (Status status = put_in_place(); !status.ok()) return status;
    }
    return target_.directory.sync();
  }

  // Takes the temporary file away, unless it was published.
  Status close() override {
    Status status = file_.close();
    // In a forked child the file is the parent's.
    const bool is_there = !renamed_ && !closed_ && fork_generation_ == os::fork_generation();
    if (is_there) {
      if (Status removed = target_.directory.remove(temporary_name_); status.ok()) status = removed;
    }
    closed_ = true;
    target_ = Target();
    return status;
  }

  bool allows_write_behind() override { return true; }

  const std::string& path() const override { return path_; }

 private:
  // Everything about the new file is on the disk before it gets the name. The old one is looked at
  // again because it may have been replaced, or its attributes changed, since it was opened.
  Status put_in_place() {
    if (Status status = look_again(target_); !status.ok()) return status;
    if (Status status = set_attributes(); !status.ok()) return status;
    if (Status status = file_.sync_with_attributes(); !status.ok()) return status;
    if (Status status = file_.close(); !status.ok()) return status;
    Status status = target_.directory.rename(temporary_name_, target_.name);
    renamed_ = status.ok();
    return status;
  }

  Status set_attributes() {
    if (target_.old.exists()) return os::copy_attributes(target_.old, file_);
    return os::set_new_file_permissions(target_.directory, permissions_, file_);
  }

  const std::string path_;
  Target target_;
  const std::string temporary_name_;
  os::File file_;
  const unsigned permissions_;
  WriteBack write_back_;
  const unsigned fork_generation_ = os::fork_generation();
  bool renamed_ = false;
  bool closed_ = false;
};

// A new file beside the target, whose name nobody can guess and take first.
Status create_temporary(const Target& target, std::string& name, os::File& file) {
  Status status;
  for (int tried = 0; tried < most_names_tried; ++tried) {
    std::string random;
    if (status = os::random_name(target.directory.path(), random); !status.ok()) return status;
    name = ".sluice-" + random;
    status = target.directory.create(name, file);
    if (status.ok() || status.code().value() != EEXIST) return status;
  }
  return status;
}

}  // namespace

Status open_replacing_sink(const std::string& path, const WriterOptions& options,
                           std::unique_ptr<Sink>& sink) {
  if (Status status = os::refuse_nul(Operation::open, path); !status.ok()) return status;
  Target target;
  if (Status status = find_target(path, target); !status.ok()) return status;
  std::string name;
  os::File file;
  if (Status status = create_temporary(target, name, file); !status.ok()) return status;
  auto replacing =
      std::make_unique<ReplacingSink>(std::move(target), std::move(name), std::move(file), options);
  if (Status status = replacing->keep_owner(); !status.ok()) return status;
  sink = std::move(replacing);
  return {};
}

}  // namespace sluice
