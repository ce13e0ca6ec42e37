// Sink: where a Writer's full blocks go (a file, memory, a compressor, an object store).
//
// Implement a Sink to give a Writer a new target. src/testing/sink_contract.h holds the test that
// every Sink must pass.
//
// Threads: one thread at a time calls a Sink, but not always the same thread: with write-behind,
// write() may be called by one of the library's own threads (the engine, see WriteBehind). The
// thread that uses the Writer makes all other calls. A Sink may write through a Writer of its own.
// A Sink may also wait for another thread that writes through a Writer, because no Writer waits for
// the blocks of another Writer.
// A Sink must not throw. In a forked child the Sink is destroyed without close(); its destructor
// must then write nothing.
// A Sink is called once per block, so its virtual calls cost next to nothing.
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
  virtual ~Sink() = default;  // releases the target if close() has not

  // Writes the pieces, in order, at byte `position` of the target. Positions are contiguous: the
  // first call starts at start_position(), and each further call starts where the last one ended
  // or where seek() said. A piece may be empty, and its pointer may then be null. There may be no
  // pieces at all.
  // `written` is the number of bytes that reached the target. On success these are all bytes; on
  // failure they are the bytes before the first byte that was not written.
  // The Writer never repeats a failed write. If the Status is ok and `written` is too small, the
  // Writer fails with EIO.
  virtual Status write(std::uint64_t position, std::span<const BytesView> pieces,
                       std::size_t& written) = 0;

  // Writes the bytes at `position`, over the old bytes there. The next write() goes where it would
  // have gone without this call. If `position` is past the end of the target, zeros fill the gap.
  // `written` and failures are as with write().
  // A Sink without positions fails with ESPIPE, as this base class does, even if `bytes` is empty.
  // After ESPIPE nothing has changed, and writing may go on. To ask whether the Sink supports
  // write_at(), the Writer calls it with empty `bytes`. Such a call must change nothing.
  virtual Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written);

  // Makes the next write() go to `position`; the old bytes there stay until that write. A Sink
  // without positions fails with ESPIPE, as this base class does. A position that is too large
  // fails with EFBIG. After either failure the next write() goes where it would have gone without
  // the seek. To ask whether the Sink supports seek(), the Writer seeks to the place where the next
  // write() goes anyway.
  virtual Status seek(std::uint64_t position);

  // Makes everything written so far durable. After a failure of sync() the Writer has failed, with
  // two exceptions (which do not hold for Durability::every_write):
  //  - Operation::sync with EINVAL, ENOTSUP or ENOSYS: the target cannot be made durable at all.
  //    Writing may go on.
  //  - Operation::sync_directory: the bytes are durable, the name may not be. Writing may go on.
  virtual Status sync() = 0;

  // True if nothing shows in the target before publish(). A Writer with such a Sink can be
  // discarded. If the Writer is destroyed without close(), the target stays as it was.
  virtual bool is_staged() { return false; }

  // Makes everything that was written appear in the target, in one step. A staged Sink also makes
  // it durable.
  // The Writer's close() calls publish() after the last write, if everything has succeeded. close()
  // of the Sink follows, unless publish() fails with Operation::sync_directory. A failure with
  // Operation::sync_directory says that the target has everything, but may lose it in a power cut.
  // publish() may then be called again, and only syncs the directory.
  virtual Status publish() { return {}; }

  // Releases the target. The Writer calls close() at most once, and after all other calls. The
  // destructor releases the target too, silently. If publish() has put nothing in place, close()
  // and the destructor leave the target of a staged Sink as it was.
  virtual Status close() = 0;

  // True if a person watches the target: the Writer then writes every line as soon as it is
  // complete. The Writer asks once, before it buffers the first byte.
  virtual bool wants_lines() { return false; }

  // True if a thread of the engine may call write(), and write() takes so long that write-behind
  // saves time. A Sink whose write() waits for another process (for example a pipe's reader) must
  // say false, because it would keep one of the engine's two threads from working for other
  // Writers. The Writer asks at most once, when a block that has grown to options.block_bytes is
  // full.
  virtual bool allows_write_behind() { return false; }

  // True if the Sink does more at a time with a full block than with a part of one, as a Sink that
  // compresses the parts of a block at the same time. The Writer then copies every write that is
  // smaller than a block into its block. Otherwise a write of a sixteenth of a block may leave
  // without a copy. The Writer asks once, when it is opened.
  virtual bool wants_full_blocks() { return false; }

  // True if write() works for long on the bytes themselves, as a Sink that compresses them. Such
  // Sinks share two threads of their own, and take none of the engine's. Their blocks are written
  // behind from the first block on. The Writer asks when its first block is full.
  virtual bool is_compute_bound() { return false; }

  // True if `failure` is an ordinary end of this Sink: no reader wants the bytes any more. For
  // example, the process that reads standard output has ended. A Writer that is destroyed after
  // such a failure reports nothing to the lost-error handler.
  virtual bool is_ordinary_end(const Status& failure);

  // The position of the first byte that will be written: 0; the end of a target to which the Sink
  // appends; or the file offset of a descriptor.
  virtual std::uint64_t start_position() { return 0; }

  // The least durability that a Writer gives the bytes, whatever the options of the Writer say. The
  // Writer asks once, when it is opened.
  virtual Durability durability() { return Durability::none; }

  // If this is more than 1, the Sink writes fastest what begins at a multiple of this number of
  // bytes, in memory and in the target, and has a multiple of this number of bytes. The Writer then
  // copies large payloads into its blocks, which are aligned in this way, unless a payload of a
  // block or more is aligned itself. Writes that are not aligned must work too. The Writer asks
  // once, when it is opened.
  virtual std::size_t block_alignment() { return 1; }

  // The name used in messages.
  virtual const std::string& path() const = 0;
};

// Opens the file at `path` for writing, as a Writer would. Regular files are written at explicit
// positions; pipes, terminals and devices in sequence. The Sink uses `create`, `durability`,
// `permissions`, `write_back_bytes`, `cache` and `direct` of the options. The Writer that gets the
// Sink has options of its own. If the two durabilities differ, the stronger one holds.
Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink);

// Writes to an open descriptor, which stays the caller's: the Sink does not close it, and its file
// offset moves as it would under write(2). A descriptor that is not open for writing fails with
// EBADF. On Windows a descriptor is one of the C runtime. `name` is used in messages. The options
// `create` and `permissions` are ignored, and Direct::on fails with EINVAL.
Status open_descriptor_sink(int descriptor, const std::string& name, const WriterOptions& options,
                            std::unique_ptr<Sink>& sink);

// Appends to `target`, which must outlive the Sink. Position 0 is the beginning of `target`, so a
// Writer begins at position target.size(), and write_at() and seek() can reach the bytes that were
// there before. The bytes that the Sink is given must not lie in `target`, because `target` moves
// as it grows. Memory cannot be made durable, so sync() fails with ENOTSUP. Returns null if there
// is no memory for the Sink.
std::unique_ptr<Sink> make_memory_sink(std::string& target);
std::unique_ptr<Sink> make_memory_sink(std::vector<std::byte>& target);
std::unique_ptr<Sink> make_memory_sink(Bytes& target);

}  // namespace sluice
