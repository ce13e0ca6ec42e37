#include "core/journal_recovery.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "core/block.h"
#include "core/journal_records.h"
#include "os/directory.h"
#include "os/failed_call.h"

namespace sluice {
namespace {

constexpr std::size_t copied_bytes = 256 * 1024;  // copied at a time

Status write_whole(os::File& file, std::uint64_t position, BytesView bytes) {
  std::size_t written = 0;
  return file.write_at(position, {&bytes, 1}, written);
}

Status scan(RecordScanner& scanner, std::uint64_t bytes, Recovered& recovered) {
  BytesView payload;
  for (bool found = true; found; recovered.records += found ? 1 : 0) {
    if (Status status = scanner.next(payload, found); !status.ok()) return status;
  }
  recovered.whole_bytes = scanner.position();
  recovered.torn_bytes = bytes - std::min(bytes, recovered.whole_bytes);
  return {};
}

// A power cut cannot tear bytes that a mark covers: they were durable before the mark was written.
Status refuse_damage(os::File& file, const JournalFormat& format, std::uint64_t whole_bytes) {
  std::optional<FoundMark> mark;
  Status status = find_mark_beyond(file, format, whole_bytes, mark);
  if (!status.ok() || !mark) return status;
  return Status::failure(Operation::read, file.path(), EBADMSG, whole_bytes,
                         "a committed record is damaged or missing: the mark at byte " +
                             std::to_string(mark->at) + " says that everything before byte " +
                             std::to_string(mark->durable) + " was durable");
}

// A new file beside the Journal. The destructor removes the file, unless keep() has succeeded.
class TornCopy {
 public:
  TornCopy() = default;
  ~TornCopy() {
    if (is_there_) os::remove_file(path_);
  }
  TornCopy(const TornCopy&) = delete;
  TornCopy& operator=(const TornCopy&) = delete;

  // For the bytes that are torn from byte `position` on.
  Status create(const std::string& journal, std::uint64_t position);
  os::File& file() { return file_; }
  const std::string& path() const { return path_; }
  Status keep(std::string& path);

 private:
  std::string path_;  // the path that was tried last
  bool is_there_ = false;
  os::File file_;
};

Status TornCopy::create(const std::string& journal, std::uint64_t position) {
  constexpr int max_names = 1000;
  const std::string first = journal + ".torn-" + std::to_string(position);
  Status status;
  for (int i = 1; i <= max_names; ++i) {
    path_ = i == 1 ? first : first + "-" + std::to_string(i);
    status = os::File::open(path_, os::File::Access::exclusive, 0600, file_);
    is_there_ = status.ok();
    if (status.code().value() != EEXIST) return status;
  }
  return status;
}

Status TornCopy::keep(std::string& path) {
  Status status = file_.sync();
  if (status.ok()) status = file_.sync_directory();
  if (status.ok()) status = file_.close();
  if (!status.ok()) return status;
  is_there_ = false;
  path = std::move(path_);
  return {};
}

Status copy_from(os::File& file, std::uint64_t begin, os::File& copy) {
  const Block block = Block::allocate(copied_bytes);
  if (!block) return Status::failure(Operation::allocate, file.path(), ENOMEM, begin);
  for (std::uint64_t done = 0;;) {
    std::size_t got = 0;
    Status status = file.read_at(begin + done, {block.data(), block.bytes()}, got);
    if (!status.ok() || got == 0) return status;
    if (status = write_whole(copy, done, {block.data(), got}); !status.ok()) return status;
    done += got;
  }
}

Status keep_torn(os::File& file, Recovered& recovered) {
  TornCopy copy;
  Status status = copy.create(file.path(), recovered.whole_bytes);
  if (status.ok()) status = copy_from(file, recovered.whole_bytes, copy.file());
  if (status.ok()) status = copy.keep(recovered.torn_path);
  if (status.ok()) return status;
  return os::failed_call(status.operation(), file.path(), status.code().value(),
                         {"its torn end cannot be kept in ", copy.path()});
}

// Tells whether a file of at most a header's length has bytes other than zeros.
Status has_more_than_zeros(os::File& file, bool& result) {
  std::array<std::byte, journal_header_bytes> bytes{};
  std::size_t got = 0;
  Status status = file.read_at(0, bytes, got);
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  result = !std::all_of(bytes.begin(), bytes.end(), is_zero);
  return status;
}

// A file that has only a torn header holds no record. But the file may be a short file of another
// program, so its bytes are kept like every torn end.
Status begin_anew(os::File& file, std::uint64_t bytes, Recovered& recovered,
                  std::optional<JournalFormat>& format) {
  JournalFormat::FileId id;
  Status status = os::random_bytes(file.path(), id);
  if (!status.ok()) return status;
  format.emplace(id);
  bool is_worth_keeping = false;
  if (status = has_more_than_zeros(file, is_worth_keeping); !status.ok()) return status;
  if (is_worth_keeping) status = keep_torn(file, recovered);
  if (bytes != 0 && status.ok()) status = file.truncate(0);
  if (status.ok()) status = write_whole(file, 0, format->header());
  return status.ok() ? file.sync() : status;
}

// Writes the mark for the records that were read. They are durable, but the process that wrote them
// may have died before it wrote their mark. The first round writes the same bytes to the same
// place.
Status leave_missing_mark(os::File& file, std::uint64_t end, const JournalFormat& format) {
  return write_whole(file, end, format.mark(end, end));
}

}  // namespace

Status recover(os::File& file, std::uint64_t bytes, Recovered& recovered,
               std::optional<JournalFormat>& format) {
  RecordScanner scanner(file);
  HeaderState header;
  recovered = Recovered();
  recovered.torn_bytes = bytes;
  Status status = scanner.read_header(header);
  if (status.ok()) status = refusal_of(header, file.path());
  if (status.ok() && header == HeaderState::torn) return begin_anew(file, bytes, recovered, format);

  if (status.ok()) {
    format = scanner.format();
    status = scan(scanner, bytes, recovered);
  }
  if (!status.ok()) {
    if (status.code().value() != EBADMSG) recovered = Recovered();  // nothing is known
    return status;
  }
  const bool is_torn = recovered.torn_bytes != 0;
  if (is_torn) status = refuse_damage(file, *format, recovered.whole_bytes);
  if (is_torn && status.ok()) status = keep_torn(file, recovered);
  if (is_torn && status.ok()) status = file.truncate(recovered.whole_bytes);
  const bool lacks_mark = !scanner.is_marked();
  if (lacks_mark && status.ok()) status = leave_missing_mark(file, recovered.whole_bytes, *format);
  return status.ok() && (is_torn || lacks_mark) ? file.sync() : status;
}

}  // namespace sluice
