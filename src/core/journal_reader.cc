#include <cerrno>
#include <optional>
#include <utility>

#include "backend/options.h"
#include "core/journal_records.h"
#include "sluice/journal.h"

namespace sluice {

class JournalReader::Core {
 public:
  explicit Core(os::File file) : file_(std::move(file)), scanner_(file_) {}
  RecordScanner& scanner() { return scanner_; }

 private:
  os::File file_;
  RecordScanner scanner_;
};

JournalReader::JournalReader() noexcept
    : status_(Status::failure(Operation::read, "(nothing)", EBADF, std::nullopt,
                              "the JournalReader is not open")) {}

JournalReader::~JournalReader() = default;

Status JournalReader::open(const std::string& path) {
  core_.reset();
  os::File file;
  status_ = check_options({.framing = Framing::length_crc32c}, path);
  // Asked before it is opened: a FIFO would wait for a writer.
  std::uint64_t bytes = 0;
  if (status_.ok()) status_ = os::file_size(path, bytes);
  if (status_.code().value() == ESPIPE) {
    status_ =
        Status::failure(Operation::open, path, EINVAL, std::nullopt, "a Journal is a regular file");
  }
  if (status_.ok()) status_ = os::File::open(path, os::File::Access::read, 0, file);
  if (!status_.ok()) return status_;
  core_ = std::make_unique<Core>(std::move(file));
  RecordScanner::Header header;
  status_ = core_->scanner().read_header(header);
  if (status_.ok() && header == RecordScanner::Header::other) {
    status_ = other_framing(path, "length_crc32c");
  }
  return status_;
}

bool JournalReader::next(ConstBytes& record) {
  bool found = false;
  if (core_ && status_.ok()) status_ = core_->scanner().next(record, found);
  return found;
}

std::uint64_t JournalReader::position() const noexcept {
  return core_ ? core_->scanner().position() : 0;
}

const Status& JournalReader::status() const noexcept { return status_; }

}  // namespace sluice
