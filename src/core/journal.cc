#include "sluice/journal.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <utility>

#include "backend/crc32c.h"
#include "backend/target.h"
#include "core/group_commit.h"
#include "core/journal_options.h"
#include "core/journal_records.h"
#include "core/journal_recovery.h"
#include "os/cancellation.h"
#include "os/guarded.h"
#include "os/process.h"
#include "sluice/lost_error.h"

namespace sluice {
namespace {

Status not_open(std::string_view path, std::string_view reason) {
  return Status::failure(Operation::write, path, EBADF, std::nullopt, reason);
}

Status record_too_long(std::string_view path, std::size_t bytes) {
  return Status::failure(
      Operation::write, path, EMSGSIZE, std::nullopt,
      "the record has " + std::to_string(bytes) + " bytes, more than framing=length_crc32c allows");
}

// Bytes without a head, after records that have one, would be taken for damage.
Status refuse_framed(os::File& file) {
  RecordScanner scanner(file);
  HeaderState header;
  if (Status status = scanner.read_header(header); !status.ok()) return status;
  const bool may_be_raw = header == HeaderState::torn || header == HeaderState::other;
  if (may_be_raw) return {};
  return Status::failure(Operation::open, file.path(), EINVAL, std::nullopt,
                         "the file is a Journal with checksums, and was left as it is: framing=raw "
                         "would damage it");
}

// A file that open_compressed() has finished ends with its seek table. No reader of compressed
// files would read on behind bytes that are not compressed.
Status refuse_compressed(os::File& file, std::uint64_t bytes) {
  constexpr std::array end_of_table{std::byte{0xB1}, std::byte{0xEA}, std::byte{0x92},
                                    std::byte{0x8F}};
  std::array<std::byte, end_of_table.size()> end{};
  if (bytes < end.size()) return {};
  std::size_t got = 0;
  Status status = file.read_at(bytes - end.size(), end, got);
  if (!status.ok() || end != end_of_table) return status;
  return Status::failure(Operation::open, file.path(), EINVAL, std::nullopt,
                         "the file is compressed, and was left as it is: a Journal's records are "
                         "not, so nobody could read them behind compressed bytes");
}

Status open_and_lock(const std::string& path, unsigned permissions, os::File& file) {
  constexpr auto access = os::File::Access::update;
  Status status = os::File::open_old(path, access, file, os::File::Written::visible);
  if (status.code().value() == ENOENT) {
    status = expect_durable_name(path, LastLink::followed);
    if (status.ok()) status = os::File::open(path, access, permissions, file);
  }
  if (!status.ok()) return status;
  std::uint64_t bytes = 0;
  if (status = file.size(bytes); status.code().value() == ESPIPE) {
    return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                           "a Journal needs a regular file");
  }
  if (status.ok()) status = file.lock();
  if (status.code().value() == EBUSY) {
    return Status::failure(Operation::open, path, EBUSY, std::nullopt,
                           "another Journal has the file open, in this process or another one");
  }
  return status;
}

// Opens and locks the file, then checks that it still has the name. Before the lock another process
// may have given the name to another file.
Status open_and_lock_the_named(const std::string& path, unsigned permissions, os::File& file) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    bool has_its_name = false;
    Status status = open_and_lock(path, permissions, file);
    if (status.ok()) status = file.has_its_name(has_its_name);
    if (!status.ok() || has_its_name) return status;
  }
  return Status::failure(Operation::open, path, ESTALE, std::nullopt,
                         "other files kept taking its name while it was being opened: try again");
}

// Syncs bytes that another process has written and may never have synced. If a sync has failed, the
// kernel still shows the bytes, takes them for clean, and reports ok for the next sync. So the
// kernel's copy is dropped, and from here on reads give the disk's bytes.
Status make_durable(os::File& file) {
  Status status = file.sync();
  if (status.ok()) file.forget_cached();
  return status;
}

// Opens and locks the file, makes it end with a whole record, and makes file, size and name
// durable.
Status open_whole(const std::string& path, const JournalOptions& options, os::File& file,
                  Recovered& recovered, std::optional<JournalFormat>& format) {
  std::uint64_t bytes = 0;
  Status status = open_and_lock_the_named(path, options.permissions, file);
  if (status.ok()) status = make_durable(file);
  if (status.ok()) status = file.size(bytes);
  if (!status.ok()) return status;
  if (options.framing == Framing::raw) {
    status = refuse_framed(file);
    if (status.ok()) status = refuse_compressed(file, bytes);
    if (status.ok()) recovered.whole_bytes = bytes;
  } else {
    status = recover(file, bytes, recovered, format);
    if (status.code().value() == EINVAL) {  // the other framing would refuse a compressed file too
      if (Status compressed = refuse_compressed(file, bytes); !compressed.ok()) status = compressed;
    }
  }
  return status.ok() ? file.sync_directory() : status;
}

std::uint64_t end_of(const JournalOptions& options, const Recovered& recovered) {
  const bool is_new = options.framing != Framing::raw && recovered.whole_bytes == 0;
  return is_new ? journal_header_bytes : recovered.whole_bytes;
}

}  // namespace

// An open Journal: the file, and the process that owns it.
class Journal::Core {
 public:
  Core(os::File file, const std::optional<JournalFormat>& format, std::uint64_t end)
      : is_framed_(format.has_value()), file_(std::move(file)), commits_(file_, format, end) {}

  bool allocate(std::size_t buffer_bytes) { return commits_.allocate(buffer_bytes); }

  bool is_parents() const { return fork_generation_ != os::fork_generation(); }
  Status belongs_to_parent() const {
    return Status::failure(Operation::write, file_.path(), ECANCELED, std::nullopt,
                           "a forked child cannot use the Journal: it belongs to its parent");
  }

  const std::string& path() const { return file_.path(); }
  GroupCommit& commits() { return commits_; }
  Status append(BytesView record, Ticket& ticket);
  Status close();

 private:
  const unsigned fork_generation_ = os::fork_generation();
  const bool is_framed_;
  os::File file_;
  GroupCommit commits_;  // declared after file_, which it uses until its end
};

Status Journal::Core::append(BytesView record, Ticket& ticket) {
  if (!is_framed_) return commits_.append(record, 0, ticket);
  if (record.size() > max_record_bytes) {
    return os::guarded_status(path(), [&] { return record_too_long(path(), record.size()); });
  }
  return commits_.append(record, crc32c(0, record), ticket);
}

// Keeps the first failure: a later failure does not hide it.
Status Journal::Core::close() {
  Status result = commits_.finish();
  for (Status status : {file_.unlock(), file_.close()}) {
    if (result.ok()) result = std::move(status);
  }
  return result;
}

Journal::Journal() noexcept
    : why_not_open_(not_open("(nothing)", "the Journal is not open")),
      close_result_(why_not_open_) {}

Journal::~Journal() {
  const os::CancellationHeldOff held_off;
  if (core_ && !core_->is_parents()) {
    if (Status status = close(); !status.ok()) report_lost_error(status);
  }
  core_.reset();  // in a forked child this closes the descriptor
}

Status Journal::open_anew(const std::string& path, const JournalOptions& options,
                          Recovered& found) {
  os::File file;
  std::optional<JournalFormat> format;
  Status status = check_options(options, path);
  if (status.ok()) status = open_whole(path, options, file, found, format);
  if (!status.ok()) return status;
  core_ = std::make_unique<Core>(std::move(file), format, end_of(options, found));
  if (core_->allocate(options.buffer_bytes)) return {};
  core_.reset();
  return os::no_memory(path);
}

Status Journal::open(const std::string& path, const JournalOptions& options, Recovered* recovered) {
  if (core_) {
    return Status::failure(Operation::open, path, EBUSY, std::nullopt,
                           "the Journal is open already");
  }
  Recovered found;
  const Status status = os::guarded_status(path, [&] { return open_anew(path, options, found); });
  if (recovered != nullptr) *recovered = std::move(found);
  why_not_open_ = close_result_ = status;
  return status;
}

Status Journal::append(BytesView record, Ticket& ticket) {
  if (!core_) return why_not_open_;
  return core_->is_parents() ? core_->belongs_to_parent() : core_->append(record, ticket);
}

Status Journal::append(std::string_view record, Ticket& ticket) {
  return append(std::as_bytes(std::span(record)), ticket);
}

Status Journal::commit(Ticket ticket) {
  if (!core_) return why_not_open_;
  return core_->is_parents() ? core_->belongs_to_parent() : core_->commits().commit(ticket);
}

Status Journal::durable_up_to(Ticket& ticket) {
  if (!core_) return why_not_open_;
  return core_->is_parents() ? core_->belongs_to_parent() : core_->commits().durable_up_to(ticket);
}

Status Journal::status() const {
  if (!core_) return close_result_;
  return core_->is_parents() ? core_->belongs_to_parent() : core_->commits().status();
}

bool Journal::is_open() const noexcept { return core_ != nullptr; }

Status Journal::close() {
  const os::CancellationHeldOff held_off;
  if (!core_) return close_result_;
  if (core_->is_parents()) return core_->belongs_to_parent();
  close_result_ = core_->close();
  why_not_open_ =
      close_result_.ok() ? not_open(core_->path(), "the Journal is closed") : close_result_;
  core_.reset();
  return close_result_;
}

}  // namespace sluice
