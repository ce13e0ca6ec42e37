// Sink: where a Writer's full blocks go (a file, memory, a compressor, an object store).
//
// A Sink is called by one thread at a time, though not always by the same one: with write-behind
// the calls come from a thread of the engine's. It is called once per block, so a virtual call
// costs nothing.
// It may write through a Writer of its own, and may wait for a thread that does: no Writer waits
// for the blocks of another one. It must not throw. In a forked child it is destroyed without
// close(): its destructor must then write nothing.
// Implement one to give a Writer a new target; src/testing/sink_contract.h holds the test that
// every Sink must pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sluice/bytes.h"
#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

class Sink {
 public:
  virtual ~Sink() = default;

  // Writes the pieces, in order, at byte `position` of the target. Positions are contiguous: each
  // call starts where the last one ended, the first one at start_position(), or where seek() said.
  // `written` is the number of bytes that reached the target: all of them on success, on failure
  // those before the first byte that was not written.
  // A failed write is never repeated by the Writer.
  virtual Status write(std::uint64_t position, std::span<const BytesView> pieces,
                       std::size_t& written) = 0;

  // Writes the bytes at `position`, over what is there, and leaves alone where the next write()
  // goes. Where `position` lies behind the end of the target, zeros fill the gap. `written`
  // and failures are as with write(). A Sink without positions fails with ESPIPE, as this one does:
  // nothing has changed then, and writing may go on.
  virtual Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written);

  // The next write() goes to `position`; what is there stays until then. A Sink without positions
  // fails with ESPIPE, as this one does, and writing may go on.
  virtual Status seek(std::uint64_t position);

  // Makes everything written so far durable. A failure is final, but for one with EINVAL, ENOTSUP
  // or ENOSYS: it says that the target cannot be made durable at all, and writing may go on. So it
  // may after one with Operation::sync_directory: the bytes are durable, the name may not be.
  virtual Status sync() = 0;

  // True when nothing shows in the target before publish(): a Writer can then be discarded, and one
  // that is destroyed without close() leaves the target as it was.
  virtual bool is_staged() { return false; }

  // Puts everything written in place, in one step, and makes it durable where the Sink is staged.
  // Called by the Writer's close() after every write, when all of them and everything else have
  // succeeded; close() follows. After a failure with Operation::sync_directory (everything is in
  // place, but may not survive a power cut) it may be called again, to finish that only.
  virtual Status publish() { return {}; }

  // Releases the target. Called at most once, and last. The destructor releases it too, silently.
  // Both leave the target of a staged Sink as it was unless publish() has put something there.
  virtual Status close() = 0;

  // True when a person watches: every line is then written as soon as it is complete. Asked once,
  // before the first byte is buffered.
  virtual bool wants_lines() { return false; }

  // True when write() is slow enough that handing it to another thread may pay, and does not wait
  // for another process (a pipe's reader, say): it would keep one of the engine's two threads, and
  // other Writers would do without. Asked once, if at all, when a full-grown block is full.
  virtual bool allows_write_behind() { return false; }

  // True for a failure of this Sink's that is nobody's loss: who reads standard output has seen
  // enough, and has gone. A Writer that is destroyed after it is then silent.
  virtual bool is_ordinary_end(const Status& failure);

  // The position of the first byte that will be written: 0, or the end of a file that is appended
  // to.
  virtual std::uint64_t start_position() { return 0; }

  // The name used in messages.
  virtual const std::string& path() const = 0;
};

// Opens the file at `path` for writing, as a Writer would. Regular files are written at explicit
// positions; pipes, terminals and devices in sequence.
Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink);

// Writes to an open descriptor, which stays the caller's: it is not closed, and its file offset
// moves as it would under write(2). One that is not open for writing fails with EBADF. `name` is
// used in messages; of the options all but `create` and `permissions` count.
Status open_descriptor_sink(int descriptor, const std::string& name, const WriterOptions& options,
                            std::unique_ptr<Sink>& sink);

// Appends to `target`, which must outlive the Sink. Memory cannot be made durable: sync() fails
// with ENOTSUP. Null when there is no memory for the Sink.
std::unique_ptr<Sink> make_memory_sink(std::string& target);
std::unique_ptr<Sink> make_memory_sink(std::vector<std::byte>& target);
std::unique_ptr<Sink> make_memory_sink(Bytes& target);

}  // namespace sluice
