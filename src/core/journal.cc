#include "sluice/journal.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "backend/options.h"
#include "core/group_commit.h"
#include "core/journal_records.h"
#include "core/lost_error.h"
#include "os/cancellation.h"
#include "os/guarded.h"
#include "os/process.h"

namespace sluice {
namespace {

Status not_open(std::string_view path, std::string_view reason) {
  return Status::failure(Operation::write, path, EBADF, std::nullopt, reason);
}

Status scan(os::File& file, std::uint64_t bytes, Recovered& recovered) {
  RecordScanner scanner(file);
  ConstBytes payload;
  for (bool found = true; found; recovered.records += found ? 1 : 0) {
    if (Status status = scanner.next(payload, found); !status.ok()) return status;
  }
  recovered.whole_bytes = scanner.position();
  recovered.torn_bytes = bytes - std::min(bytes, recovered.whole_bytes);
  return {};
}

// Damage in the middle looks like a torn end, and behind it lies what was committed.
Status refuse_too_torn(const os::File& file, const Recovered& recovered, std::uint64_t most) {
  if (recovered.torn_bytes <= most) return {};
  return Status::failure(Operation::read, file.path(), EBADMSG, recovered.whole_bytes,
                         "no whole record is there, and " + std::to_string(recovered.torn_bytes) +
                             " bytes follow, more than option most_torn_bytes=" +
                             std::to_string(most) + " allows to cut off");
}

// Reads the records through, cuts off what follows them, and sees to the header.
Status recover(os::File& file, std::uint64_t bytes, const JournalOptions& options,
               Recovered& recovered) {
  Status status = scan(file, bytes, recovered);
  if (status.ok()) status = refuse_too_torn(file, recovered, options.most_torn_bytes);
  if (status.ok() && recovered.torn_bytes != 0) status = file.truncate(recovered.whole_bytes);
  if (status.ok() && recovered.whole_bytes == 0) {
    const ConstBytes header = std::as_bytes(std::span(journal_header));
    std::size_t written = 0;
    status = file.write_at(0, {&header, 1}, written);
  }
  const bool has_changed = recovered.torn_bytes != 0 || recovered.whole_bytes == 0;
  return status.ok() && has_changed ? file.sync() : status;
}

// A record behind a header and its records would be cut off by the next who reads them.
Status refuse_framed(os::File& file) {
  RecordScanner scanner(file);
  RecordScanner::Header header;
  if (Status status = scanner.read_header(header); !status.ok()) return status;
  return header == RecordScanner::Header::whole ? other_framing(file.path(), "raw") : Status();
}

Status open_and_lock(const std::string& path, unsigned permissions, os::File& file) {
  Status status = os::File::open(path, os::File::Access::update, permissions, file);
  if (!status.ok()) return status;
  std::uint64_t bytes = 0;
  if (status = file.size(bytes); status.code().value() == ESPIPE) {
    return Status::failure(Operation::open, path, EINVAL, std::nullopt,
                           "a Journal needs a regular file");
  }
  if (status.ok()) status = file.lock();
  if (status.code().value() == EBUSY) {
    return Status::failure(Operation::open, path, EBUSY, std::nullopt,
                           "the Journal is open elsewhere");
  }
  return status;
}

// The file that has the name once it is locked: until then the name may have gone to another.
Status open_and_lock_the_named(const std::string& path, unsigned permissions, os::File& file) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    bool has_its_name = false;
    Status status = open_and_lock(path, permissions, file);
    if (status.ok()) status = file.has_its_name(has_its_name);
    if (!status.ok() || has_its_name) return status;
  }
  return Status::failure(Operation::open, path, ESTALE, std::nullopt,
                         "the file is replaced by another again and again");
}

// What another process had written, and maybe never synced, is now ours to keep. What it could not
// sync still looks whole: the kernel shows the bytes, calls them clean and says ok to the next
// sync. So they are dropped, and what is read from here on is what the disk has.
Status make_durable(os::File& file) {
  Status status = file.sync();
  if (status.ok()) file.forget_cached();
  return status;
}

// Opens and locks the file, makes it end with a whole record, and makes that durable: file, size
// and name.
Status open_whole(const std::string& path, const JournalOptions& options, os::File& file,
                  Recovered& recovered) {
  std::uint64_t bytes = 0;
  Status status = open_and_lock_the_named(path, options.permissions, file);
  if (status.ok()) status = make_durable(file);
  if (status.ok()) status = file.size(bytes);
  if (!status.ok()) return status;
  recovered.whole_bytes = bytes;
  status = options.framing == Framing::raw ? refuse_framed(file)
                                           : recover(file, bytes, options, recovered);
  return status.ok() ? file.sync_directory() : status;
}

std::uint64_t end_of(const JournalOptions& options, const Recovered& recovered) {
  const bool is_new = options.framing != Framing::raw && recovered.whole_bytes == 0;
  return is_new ? journal_header.size() : recovered.whole_bytes;
}

}  // namespace

// What an open Journal has: the file, and whose it is.
class Journal::Core {
 public:
  Core(os::File file, Framing framing, std::uint64_t end)
      : framing_(framing), file_(std::move(file)), commits_(file_, end) {}

  bool allocate(std::size_t buffer_bytes) { return commits_.allocate(buffer_bytes); }

  bool is_parents() const { return fork_generation_ != os::fork_generation(); }
  Status belongs_to_parent() const {
    return Status::failure(Operation::write, file_.path(), ECANCELED, std::nullopt,
                           "the Journal belongs to the process that opened it");
  }

  const std::string& path() const { return file_.path(); }
  GroupCommit& commits() { return commits_; }
  Status append(ConstBytes record, Ticket& ticket);
  Status close();

 private:
  const unsigned fork_generation_ = os::fork_generation();
  const Framing framing_;
  os::File file_;
  GroupCommit commits_;  // after file_, which it uses to the last
};

Status Journal::Core::append(ConstBytes record, Ticket& ticket) {
  if (framing_ == Framing::raw) return commits_.append({&record, 1}, ticket);
  if (record.size() > most_record_bytes) {
    return Status::failure(Operation::write, file_.path(), EMSGSIZE, std::nullopt,
                           "a record of " + std::to_string(record.size()) +
                               " bytes, more than framing=length_crc32c allows");
  }
  const std::array<std::byte, record_head_bytes> head = head_of_record(record);
  const ConstBytes pieces[] = {head, record};
  return commits_.append(pieces, ticket);
}

// The first failure of all: one that comes after it does not hide it.
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
  Status status = check_options(options, path);
  if (status.ok()) status = open_whole(path, options, file, found);
  if (!status.ok()) return status;
  core_ = std::make_unique<Core>(std::move(file), options.framing, end_of(options, found));
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
  const bool was_scanned = status.ok() || status.code().value() == EBADMSG;
  if (recovered != nullptr) *recovered = was_scanned ? found : Recovered();
  why_not_open_ = close_result_ = status;
  return status;
}

Status Journal::append(ConstBytes record, Ticket& ticket) {
  if (!core_) return why_not_open_;
  if (core_->is_parents()) return core_->belongs_to_parent();
  return os::guarded_status(core_->path(), [&] { return core_->append(record, ticket); });
}

Status Journal::append(std::string_view record, Ticket& ticket) {
  return append(std::as_bytes(std::span(record)), ticket);
}

Status Journal::commit(Ticket ticket) {
  const os::CancellationHeldOff held_off;
  if (!core_) return why_not_open_;
  return core_->is_parents() ? core_->belongs_to_parent() : core_->commits().commit(ticket);
}

Status Journal::durable_up_to(Ticket& ticket) {
  const os::CancellationHeldOff held_off;
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
