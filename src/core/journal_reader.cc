#include <cerrno>
#include <optional>
#include <utility>

#include "core/journal_options.h"
#include "core/journal_records.h"
#include "os/cancellation.h"
#include "os/guarded.h"
#include "sluice/journal.h"

namespace sluice {

class JournalReader::Core {
 public:
  explicit Core(os::File file) : file_(std::move(file)), scanner_(file_) {}
  const std::string& path() const { return file_.path(); }
  RecordScanner& scanner() { return scanner_; }

 private:
  os::File file_;
  RecordScanner scanner_;
};

JournalReader::JournalReader() noexcept
    : status_(Status::failure(Operation::read, "(nothing)", EBADF, std::nullopt,
                              "the JournalReader is not open")) {}

JournalReader::~JournalReader() {
  const os::CancellationHeldOff held_off;
  core_.reset();  // closes the file
}

Status JournalReader::open(const std::string& path) {
  const os::CancellationHeldOff held_off;
  core_.reset();
  status_ = os::guarded_status(path, [&] { return open_anew(path); });
  return status_;
}

Status JournalReader::open_anew(const std::string& path) {
  Status status = check_options({.framing = Framing::length_crc32c}, path);
  // The size is found before the file is opened, because opening a FIFO would wait for a writer.
  std::uint64_t bytes = 0;
  if (status.ok()) status = os::file_size(path, bytes);
  if (status.code().value() == ESPIPE) {
    return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                           "a Journal needs a regular file");
  }
  os::File file;
  if (status.ok()) status = os::File::open(path, os::File::Access::read, 0, file);
  if (!status.ok()) return status;
  core_ = std::make_unique<Core>(std::move(file));
  HeaderState header;
  status = core_->scanner().read_header(header);
  return status.ok() ? refusal_of(header, path) : status;
}

bool JournalReader::next(BytesView& record) {
  bool found = false;
  if (!core_ || !status_.ok()) return false;
  status_ = os::guarded_status(core_->path(), [&] { return core_->scanner().next(record, found); });
  return found;
}

std::uint64_t JournalReader::position() const noexcept {
  return core_ ? core_->scanner().position() : 0;
}

const Status& JournalReader::status() const noexcept { return status_; }

}  // namespace sluice
