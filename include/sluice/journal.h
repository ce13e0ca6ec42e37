// Journal: an append-only file for many threads, in which committed records survive a power cut.
//
//   sluice::Journal journal;
//   if (Status status = journal.open("orders.journal"); !status.ok()) return status;
//   sluice::Journal::Ticket ticket = 0;                // from here on in any thread:
//   Status status = journal.append(record, ticket);    // in order, in one piece
//   if (status.ok()) status = journal.commit(ticket);  // durable, or the Journal has failed
//
// The contract in short:
//  - Records lie in the file in the order of their tickets, each in one piece.
//  - commit() is ok only after an fdatasync that covers the record and all records before it.
//    Commits that arrive while a sync is under way share the next one. (Databases call this group
//    commit.)
//  - The first failure of a write or a sync is kept for ever. Every waiting call and every later
//    call returns it, with the offset of the first byte that was not written or is not known to be
//    durable. The Journal never tries a failed write or sync again.
//  - After a crash, appended bytes that were not committed may be lost, either all of them or only
//    the last ones. If a power cut has torn the end of the file, the next open() copies the torn
//    bytes to a file beside the Journal and cuts them off.
//  - open() never cuts off a committed record that a crash has left whole. If a committed record is
//    damaged, open() fails and changes nothing. But damage to the records of the very last commit
//    may look like a torn end, which open() cuts off: see open(). (With Framing::raw, open() cannot
//    recognise damage, and cuts nothing off.)
//
// If memory runs out, a call fails with ENOMEM, and the Journal goes on.
// An open Journal that is destroyed closes itself. A failure then goes to the lost-error handler
// (sluice/lost_error.h).
//
// Threads: any thread may call anything at any time. The exceptions are open, close and the
// destructor: no other call may be under way during them. The Journal starts a thread of its own
// when durable_up_to() first finds a record that is not durable yet. If the program never calls
// durable_up_to(), the Journal starts no thread.
//
// pthread_cancel(): a thread that is cancelled finishes its call first, and ends at the next
// cancellation point. No call of a Journal is a cancellation point. Only deferred cancellation (the
// default) is supported, asynchronous cancellation is not.
//
// fork(): a Journal belongs to the process that opened it. In the child every call fails with
// ECANCELED, nothing is written, and the destructor is silent. If the parent is killed, a child
// that lives on keeps the file locked (EBUSY) until the child ends or executes another program.
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

// The bytes that open() found in a file that existed. If open() fails with EBADMSG, the numbers
// describe the bytes before and after the damage. After any other failure to read the file, the
// numbers are 0 and torn_path is empty.
struct Recovered {
  // The number of bytes from the start of the file to the end of the last whole record, or to the
  // end of the marks that follow this record (see Journal::open). With Framing::raw this is the
  // size of the file. open() has kept these bytes, and they are durable now.
  std::uint64_t whole_bytes = 0;
  // Records in whole_bytes. Always 0 with Framing::raw, which cannot count them.
  std::uint64_t records = 0;
  // Bytes after whole_bytes. open() has cut them off, unless it has failed.
  std::uint64_t torn_bytes = 0;
  // The file that has the bytes that were cut off. Empty if nothing was cut off, or if the bytes
  // were only zeros in the place of a header.
  std::string torn_path;
};

class Journal {
 public:
  // A position in the file. append() gives the position at which the record ends, so a larger
  // ticket of append() belongs to a later record. durable_up_to() may give a position inside a
  // record.
  using Ticket = std::uint64_t;

  // With Framing::length_crc32c a record has at most this many bytes; with Framing::raw any number.
  static constexpr std::size_t max_record_bytes = std::size_t{64} << 20;

  // A Journal stays at its place: it can neither be copied nor moved.
  Journal() noexcept;
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Opens the file at `path`, or creates it. Its name is durable on return.
  //
  // open() refuses the following, and changes nothing:
  //  - a directory (EISDIR), and any other target that is not a regular file (EINVAL)
  //  - a file of another framing, or of the older format "sluice journal 1" (EINVAL). A raw file of
  //    32 bytes or more that begins with "sluice journal" counts as a file of the other framing, so
  //    the first record of a raw Journal must not begin with these words.
  //  - a file that open_compressed() has finished (EINVAL), because a Journal does not compress.
  //    With Framing::raw, open() does not see this if the Writer of the file was killed or is still
  //    at work, or if bytes were added behind the file.
  //  - a file that a Journal of this or another process has open (EBUSY)
  //  - a file whose header is damaged (EBADMSG)
  //  - a path whose directory cannot be read (EACCES), also if the file exists: open() has to read
  //    the directory to make the file's name durable
  //  - options that make no sense (EINVAL). The message names the option.
  //
  // With Framing::length_crc32c, open() reads the file from the disk up to the first record that is
  // damaged or incomplete. "The rest" means this record and all bytes after it. (To see which
  // records are whole before open() changes the file, use a JournalReader.) Between the records the
  // file has marks. Each mark says up to which position everything was durable:
  //  - If no mark says that any byte of the rest was durable, the rest counts as torn by a power
  //    cut. open() copies the rest to a new file, `path` + ".torn-" + the position where the rest
  //    begins, and then cuts it off. Recovered::torn_path names the new file. If the rest cannot be
  //    copied, open() fails and the file stays as it is.
  //  - If a mark says that bytes of the rest were durable, a committed record is damaged. open()
  //    fails with EBADMSG and the offset of the damage. The file stays as it is, and `recovered`
  //    says how many of its bytes are whole.
  // The mark for the very last commit is written after that commit's sync, and has no sync of its
  // own. After a power cut within the next half minute or so, damage to the records of that commit
  // therefore looks like a torn end. docs/durability.md says what else open() cannot tell.
  //
  // A file that has only parts of a header begins anew, because a power cut leaves such a file when
  // it interrupts the creation. Its old bytes are copied to a file beside it, as a torn end is,
  // unless they were zeros.
  //
  // With Framing::raw, open() cannot see that a sync of an earlier process failed. The file may
  // then have wrong bytes, and open() is ok.
  Status open(const std::string& path, const JournalOptions& options = {},
              Recovered* recovered = nullptr);

  // Appends a record. If the buffer (options.buffer_bytes) is full, the call waits until bytes of
  // it have been written. A record that is too long is refused (EMSGSIZE), and the Journal goes on.
  Status append(BytesView record, Ticket& ticket);
  Status append(std::string_view record, Ticket& ticket);

  // Waits until the record and all records before it are durable, and returns ok. If the Journal
  // fails, commit() returns the failure. A ticket larger than the last one that append() gave is
  // refused (EINVAL), and the Journal goes on.
  Status commit(Ticket ticket);

  // Sets `ticket` to the position up to which everything is durable. Every record with a ticket up
  // to that position is durable. The position may lie inside a record, because a long record may be
  // durable in part. The call does not wait. It also starts making the appended records durable in
  // the background, so one thread can keep many records in flight. (If the system gives no thread,
  // the call makes them durable itself, and waits.)
  Status durable_up_to(Ticket& ticket);

  // ok, or the first failure.
  Status status() const;

  // True from an ok open() to the first close().
  bool is_open() const noexcept;

  // Makes everything durable, and releases the file and its lock. A second call returns the result
  // of the first one.
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
//   for (BytesView record; reader.next(record);) use(record);
//   return reader.status();
class JournalReader {
 public:
  // A JournalReader stays at its place: it can neither be copied nor moved.
  JournalReader() noexcept;
  ~JournalReader();
  JournalReader(const JournalReader&) = delete;
  JournalReader& operator=(const JournalReader&) = delete;

  // Refuses a file of another framing or of the older format (EINVAL), a directory (EISDIR), any
  // other target that is not a regular file (EINVAL), and a file whose header is damaged (EBADMSG).
  Status open(const std::string& path);

  // Gives the next record, which is valid until the next call of this JournalReader. Returns false
  // after the last whole record, and after a failure; status() is ok only in the first case. After
  // the last record the program may call next() again, which goes on if the file has grown. If no
  // process writes the file and it has more bytes than position(), those bytes are torn or damaged.
  bool next(BytesView& record);

  // The number of bytes from the start of the file that are known to be whole. If the last next()
  // gave a record, this is the record's ticket. If it gave no record, this is the position after
  // the marks that follow the last record.
  std::uint64_t position() const noexcept;

  // ok, or the first failure. Torn or damaged bytes after the header are not a failure.
  const Status& status() const noexcept;

 private:
  class Core;

  Status open_anew(const std::string& path);

  std::unique_ptr<Core> core_;
  Status status_;
};

}  // namespace sluice
