// MPI: one file that all ranks of a communicator write or read together. Link with sluice::mpi,
// which your CMake compiles with your MPI (docs/scaling.md).
//
//   sluice::MpiWriter file;
//   sluice::Status status = file.open(MPI_COMM_WORLD, "u.bin", {.rank_bytes = values.size() * 8});
//   if (!status.ok()) return status;
//   file->write_values(values);
//   return file.close();  // the same result on every rank
//
// Collective calls: open(), place(), flush() and close() of an MpiWriter, and open() and close() of
// an MpiReader. Every rank of the communicator makes these calls, in the same order. Each of them
// returns the same Status on every rank: ok, or the failure of one rank. The message names that
// rank: `write run.bin at byte 4096: rank 2: No space left on device`. (If open() fails because the
// ranks gave different paths or options, it is no single rank's failure.) If several ranks have
// failed, all ranks get the failure with the lowest offset in the file, so every byte that was
// placed before this offset is in the file. All other calls concern one rank alone, and wait for no
// other rank.
//
// Failures: MPI's calls are checked twice, by their code and by the number of bytes that they
// moved, because Open MPI (OMPIO) reports success on a full disk. If MPI gives no reason, the code
// is EIO. So a full disk is ENOSPC with MPICH, and EIO with Open MPI. A failure to write may show
// only at a later collective call, and shows at close() at the latest. After a failure the later
// collective calls return it and communicate no more. If the library finds no memory on a rank, all
// ranks fail with ENOMEM, and none waits. If MPI finds no memory for itself, MPI decides what
// happens: it may end the program, or leave ranks waiting.
//
// Files are opened by each rank for itself (on MPI_COMM_SELF), and are written and read by
// independent calls at explicit positions, so a rank that fails leaves no other rank waiting. A
// file that passes the limit of `ulimit -f` is a failure only if the program ignores SIGXFSZ;
// otherwise this signal ends the rank, and mpirun the job.
// open() duplicates the communicator that the program gives. From then on the small collective
// calls that the ranks agree by use the duplicate, so they never meet the program's messages.
//
// Threads: an object belongs to one thread at a time. If MPI was initialised with
// MPI_THREAD_MULTIPLE, a thread of the library calls MPI_File_write_at (see WriteBehind). Otherwise
// the thread that fills a block writes it: helper_status() says so. A collective call must be made
// in a thread that may call MPI.
//
// fork(): a forked child must not use an MpiWriter or MpiReader, because it must not call MPI. It
// may destroy them: that calls nothing of MPI, and reports no bytes as lost.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/status.h"
#include "sluice/writer.h"

namespace sluice {

// Where the bytes of each rank lie in the shared file.
enum class MpiLayout : std::uint8_t {
  // Each rank has one region of rank_bytes bytes; the regions follow one another in the order of
  // the ranks. A rank's Writer counts positions in the file, and seek() and write_at() reach its
  // region.
  // The bytes leave whenever a block is full. A byte behind the region fails with EFBIG. If a rank
  // has not written every byte of its region, close() fails with EINVAL. To know this, the rank
  // keeps about 64 bytes of memory for each gap that seek() or write_at() has left, until the gap
  // is filled.
  contiguous,
  // Record k of rank r is record k * ranks + r of the file. Each rank holds its records until a
  // collective call. Then the ranks exchange records, so that each rank writes one large piece.
  // The rows of the file that not every rank has filled wait for the next collective call. If the
  // ranks have different numbers of records at close(), close() fails with EINVAL, and the file has
  // the complete rows.
  striped,
  // Each rank holds its bytes until a collective call, which appends the bytes of rank 0, then the
  // bytes of rank 1, and so on. Ranks may have different numbers of bytes.
  append_ordered,
};

// How an MpiWriter writes. All ranks must give the same layout, record_bytes, create and
// durability; otherwise open() fails with EINVAL.
struct MpiWriterOptions {
  // Where the bytes of each rank lie in the file.
  MpiLayout layout = MpiLayout::contiguous;
  // contiguous: the number of bytes that this rank will write. The file may have 2^63 - 1 bytes.
  std::uint64_t rank_bytes = 0;
  // striped: the size of a record, in bytes. All ranks together have at most 1 GiB in a row.
  std::size_t record_bytes = 0;
  // truncate, exclusive or append. With append the layout begins at the end of the old file.
  CreateMode create = CreateMode::truncate;
  // none, on_close or every_flush. MPI_File_sync makes the bytes durable; MPI has no call that does
  // so for the name of a new file.
  Durability durability = Durability::none;
  // Whether a thread of the library writes full blocks, as in WriterOptions. A write to a parallel
  // file system mostly waits, so a program that computes meanwhile gains from the first block on.
  WriteBehind write_behind = WriteBehind::on;
  // The size of a block, in bytes, and with `contiguous` the number of bytes from which a write
  // leaves without a copy. 1 to 1 GiB. Parallel file systems want their stripe, or more.
  std::size_t block_bytes = std::size_t{4} << 20;
  // The number of blocks that may wait for write-behind, 1 to 64.
  std::size_t blocks_in_flight = 3;
  // striped and append_ordered: the number of bytes that a rank may hold between two collective
  // calls, 1 to 1 GiB. A rank that accepts more fails with ENOBUFS.
  std::size_t held_bytes = std::size_t{256} << 20;
  // Hints for MPI_File_open, such as striping_factor. The caller frees them, after open().
  MPI_Info hints = MPI_INFO_NULL;
};

// A Writer on each rank, whose bytes land in one shared file.
class MpiWriter {
 public:
  // An MpiWriter can be moved, and not copied. The destructor is not collective, because the other
  // ranks may not come. It writes the blocks of `contiguous` as ~Writer does. The lost-error
  // handler (sluice/lost_error.h) is called in three cases: bytes of the region are missing; the
  // rank still holds bytes for another layout, which are lost; MPI_Finalize has been called, so
  // nothing can be written. The other ranks wait for this rank in their next collective call, for
  // ever. So a rank that leaves by an exception should call MPI_Abort.
  MpiWriter() noexcept;
  ~MpiWriter();
  MpiWriter(MpiWriter&& other) noexcept;
  MpiWriter& operator=(MpiWriter&& other) noexcept;

  // Collective. Opens the file at `path` on all ranks of `communicator`, which may be freed after
  // the call. Rank 0 creates the file, the other ranks open it, and rank 0 then truncates it, as
  // the last step. If open() fails before, the bytes of an old file are unchanged. A new file may
  // stay, with no bytes.
  // The path: all ranks must give the same one, letter for letter. ROMIO takes the part before a
  // ':' as the name of a kind of file system. OMPIO of Open MPI 4.1.4 ends the program if the path
  // is too long: 245 characters are, 215 are not.
  // Fails with EINVAL if an option makes no sense, if the ranks have different paths or if the path
  // has a NUL byte, with EISDIR for a folder, with ESPIPE for a FIFO (if ROMIO takes no part of its
  // path for itself), with ENOENT for the URI of an object, and with the failure of MPI_File_open.
  // After a failure no rank's Writer is open, and close() returns the same failure. (If the program
  // has set MPI_ERRORS_ARE_FATAL for MPI_FILE_NULL, a failure of MPI_File_open ends the program.)
  // Some mistakes are noticed by a rank for itself, before it communicates: ranks that do not make
  // the same mistake wait for this one. They are EINVAL if MPI is not initialised or if
  // `communicator` is MPI_COMM_NULL or an intercommunicator, and EBUSY if this MpiWriter is open.
  // After EBUSY the open file stays open, and close() returns the result of that file.
  Status open(MPI_Comm communicator, const std::string& path, const MpiWriterOptions& options = {});

  // The Writer of this rank, which accepts its bytes. Its calls are not collective. With `striped`
  // and `append_ordered` its position() counts the bytes of this rank, and its flush() makes
  // nothing visible. Leave its open() and close() to the MpiWriter.
  Writer& operator*() noexcept { return writer_; }
  Writer* operator->() noexcept { return &writer_; }

  // Collective. Gives the bytes that the ranks hold their places in the file, and begins to write
  // them. The writing may go on in a thread of the library while the program computes. With
  // `contiguous` the call does nothing.
  Status place();

  // Collective. Places the bytes that the ranks hold, and waits until the bytes of all ranks are
  // visible (FlushTo::os) or durable (FlushTo::storage).
  Status flush(FlushTo to = FlushTo::os);

  // Collective. Does what flush() does, closes the file and frees the communicator. The result is
  // ok only if every byte of every rank is in the file. A second call is not collective, and
  // returns the same result. On NFS, SMB, AFS and FUSE, close() makes the bytes durable in any
  // case: these file systems tell of a full disk only then, or when MPI closes the file. Open MPI
  // keeps a failure of that closing to itself.
  Status close();

  // The result that the ranks have agreed on in the latest collective call. EBADF before open().
  // After a failure it is this failure for ever.
  const Status& status() const noexcept;

  // The rank whose failure status() has, or -1.
  int failed_rank() const noexcept;

  // Ok if a thread of the library may write blocks. Otherwise ENOTSUP, and the message says why:
  // MPI was initialised without MPI_THREAD_MULTIPLE. Writing works in both cases.
  Status helper_status() const;

  // True from an ok open() to the first close().
  bool is_open() const noexcept;

 private:
  // Implementation details follow.
  struct Core;  // src/mpi/writer_core.h
  Status refuse_closed() const;
  void close_writers();
  Status not_begun_;            // why open() has made no core_
  std::unique_ptr<Core> core_;  // outlives writer_, whose Sink uses it
  Writer writer_;
};

// How an MpiReader divides the file.
enum class MpiPartition : std::uint8_t {
  bytes,    // parts of equal size
  lines,    // each line belongs to the rank in whose equal part its first byte lies
  records,  // parts of equal numbers of records; the last rank has the bytes behind the last record
};

// How an MpiReader reads. All ranks must give the same partition and record_bytes.
struct MpiReaderOptions {
  // How the file is divided between the ranks.
  MpiPartition partition = MpiPartition::bytes;
  // records: the size of a record, in bytes.
  std::size_t record_bytes = 0;
  // The size of a block, in bytes: 1 to 1 GiB.
  std::size_t block_bytes = std::size_t{4} << 20;
  // Hints for MPI_File_open. The caller frees them, after open().
  MPI_Info hints = MPI_INFO_NULL;
};

// A Reader on each rank, which reads this rank's part of one file.
class MpiReader {
 public:
  // An MpiReader can be moved, and not copied. The destructor is not collective.
  MpiReader() noexcept;
  ~MpiReader();
  MpiReader(MpiReader&& other) noexcept;
  MpiReader& operator=(MpiReader&& other) noexcept;

  // Collective. Opens the file at `path` on all ranks of `communicator`, and divides the bytes that
  // it has at this time. With `lines` each rank reads from the beginning of its equal part to the
  // next newline. Failures are those of MpiWriter::open().
  Status open(MPI_Comm communicator, const std::string& path, const MpiReaderOptions& options = {});

  // The Reader of this rank. Its calls are not collective. Its position 0 is the first byte of the
  // part, and its end is the end of the part. If the file has become shorter than it was at open(),
  // reading fails with EIO.
  Reader& operator*() noexcept { return reader_; }
  Reader* operator->() noexcept { return &reader_; }

  // The part of this rank: the position of its first byte in the file, and the number of its bytes.
  std::uint64_t first_byte() const noexcept;
  std::uint64_t bytes() const noexcept;

  // Collective. Closes the file. The result is ok only if no rank has failed.
  Status close();

  // The result of the latest collective call, and the rank whose failure it is, or -1.
  const Status& status() const noexcept;
  int failed_rank() const noexcept;

 private:
  // Implementation details follow.
  struct Core;        // src/mpi/mpi_reader.cc
  Status not_begun_;  // why open() has made no core_
  std::unique_ptr<Core> core_;
  Reader reader_;
};

}  // namespace sluice
