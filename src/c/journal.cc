// The Journal of the C interface.
#include "sluice/journal.h"

#include <memory>
#include <new>
#include <string>

#include "c/error.h"
#include "c/handles.h"

using sluice::BytesView;
using sluice::Operation;
using sluice::Status;

namespace {

template <typename Handle, typename Call>
bool made(Handle* handle, Operation operation, sluice_error* error, Call call) noexcept {
  return sluice::c::made("the sluice_journal is NULL", handle, operation, error,
                         [&](Handle& of) { return call(of.journal); });
}

void describe(const sluice::Recovered& found, sluice_recovered* recovered) {
  if (recovered == nullptr) return;
  recovered->whole_bytes = found.whole_bytes;
  recovered->records = found.records;
  recovered->torn_bytes = found.torn_bytes;
  sluice::c::copy_text(found.torn_path, recovered->torn_path, sizeof recovered->torn_path);
}

// Makes a handle and calls `open` with it. Returns null after a failure.
template <typename Handle, typename Open>
Handle* opened(const char* path, sluice_error* error, Open open) noexcept {
  if (path == nullptr) {
    sluice::c::describe(sluice::c::is_null(Operation::open, "the path is NULL"), error);
    return nullptr;
  }
  std::unique_ptr<Handle> handle;
  const Status status = sluice::c::guarded(path, [&] {
    handle = std::make_unique<Handle>();
    return open(*handle, std::string(path));
  });
  return sluice::c::succeeds(status, error) ? handle.release() : nullptr;
}

}  // namespace

sluice_journal* sluice_journal_open(const char* path, const sluice_journal_options* options,
                                    sluice_recovered* recovered, sluice_error* error) {
  describe({}, recovered);
  return opened<sluice_journal>(path, error, [&](sluice_journal& handle, const std::string& name) {
    sluice::JournalOptions taken;
    Status status = sluice::c::take_options(name, options, taken);
    if (!status.ok()) return status;
    sluice::Recovered found;
    status = handle.journal.open(name, taken, &found);
    describe(found, recovered);
    return status;
  });
}

bool sluice_journal_append(sluice_journal* journal, const void* record, size_t bytes,
                           uint64_t* ticket, sluice_error* error) {
  return made(journal, Operation::write, error, [&](sluice::Journal& of) {
    return of.append(BytesView(static_cast<const std::byte*>(record), bytes), *ticket);
  });
}

bool sluice_journal_commit(sluice_journal* journal, uint64_t ticket, sluice_error* error) {
  return made(journal, Operation::sync, error,
              [&](sluice::Journal& of) { return of.commit(ticket); });
}

bool sluice_journal_durable_up_to(sluice_journal* journal, uint64_t* ticket, sluice_error* error) {
  return made(journal, Operation::sync, error,
              [&](sluice::Journal& of) { return of.durable_up_to(*ticket); });
}

bool sluice_journal_status(const sluice_journal* journal, sluice_error* error) {
  return made(journal, Operation::write, error,
              [](const sluice::Journal& of) { return of.status(); });
}

bool sluice_journal_is_open(const sluice_journal* journal) {
  return journal != nullptr && journal->journal.is_open();
}

bool sluice_journal_close(sluice_journal* journal, sluice_error* error) {
  return made(journal, Operation::close, error, [](sluice::Journal& of) { return of.close(); });
}

void sluice_journal_free(sluice_journal* journal) { delete journal; }

sluice_journal_reader* sluice_journal_reader_open(const char* path, sluice_error* error) {
  return opened<sluice_journal_reader>(path, error,
                                       [](sluice_journal_reader& handle, const std::string& name) {
                                         return handle.reader.open(name);
                                       });
}

const void* sluice_journal_reader_next(sluice_journal_reader* reader, size_t* bytes) {
  static const char nothing = 0;  // where a record of 0 bytes lies
  BytesView record;
  const bool is_there = reader != nullptr && reader->reader.next(record);
  *bytes = is_there ? record.size() : 0;
  if (!is_there) return nullptr;
  return record.empty() ? static_cast<const void*>(&nothing) : record.data();
}

uint64_t sluice_journal_reader_position(const sluice_journal_reader* reader) {
  return reader == nullptr ? 0 : reader->reader.position();
}

bool sluice_journal_reader_status(const sluice_journal_reader* reader, sluice_error* error) {
  return sluice::c::succeeds(
      reader == nullptr ? sluice::c::is_null(Operation::read, "the sluice_journal_reader is NULL")
                        : reader->reader.status(),
      error);
}

void sluice_journal_reader_free(sluice_journal_reader* reader) { delete reader; }
