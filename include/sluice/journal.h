// Journal: an append file for many threads, in which what was committed survives a power cut.
//
//   sluice::Journal journal;
//   if (Status status = journal.open("orders.journal"); !status.ok()) return status;
//   sluice::Journal::Ticket ticket;                       // from here on in any thread:
//   Status status = journal.append(record, ticket);       // in order, in one piece
//   if (status.ok()) status = journal.commit(ticket);     // durable, or the Journal has failed
//
// The contract in short. Records lie in the file in the order of their tickets, each in one piece.
// commit() is ok only after an fdatasync that covers the record and all before it; commits that
// come while one is under way share the next. The first failure of a write or a sync is kept for
// ever: every waiting and every later call returns it, with the offset of the first byte that was
// not written or is not known to be durable, and nothing is tried again.
// Appended bytes that were not committed may be lost, and so may their end alone: the next open()
// finds what a power cut tore, keeps it in a file beside the Journal and cuts it off. It cuts off
// nothing that was committed: where such a record is damaged, open() fails and changes nothing.
// (With Framing::raw nobody knows.)
//
// Where memory runs out a call fails with ENOMEM, and the Journal goes on.
//
// An open Journal that is destroyed closes itself; a failure then goes to the lost-error handler
// (see sluice/writer.h).
//
// Threads: any thread may call anything at any time, but for open, close and the destructor, during
// which no other call may be under way. A thread of the Journal's own starts with the first
// durable_up_to() that finds something to do, and never in a program that only commits.
// pthread_cancel(): a thread that is cancelled finishes its call first, and ends at the next
// cancellation point: no call of the library is one. Cancellation is to be deferred, as it is by
// default; the asynchronous kind is not supported.
// fork(): a Journal belongs to the process that opened it. In the child every call fails with
// ECANCELED, nothing is written and the destructor is silent. A child that lives on keeps the file
// locked (EBUSY) when its parent is killed, until it ends or executes another program.
//
// That one commit syncs for all that wait is the group commit of databases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sluice/options.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

// What open() found in a file that was there already, in bytes and records. All of it is 0 and
// empty when open() failed before it had read the file through.
struct Recovered {
  std::uint64_t whole_bytes = 0;  // from the start of the file: kept, and durable now
  std::uint64_t records = 0;      // in them; 0 with Framing::raw, which does not know
  std::uint64_t torn_bytes = 0;   // behind them: cut off, unless open() has failed
  std::string torn_path;          // the file that has what was cut off; empty when nothing was,
                                  // or zeros in the place of a header
};

class Journal {
 public:
  // The position in the file just behind a record: what is larger came later.
  using Ticket = std::uint64_t;

  // With Framing::length_crc32c a record has at most this many bytes; with Framing::raw any number.
  static constexpr std::size_t max_record_bytes = std::size_t{64} << 20;

  Journal() noexcept;
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Opens the file at `path`, or creates it: its name is durable on return. Refused are a directory
  // (EISDIR), whatever else is no regular file (EINVAL), a file of another framing (EINVAL), and
  // one that a Journal has open already, in this process or another (EBUSY); all are left as they
  // are. No file is made in a directory that cannot be read, as a sync of its name needs (EACCES).
  // Framing::length_crc32c reads the file through, from the disk, up to the first record that is
  // damaged or incomplete; a JournalReader shows beforehand which records are whole. What follows
  // the whole ones
  //  - was never committed, as far as the marks in the file say: it is copied to a new file beside
  //    this one, `path` + ".torn-" + its position, which Recovered names, and then cut off. When
  //    it cannot be copied, open() fails and the file stays as it is.
  //  - was committed, by a mark's word: EBADMSG, with the offset of the damage. `recovered` says
  //    what there is, and the file stays as it is. So it does when its header is damaged.
  // The mark for the last commit of all is written when its sync has ended, and has no sync of its
  // own: after a power cut within the next half minute or so, damage to the records of that commit
  // looks like a torn end. docs/durability.md has what else cannot be told.
  // A file that has no more than parts of a header begins anew: a power cut leaves that of one that
  // was being created. What it had is kept like a torn end, unless it was zeros. One of the older
  // format "sluice journal 1" is refused (EINVAL).
  // With Framing::raw, bytes that an earlier process failed to sync are not noticed: what the disk
  // has in their place is what is read from now on. A raw file that begins with "sluice journal"
  // is taken for one of the other framing.
  // Options that make no sense fail with EINVAL; without the library that computes checksums,
  // Framing::length_crc32c fails with ENOTSUP; both name the option.
  Status open(const std::string& path, const JournalOptions& options = {},
              Recovered* recovered = nullptr);

  // Waits only while the buffer is full (options.buffer_bytes), until bytes have been written out.
  // A record that is too long is refused (EMSGSIZE), and the Journal goes on.
  Status append(BytesView record, Ticket& ticket);
  Status append(std::string_view record, Ticket& ticket);

  // Returns once the record and all before it are durable. A ticket beyond the last that was given
  // is refused (EINVAL), and the Journal goes on.
  Status commit(Ticket ticket);

  // Says without waiting up to where everything is durable, and sees to it that what is appended
  // becomes so: one thread can keep many records in flight. Every record with a ticket up to there
  // is durable; the position itself need not be a ticket, because a long record may be durable in
  // part. (When the system has no thread to give, the call does the work itself.)
  Status durable_up_to(Ticket& ticket);

  // ok, or the first failure.
  Status status() const;
  bool is_open() const noexcept;

  // Makes everything durable and releases the file and its lock. A second call returns what the
  // first one did.
  Status close();

 private:
  // Implementation details follow.
  class Core;  // src/core/journal.cc

  Status open_anew(const std::string& path, const JournalOptions& options, Recovered& found);

  std::unique_ptr<Core> core_;  // null unless open
  Status why_not_open_;
  Status close_result_;
};

// Reads the records of a Journal with Framing::length_crc32c, also while it is being written. It
// changes nothing and takes no lock. A JournalReader belongs to one thread at a time.
//
//   BytesView record;
//   while (reader.next(record)) ...
//   if (!reader.status().ok()) ...
class JournalReader {
 public:
  JournalReader() noexcept;
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  // Refused are a file of another framing or of the older format (EINVAL), a directory (EISDIR),
  // whatever else is no regular file (EINVAL), and a file whose header is damaged (EBADMSG).
  Status open(const std::string& path);

  // False at the end of what is whole, or after a failure: see status(). At the end it may be
  // called again, and goes on when the file has grown. `record` is valid until the next call.
  // Where a file that nobody writes has more bytes than position(), they are torn or damaged.
  bool next(BytesView& record);

  // Bytes from the start of the file that were whole: the ticket of the record that next() has just
  // given; when it has given none, the position behind the last mark that follows.
  std::uint64_t position() const noexcept;

  // ok, or the first failure. What is torn or damaged is none.
  const Status& status() const noexcept;

 private:
  class Core;

  Status open_anew(const std::string& path);

  std::unique_ptr<Core> core_;
  Status status_;
};

}  // namespace sluice
